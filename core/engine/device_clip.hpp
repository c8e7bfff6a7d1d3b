// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <vector>

#include "device/device.hpp"
#include "isovmaf/frame.hpp"

namespace isovmaf {

/// A clip in memory of a device, as a decoder on that device leaves it.
class DeviceClip {
  public:
    /// Throws Failure. All planes of every frame are uploaded.
    DeviceClip(DeviceHandle device, const std::vector<FramePair> &clip);

    /// Valid while this lives.
    [[nodiscard]] const std::vector<FramePair> &frames() const { return frames_; }

  private:
    Frame upload(Queue &queue, const Frame &frame);

    DeviceHandle device_;
    std::vector<Buffer> memory_;
    std::vector<FramePair> frames_;
};

} // namespace isovmaf
