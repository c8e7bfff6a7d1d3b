// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/frame_fetcher.hpp"

#include <array>
#include <utility>

#include "base/align.hpp"
#include "base/failure.hpp"
#include "device/picture.hpp"
#include "device/recorder.hpp"

namespace isovmaf {

FrameFetcher::FrameFetcher(DeviceHandle device, const VideoFormat &format)
    : device_(std::move(device)), format_(format), pool_(format) {}

Frame FrameFetcher::fetch(const Frame &frame) {
    if (!frame.device())
        return frame;
    const auto plane_count = static_cast<std::size_t>(format_.plane_count());
    const ImportedPicture imported(*device_, frame, format_.plane_count());
    std::array<std::uint64_t, 3> offset{}, bytes{};
    std::array<std::ptrdiff_t, 3> stride_bytes{};
    std::array<SampleLayout, 3> samples{};
    std::uint64_t end = 0;
    for (std::size_t p = 0; p < plane_count; p++) {
        const int plane = static_cast<int>(p);
        stride_bytes[p] = frame.stride_bytes(plane);
        samples[p] = frame.samples(plane);
        bytes[p] = plane_bytes(format_, plane, static_cast<std::uint64_t>(stride_bytes[p]), samples[p].step);
        offset[p] = align_up<std::uint64_t>(end, ISOVMAF_RANGE_ALIGNMENT);
        end = offset[p] + bytes[p];
    }
    open(end);
    Recorder recorder(*device_);
    std::array<const void *, 3> data{};
    for (std::size_t p = 0; p < plane_count; p++) {
        data[p] = staging_.host() + offset[p];
        if (bytes[p] > 0)
            recorder.copy(imported.picture().planes[p].samples, staging_.at(offset[p]), bytes[p]);
    }
    const Commands commands = value_of(recorder.finish());
    value_of(queue_->wait(value_of(queue_->submit(commands)).value));

    Frame fetched = pool_.copy(Frame(format_, nullptr, data, stride_bytes, ChromaEdge::absent, samples));
    fetched.set_seconds(frame.seconds());
    count_++;
    return fetched;
}

/// Makes the queue, and memory for so many bytes.
void FrameFetcher::open(std::uint64_t bytes) {
    if (!queue_)
        queue_ = value_of(device_->create_queue());
    if (staging_bytes_ >= bytes)
        return;
    staging_ = value_of(device_->create_buffer(ISOVMAF_MEMORY_READBACK, bytes));
    staging_bytes_ = bytes;
}

} // namespace isovmaf
