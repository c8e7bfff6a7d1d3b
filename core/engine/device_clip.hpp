// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "device/device.hpp"
#include "isovmaf/frame.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// A frame whose picture lies in `memory` of a device, where its planes begin at these offsets. The memory is freed
/// with the last copy of the frame.
[[nodiscard]] Frame frame_in(DeviceHandle device, Buffer memory, const VideoFormat &format,
                             const std::array<std::uint64_t, 3> &offset,
                             const std::array<std::uint64_t, 3> &stride_bytes,
                             const std::array<SampleLayout, 3> &samples = {});

/// Copies all planes of a clip into memory of a device, as a decoder on that device leaves them.
[[nodiscard]] Result<std::vector<FramePair>> place_on_device(const DeviceHandle &device,
                                                             const std::vector<FramePair> &clip);

} // namespace isovmaf
