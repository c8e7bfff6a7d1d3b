// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/failure.hpp"
#include "device/device.hpp"
#include "device/recorder.hpp"
#include "frame/testing/packed_image.hpp"

namespace isovmaf::testing {

/// A clip in memory of a device whose pictures are not plain, as decoders of GPUs leave them.
class PackedClip {
  public:
    /// Throws Failure.
    PackedClip(DeviceHandle device, const std::vector<FramePair> &clip) : device_(std::move(device)) {
        Queue queue = value_of(device_->create_queue());
        for (const FramePair &pair : clip)
            frames_.push_back({upload(queue, pair.reference), upload(queue, pair.distorted)});
    }

    /// Valid while this lives.
    [[nodiscard]] const std::vector<FramePair> &frames() const { return frames_; }

  private:
    Frame upload(Queue &queue, const Frame &frame) {
        const PackedImage image(frame);
        Buffer memory = value_of(upload_bytes(*device_, queue, image.bytes));
        std::array<std::uint64_t, 3> address{}, stride_bytes{};
        for (std::size_t p = 0; p < static_cast<std::size_t>(frame.format().plane_count()); p++) {
            address[p] = memory.address() + image.offset[p];
            stride_bytes[p] = static_cast<std::uint64_t>(image.stride_bytes[p]);
        }
        memory_.push_back(std::move(memory));
        return Frame::on_device(device_, frame.format(), std::make_shared<int>(), address, stride_bytes, image.samples);
    }

    DeviceHandle device_;
    std::vector<Buffer> memory_;
    std::vector<FramePair> frames_;
};

} // namespace isovmaf::testing
