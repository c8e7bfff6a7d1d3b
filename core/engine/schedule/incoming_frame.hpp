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

/// The frame as the engine keeps it, for a session of that format and device (null: none). A frame in host memory that
/// has no owner or is not plain is copied into memory of `pool`. Throws std::bad_alloc.
[[nodiscard]] Result<Frame> enter_frame(const Frame &frame, const VideoFormat &format, const DeviceHandle &device,
                                        FramePool &pool);

/// Lets the device reach memory of another API. The result's owner keeps the device open.
[[nodiscard]] Result<ImportedMemory> import_memory(DeviceHandle device, const ExternalMemory &external);

} // namespace isovmaf
