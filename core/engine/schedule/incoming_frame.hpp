// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>

#include "device/device.hpp"
#include "frame/frame_pool.hpp"
#include "isovmaf/external_memory.hpp"
#include "isovmaf/isovmaf.hpp"

/// Pictures and memory of a caller enter the engine here. Pictures are checked first: an error names the plane and what
/// is wrong.
namespace isovmaf {

/// Copies the planes of `view` into memory of `pool`. Throws std::bad_alloc.
[[nodiscard]] Result<Frame> copy_frame(const VideoFormat &format, const FrameView &view, FramePool &pool);

/// The frame without a copy; it takes part in owning `shared.owner`.
[[nodiscard]] Result<Frame> adopt_frame(const VideoFormat &format, const SharedFrame &shared);

/// Checks addresses and distances between rows, as far as numbers show.
[[nodiscard]] Result<void> check_device_frame(const VideoFormat &format, const DeviceFrame &frame);

/// Lets the device reach memory of another API. The result's owner keeps the device open.
[[nodiscard]] Result<ImportedMemory> import_memory(std::shared_ptr<const Device> device,
                                                   const ExternalMemory &external);

} // namespace isovmaf
