// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <utility>
#include <vector>

#include "device/device.hpp"
#include "frame/frame_pair.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf {

/// A clip in memory of a device, as a decoder on that device leaves it.
class DeviceClip {
  public:
    /// Throws Failure. All planes of every frame are uploaded.
    DeviceClip(Device device, const std::vector<FramePair> &clip);

    /// Reference and distorted of every frame; valid while this lives.
    [[nodiscard]] const std::vector<std::pair<DeviceFrame, DeviceFrame>> &frames() const { return frames_; }

  private:
    DeviceFrame upload(const Frame &frame);

    Device device_;
    std::vector<Buffer> memory_;
    std::vector<std::pair<DeviceFrame, DeviceFrame>> frames_;
};

} // namespace isovmaf
