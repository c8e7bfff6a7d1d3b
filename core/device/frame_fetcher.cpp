// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/frame_fetcher.hpp"

#include <array>
#include <utility>

#include "base/failure.hpp"
#include "device/recorder.hpp"

namespace isovmaf {

FrameFetcher::FrameFetcher(DeviceHandle device, const VideoFormat &format)
    : device_(std::move(device)), format_(format), layout_(format, format.plane_count()), pool_(format) {}

void FrameFetcher::open() {
    if (staging_)
        return;
    staging_ = value_of(device_->create_buffer(ISOVMAF_MEMORY_READBACK, layout_.bytes()));
    queue_ = value_of(device_->create_queue());
}

Frame FrameFetcher::fetch(const Frame &frame) {
    if (!frame.device())
        return frame;
    open();
    const GpuPicture staged = layout_.at(staging_.at(0));
    const ImportedPicture source(*device_, frame, layout_.plane_count());
    Recorder recorder(*device_);
    record_copy(recorder, format_, layout_.plane_count(), source.picture(), staged);
    const Commands commands = value_of(recorder.finish());
    value_of(queue_.wait(value_of(queue_.submit(commands)).value));

    std::array<const void *, 3> data{};
    std::array<std::ptrdiff_t, 3> stride_bytes{};
    for (std::size_t p = 0; p < static_cast<std::size_t>(layout_.plane_count()); p++) {
        data[p] = staging_.host() + staged[p].samples.offset;
        stride_bytes[p] = staged[p].stride_bytes;
    }
    Frame fetched = pool_.copy(Frame(format_, nullptr, data, stride_bytes));
    fetched.set_seconds(frame.seconds());
    count_++;
    return fetched;
}

} // namespace isovmaf
