// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/planar_reader.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "frame/sample_range.hpp"
#include "frame/validate.hpp"

namespace isovmaf {

static_assert(std::endian::native == std::endian::little, "samples of 16 bit are stored little-endian and not swapped");

std::size_t stored_row_bytes(const VideoFormat &format, int plane) {
    return static_cast<std::size_t>(stored_width(format, plane)) * static_cast<std::size_t>(format.bytes_per_sample());
}

std::uint64_t stored_frame_bytes(const VideoFormat &format, int plane_count) {
    std::uint64_t bytes = 0;
    for (int p = 0; p < std::min(plane_count, format.plane_count()); p++)
        bytes += std::uint64_t{stored_row_bytes(format, p)} * static_cast<std::uint64_t>(stored_height(format, p));
    return bytes;
}

void add_rows(const WritableFrame &frame, const VideoFormat &format, int plane, int begin, int end, ContentHash &hash) {
    const auto i = static_cast<std::size_t>(plane);
    const std::size_t row_bytes = stored_row_bytes(format, plane);
    for (int y = begin; y < end; y++)
        hash.add({frame.data[i] + y * frame.stride_bytes[i], row_bytes});
}

PlanarReader::PlanarReader(ByteReader &reader, const VideoFormat &format, TruncatedEnd truncated)
    : reader_(reader), format_(format), truncated_(truncated), planes_wanted_(format.plane_count()),
      pool_(std::in_place, format, ChromaEdge::present) {}

void PlanarReader::prepare(const FrameNeeds &needs) {
    planes_wanted_ = std::min(needs.planes, format_.plane_count());
    pool_.emplace(format_, ChromaEdge::present, planes_wanted_, needs.memory);
}

Result<void> PlanarReader::pass(std::uint64_t bytes) { return pass(1, bytes); }

Result<void> PlanarReader::pass(std::int64_t frames, std::uint64_t bytes) {
    TRY(reader_.skip(bytes));
    frames_read_ += frames;
    return {};
}

/// Calls `look_at` with the numbers of the plane, its first row and the row behind its last one, for rows that were
/// read and are still in the processor's cache. Returns how many bytes of the frame were found.
template <class LookAt>
Result<std::uint64_t> PlanarReader::read_planes(const WritableFrame &frame, const LookAt &look_at) {
    std::uint64_t total = 0;
    for (int p = 0; p < planes_wanted_; p++) {
        const auto i = static_cast<std::size_t>(p);
        const std::size_t row_bytes = stored_row_bytes(format_, p);
        const auto rows_at_once = static_cast<std::size_t>(frame.stride_bytes[i]) == row_bytes
                                      ? std::max(1, static_cast<int>(bytes_looked_at_once / row_bytes))
                                      : 1;
        for (int y = 0, end = 0; y < stored_height(format_, p); y = end) {
            end = std::min(y + rows_at_once, stored_height(format_, p));
            const std::size_t bytes = row_bytes * static_cast<std::size_t>(end - y);
            const auto got = TRY(reader_.read({frame.data[i] + y * frame.stride_bytes[i], bytes}));
            total += got;
            if (got < bytes)
                return total;
            look_at(p, y, end);
        }
    }
    const std::uint64_t unwanted = stored_frame_bytes(format_) - total;
    if (unwanted == 0)
        return total;
    total += TRY(reader_.skip(unwanted));
    return total - std::min(total, reader_.passed_behind_end());
}

Result<std::optional<Frame>> PlanarReader::read(ContentHash *hash) try {
    // A header can state frames that are far larger than the file: its length is checked before memory is allocated.
    const std::uint64_t wanted = stored_frame_bytes(format_);
    if (const auto left = reader_.remaining(); left && *left < wanted)
        return end_inside_frame(*left);
    WritableFrame frame = pool_->take();
    const bool may_be_large = may_have_large_samples(frame.frame);
    std::optional<LargeSample> large;
    const auto found = TRY(read_planes(frame, [&](int plane, int begin, int end) {
        if (may_be_large && !large)
            large = find_large_sample(frame.frame, plane, begin, end);
        if (hash != nullptr)
            add_rows(frame, format_, plane, begin, end, *hash);
    }));
    if (found < wanted)
        return end_inside_frame(found);
    if (large)
        return samples_too_large(format_, *large, reader_.name(), frames_read_);
    frame.frame.set_samples_checked();
    frames_read_++;
    return frame.frame;
} catch (const std::bad_alloc &) {
    return fail(ErrorCode::out_of_memory,
                fmt::format("not enough memory for a frame of {} ({})", reader_.name(), format_text(format_)));
}

Result<bool> PlanarReader::skip() {
    const std::uint64_t wanted = stored_frame_bytes(format_);
    const auto left = reader_.remaining();
    if (!left || *left < wanted) // a pipe, or the end of the video
        return TRY(read()).has_value();
    TRY(reader_.skip(wanted));
    frames_read_++;
    return true;
}

Result<std::optional<Frame>> PlanarReader::end_inside_frame(std::uint64_t found) {
    const std::string where = fmt::format("{} ends inside frame {}, after {} of its {} bytes", reader_.name(),
                                          frames_read_, found, stored_frame_bytes(format_));
    if (truncated_ == TruncatedEnd::error)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("{}; check that the file is complete and its format right", where));
    end_warning_ = fmt::format("{}; the {} whole frames before it are used", where, frames_read_);
    return std::nullopt;
}

} // namespace isovmaf
