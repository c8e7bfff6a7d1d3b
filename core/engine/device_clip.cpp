// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/device_clip.hpp"

#include <cstring>
#include <memory>
#include <utility>

#include "base/align.hpp"
#include "base/try.hpp"
#include "device/picture.hpp"
#include "device/recorder.hpp"

namespace isovmaf {

namespace {

/// Memory of a device, which is closed after it.
struct OwnedMemory {
    DeviceHandle device;
    Buffer memory;
};

Result<Frame> upload(const DeviceHandle &device, Queue &queue, const Frame &frame) {
    const PictureLayout layout(frame.format(), frame.format().plane_count());
    const AlignedBytes staged = allocate_aligned(layout.bytes());
    std::memset(staged.get(), 0, layout.bytes()); // the padding is uploaded too
    for (int p = 0; p < layout.plane_count(); p++)
        layout.stage(frame.plane(p), p, staged.get());
    Buffer memory = TRY(upload_bytes(*device, queue, {staged.get(), layout.bytes()}));

    std::array<std::uint64_t, 3> offset{}, stride_bytes{};
    const GpuPicture picture = layout.at(memory.at(0));
    for (std::size_t p = 0; p < static_cast<std::size_t>(layout.plane_count()); p++) {
        offset[p] = picture[p].samples.offset;
        stride_bytes[p] = static_cast<std::uint64_t>(picture[p].stride_bytes);
    }
    return frame_in(device, std::move(memory), frame.format(), offset, stride_bytes);
}

} // namespace

Frame frame_in(DeviceHandle device, Buffer memory, const VideoFormat &format,
               const std::array<std::uint64_t, 3> &offset, const std::array<std::uint64_t, 3> &stride_bytes,
               const std::array<SampleLayout, 3> &samples) {
    std::array<std::uint64_t, 3> address{};
    for (std::size_t p = 0; p < static_cast<std::size_t>(format.plane_count()); p++)
        address[p] = memory.address() + offset[p];
    auto owner = std::make_shared<OwnedMemory>(device, std::move(memory));
    return Frame::on_device(std::move(device), format, std::move(owner), address, stride_bytes, samples);
}

Result<std::vector<FramePair>> place_on_device(const DeviceHandle &device, const std::vector<FramePair> &clip) {
    Queue queue = TRY(device->create_queue());
    std::vector<FramePair> placed;
    for (const FramePair &pair : clip) {
        Frame reference = TRY(upload(device, queue, pair.reference));
        Frame distorted = TRY(upload(device, queue, pair.distorted));
        placed.push_back({std::move(reference), std::move(distorted)});
    }
    return placed;
}

} // namespace isovmaf
