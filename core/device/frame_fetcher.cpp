// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/frame_fetcher.hpp"

#include <cstring>
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

    WritableFrame writable = pool_.take();
    for (int p = 0; p < layout_.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const auto row_bytes = static_cast<std::size_t>(staged[i].width * format_.bytes_per_sample());
        for (int y = 0; y < staged[i].height; y++)
            std::memcpy(writable.data[i] + y * writable.stride_bytes[i],
                        staging_.host() + staged[i].samples.offset +
                            static_cast<std::size_t>(y) * static_cast<std::size_t>(staged[i].stride_bytes),
                        row_bytes);
    }
    writable.frame.set_seconds(frame.seconds());
    count_++;
    return writable.frame;
}

} // namespace isovmaf
