// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/device_clip.hpp"

#include <cstring>

#include "base/align.hpp"
#include "base/try.hpp"
#include "device/picture.hpp"
#include "device/recorder.hpp"

namespace isovmaf {

Result<DeviceClip> DeviceClip::create(DeviceHandle device, const std::vector<FramePair> &clip) {
    DeviceClip placed(std::move(device));
    Queue queue = TRY(placed.device_->create_queue());
    for (const FramePair &pair : clip) {
        Frame reference = TRY(placed.upload(queue, pair.reference));
        Frame distorted = TRY(placed.upload(queue, pair.distorted));
        placed.frames_.push_back({std::move(reference), std::move(distorted)});
    }
    return placed;
}

Result<Frame> DeviceClip::upload(Queue &queue, const Frame &frame) {
    const PictureLayout layout(frame.format(), frame.format().plane_count());
    const AlignedBytes staged = allocate_aligned(layout.bytes());
    std::memset(staged.get(), 0, layout.bytes()); // the padding is uploaded too
    for (int p = 0; p < layout.plane_count(); p++)
        layout.stage(frame.plane(p), p, staged.get());
    Buffer memory = TRY(upload_bytes(*device_, queue, {staged.get(), layout.bytes()}));

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
