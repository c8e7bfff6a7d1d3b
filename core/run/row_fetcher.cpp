// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/row_fetcher.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/try.hpp"
#include "device/picture.hpp"
#include "device/recorder.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf {

namespace {

/// How many of the rows lie at equal distances, from the first one on.
std::size_t equal_distances(std::span<const int> rows) {
    std::size_t count = std::min<std::size_t>(rows.size(), 2);
    while (count < rows.size() && rows[count] - rows[count - 1] == rows[1] - rows[0])
        count++;
    return count;
}

} // namespace

Result<Frame> RowFetcher::fetch(const Frame &frame, std::span<const int> rows) {
    const VideoFormat &format = frame.format();
    const auto stride = static_cast<std::uint64_t>(frame.stride_bytes(0));
    const std::uint64_t row = row_bytes(format, 0, frame.samples(0).step), bytes = row * rows.size();
    if (!queue_)
        queue_ = TRY(device_->create_queue());
    if (staging_bytes_ < bytes) {
        staging_ = TRY(device_->create_buffer(ISOVMAF_MEMORY_READBACK, bytes));
        staging_bytes_ = bytes;
    }
    const Buffer luma =
        TRY(device_->import_buffer(frame.address(0), plane_bytes(format, 0, stride, frame.samples(0).step)));
    Recorder recorder(*device_);
    for (std::size_t done = 0, count = 0; done < rows.size(); done += count) {
        const std::span<const int> left = rows.subspan(done);
        count = equal_distances(left);
        const auto distance = static_cast<std::uint64_t>(count > 1 ? left[1] - left[0] : 1);
        recorder.copy({luma.at(static_cast<std::uint64_t>(left[0]) * stride), staging_.at(done * row),
                       distance * stride, row, row, count});
    }
    TRY(queue_->run(TRY(recorder.finish())));
    const VideoFormat of_rows{.width = format.width,
                              .height = static_cast<int>(rows.size()),
                              .chroma = Chroma::k400,
                              .bit_depth = format.bit_depth};
    const Frame staged(of_rows, nullptr, {staging_.host()}, {static_cast<std::ptrdiff_t>(row)}, ChromaEdge::absent,
                       {frame.samples(0)});
    return FramePool(of_rows).copy(staged);
}

} // namespace isovmaf
