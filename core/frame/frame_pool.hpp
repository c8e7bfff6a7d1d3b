// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "frame/frame.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// Alignment of the rows and planes of frames in memory that a device gave: its kernels can read such frames where they
/// lie.
inline constexpr std::size_t device_row_alignment = 128, device_plane_alignment = 256;

/// Writable view of a frame's planes, for the code that fills a fresh frame before it is shared.
struct WritableFrame {
    Frame frame;
    std::array<std::byte *, 3> data{};
    std::array<std::ptrdiff_t, 3> stride_bytes{};
};

/// Frames of one format, whose memory is used again as soon as the last copy of a frame is gone. Thread-safe. Frames
/// may outlive the pool: the memory of each is then freed with its last copy.
class FramePool {
  public:
    /// Frames have room for the samples of the first `plane_count` planes. The others' addresses lie in that memory,
    /// and their content is unspecified. Frames lie in memory of `memory` while that has some, and else in the pool's.
    explicit FramePool(const VideoFormat &format, ChromaEdge edge = ChromaEdge::absent, int plane_count = 3,
                       FrameMemory memory = {});
    ~FramePool();
    FramePool(FramePool &&) noexcept;

    /// A frame whose content is unspecified; its rows start at multiples of 64 bytes, or as kernels want them. Throws
    /// std::bad_alloc when memory is out.
    [[nodiscard]] WritableFrame take();

    /// A plain copy of a frame in host memory that has the pool's format and at least its chroma edge, its time
    /// included. The content of planes from `plane_count` on is unspecified. Throws std::bad_alloc.
    [[nodiscard]] Frame copy(const Frame &frame, int plane_count = 3);

    /// The same, which fails as check_samples does for the first `checked_planes` planes: each row is looked at while
    /// the copy of it is in the cache.
    [[nodiscard]] Result<Frame> copy_checked(const Frame &frame, std::string_view name, std::int64_t index,
                                             int checked_planes, int plane_count = 3);

  private:
    class Blocks;

    template <class LookAt>
    Frame copy_rows(const Frame &frame, int plane_count, const LookAt &look_at);

    VideoFormat format_;
    ChromaEdge edge_;
    FrameMemory memory_;
    std::size_t block_bytes_ = 0;
    std::array<std::size_t, 3> offset_{}; ///< of each plane in a block
    std::array<std::ptrdiff_t, 3> stride_bytes_{};
    std::shared_ptr<Blocks> blocks_; ///< frames share it
};

} // namespace isovmaf
