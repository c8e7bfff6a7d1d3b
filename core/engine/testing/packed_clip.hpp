// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/failure.hpp"
#include "device/device.hpp"
#include "device/recorder.hpp"
#include "engine/device_clip.hpp"
#include "frame/testing/packed_image.hpp"

namespace isovmaf::testing {

/// Places a clip in memory of a device, with pictures that are not plain, as decoders of GPUs leave them. Throws
/// Failure.
inline std::vector<FramePair> place_packed(const DeviceHandle &device, const std::vector<FramePair> &clip) {
    Queue queue = value_of(device->create_queue());
    const auto upload = [&](const Frame &frame) {
        const PackedImage image(frame);
        std::array<std::uint64_t, 3> offset{}, stride_bytes{};
        for (std::size_t p = 0; p < static_cast<std::size_t>(frame.format().plane_count()); p++) {
            offset[p] = image.offset[p];
            stride_bytes[p] = static_cast<std::uint64_t>(image.stride_bytes[p]);
        }
        return frame_in(device, value_of(upload_bytes(*device, queue, image.bytes)), frame.format(), offset,
                        stride_bytes, image.samples);
    };
    std::vector<FramePair> placed;
    for (const FramePair &pair : clip)
        placed.push_back({upload(pair.reference), upload(pair.distorted)});
    return placed;
}

} // namespace isovmaf::testing
