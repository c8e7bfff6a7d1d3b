// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/device_clip.hpp"

#include <algorithm>

#include "base/failure.hpp"
#include "device/picture.hpp"
#include "device/recorder.hpp"

namespace isovmaf {

Buffer upload(const Device &device, std::span<const std::byte> bytes) {
    const Buffer staging = value_of(device.create_buffer(ISOVMAF_MEMORY_UPLOAD, bytes.size()));
    Buffer memory = value_of(device.create_buffer(ISOVMAF_MEMORY_DEVICE, bytes.size()));
    std::ranges::copy(bytes, staging.host());
    Recorder recorder(device);
    recorder.copy(staging.at(0), memory.at(0), bytes.size());
    const Commands commands = value_of(recorder.finish());
    Queue queue = value_of(device.create_queue());
    value_of(queue.wait(value_of(queue.submit(commands)).value));
    return memory;
}

DeviceClip::DeviceClip(DeviceHandle device, const std::vector<FramePair> &clip) : device_(std::move(device)) {
    for (const FramePair &pair : clip)
        frames_.push_back({upload(pair.reference), upload(pair.distorted)});
}

Frame DeviceClip::upload(const Frame &frame) {
    const PictureLayout layout(frame.format(), frame.format().plane_count());
    std::vector<std::byte> staged(layout.bytes());
    for (int p = 0; p < layout.plane_count(); p++)
        layout.stage(frame.plane(p), p, staged.data());
    Buffer memory = isovmaf::upload(*device_, staged);

    std::array<std::uint64_t, 3> address{}, stride_bytes{};
    const GpuPicture picture = layout.at(memory.at(0));
    for (std::size_t p = 0; p < static_cast<std::size_t>(layout.plane_count()); p++) {
        address[p] = memory.address() + picture[p].samples.offset;
        stride_bytes[p] = static_cast<std::uint64_t>(picture[p].stride_bytes);
    }
    memory_.push_back(std::move(memory));
    return Frame::on_device(device_, frame.format(), std::make_shared<int>(), address, stride_bytes);
}

} // namespace isovmaf
