// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <utility>
#include <vector>

#include "device/device.hpp"
#include "isovmaf/frame.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// A clip in memory of a device, as a decoder on that device leaves it.
class DeviceClip {
  public:
    /// Uploads all planes of every frame.
    [[nodiscard]] static Result<DeviceClip> create(DeviceHandle device, const std::vector<FramePair> &clip);

    /// Valid while this lives.
    [[nodiscard]] const std::vector<FramePair> &frames() const { return frames_; }

  private:
    explicit DeviceClip(DeviceHandle device) : device_(std::move(device)) {}
    Result<Frame> upload(Queue &queue, const Frame &frame);

    DeviceHandle device_;
    std::vector<Buffer> memory_;
    std::vector<FramePair> frames_;
};

} // namespace isovmaf
