// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/frame_pool.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/align.hpp"
#include "frame/sample_range.hpp"

namespace isovmaf {

/// Blocks of memory of one size, each large enough for a frame.
class FramePool::Blocks {
  public:
    explicit Blocks(std::size_t bytes) : bytes_(bytes) {}

    AlignedBytes take() {
        const std::scoped_lock lock(mutex_);
        if (idle_.empty()) {
            idle_.reserve(count_ + 1); // give_back never allocates
            AlignedBytes block = allocate_aligned(bytes_);
            count_++;
            return block;
        }
        AlignedBytes block = std::move(idle_.back());
        idle_.pop_back();
        return block;
    }

    void give_back(AlignedBytes block) noexcept {
        const std::scoped_lock lock(mutex_);
        if (!closed_)
            idle_.push_back(std::move(block));
    }

    /// Frees the idle blocks. From now on a block that is given back is freed.
    void close() {
        const std::scoped_lock lock(mutex_);
        closed_ = true;
        idle_.clear();
    }

  private:
    const std::size_t bytes_;
    std::mutex mutex_;
    std::vector<AlignedBytes> idle_; ///< the block that came back last is at the end, and is taken first
    std::size_t count_ = 0;          ///< blocks allocated: idle, or in a frame
    bool closed_ = false;
};

namespace {

/// Copies a row of samples that do not follow each other, or whose values are shifted.
template <class Sample>
void unpack_row(const std::byte *from, const SampleLayout &samples, std::byte *to, int width) {
    const auto *const source = reinterpret_cast<const Sample *>(from);
    auto *const target = reinterpret_cast<Sample *>(to);
    for (int x = 0; x < width; x++)
        target[x] = static_cast<Sample>(source[x * samples.step] >> samples.shift);
}

} // namespace

FramePool::FramePool(const VideoFormat &format, ChromaEdge edge, int plane_count, FrameMemory memory)
    : format_(format), edge_(edge), memory_(std::move(memory)) {
    const std::size_t row_alignment = memory_ ? device_row_alignment : memory_alignment,
                      plane_alignment = memory_ ? device_plane_alignment : memory_alignment;
    std::size_t size = 0;
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const bool whole = edge == ChromaEdge::present;
        const int width = whole ? stored_width(format, p) : format.plane_width(p);
        const int height = whole ? stored_height(format, p) : format.plane_height(p);
        const std::size_t row_bytes =
            static_cast<std::size_t>(width) * static_cast<std::size_t>(format.bytes_per_sample());
        const std::size_t stride = align_up(row_bytes, row_alignment);
        stride_bytes_[i] = static_cast<std::ptrdiff_t>(stride);
        if (p >= plane_count) // no plane is larger than luma, whose memory it has
            continue;
        offset_[i] = align_up(size, plane_alignment);
        size = offset_[i] + stride * static_cast<std::size_t>(height);
    }
    // Code with vector instructions, such as libswscale's, may read one vector past the end of the last row.
    block_bytes_ = size + memory_alignment;
    blocks_ = std::make_shared<Blocks>(block_bytes_);
}

FramePool::~FramePool() {
    if (blocks_) // not moved from
        blocks_->close();
}

FramePool::FramePool(FramePool &&) noexcept = default;

WritableFrame FramePool::take() {
    const auto give_back = [blocks = blocks_](std::byte *block) { blocks->give_back(AlignedBytes(block)); };
    std::shared_ptr<std::byte> owner = memory_ ? memory_(block_bytes_) : nullptr;
    if (!owner)
        owner.reset(blocks_->take().release(), give_back);
    WritableFrame writable;
    writable.stride_bytes = stride_bytes_;
    std::array<const void *, 3> data{};
    for (int p = 0; p < format_.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        data[i] = writable.data[i] = owner.get() + offset_[i];
    }
    writable.frame = Frame(format_, owner, data, stride_bytes_, edge_);
    return writable;
}

/// Calls `look_at` with the number of the plane, that of the row, and the samples of each row that was copied.
template <class LookAt>
Frame FramePool::copy_rows(const Frame &frame, int plane_count, const LookAt &look_at) {
    assert(edge_ == ChromaEdge::absent || frame.chroma_edge() == ChromaEdge::present);
    WritableFrame writable = take();
    for (int p = 0; p < std::min(plane_count, format_.plane_count()); p++) {
        const auto i = static_cast<std::size_t>(p);
        const bool whole = edge_ == ChromaEdge::present;
        const int width = whole ? stored_width(format_, p) : format_.plane_width(p);
        const int height = whole ? stored_height(format_, p) : format_.plane_height(p);
        const int sample = format_.bytes_per_sample();
        for (int y = 0; y < height; y++) {
            const auto *const from = reinterpret_cast<const std::byte *>(frame.address(p)) + y * frame.stride_bytes(p);
            std::byte *const to = writable.data[i] + y * writable.stride_bytes[i];
            if (frame.samples(p).is_plain())
                std::memcpy(to, from, static_cast<std::size_t>(width) * static_cast<std::size_t>(sample));
            else if (sample == 1)
                unpack_row<std::uint8_t>(from, frame.samples(p), to, width);
            else
                unpack_row<std::uint16_t>(from, frame.samples(p), to, width);
            look_at(p, y, to);
        }
    }
    writable.frame.set_seconds(frame.seconds());
    if (frame.samples_checked())
        writable.frame.set_samples_checked();
    return writable.frame;
}

Frame FramePool::copy(const Frame &frame, int plane_count) {
    return copy_rows(frame, plane_count, [](int, int, const std::byte *) {});
}

Result<Frame> FramePool::copy_checked(const Frame &frame, std::string_view name, std::int64_t index, int checked_planes,
                                      int plane_count) {
    if (!may_have_large_samples(frame))
        return copy(frame, plane_count);
    std::optional<LargeSample> large;
    Frame copied = copy_rows(frame, plane_count, [&](int plane, int row, const std::byte *samples) {
        if (plane < checked_planes && !large &&
            is_above_depth(reinterpret_cast<const std::uint16_t *>(samples), format_.plane_width(plane),
                           format_.bit_depth))
            large = {plane, row};
    });
    if (large)
        return samples_too_large(format_, *large, name, index);
    return copied;
}

} // namespace isovmaf
