// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "frame/frame_pool.hpp"
#include "isovmaf/external_memory.hpp"
#include "isovmaf/isovmaf.hpp"

/// Pictures and memory of a caller enter the engine here. Pictures are checked first: an error names the plane and what
/// is wrong.
namespace isovmaf {

/// What frames enter.
struct FrameEntrance {
    VideoFormat format;                          ///< of all frames
    std::vector<DeviceHandle> devices;           ///< of frames that do not lie in host memory
    int planes_checked = 3;                      ///< whose samples are looked at here, in host memory
    int planes_kept = 3;                         ///< that are copied of a frame that has to be
    ChromaEdge chroma_edge = ChromaEdge::absent; ///< `present`: frames have to have it
};

/// Which frame it is, for sentences: number `index` of `video`, such as "the reference".
struct FrameName {
    std::string_view video;
    std::int64_t index = 0;
};

/// The frame as the engine keeps it. A frame in host memory that has no owner or is not plain is copied into memory of
/// `pool`. The samples of planes that are looked at fit the bit depth. Throws
/// std::bad_alloc.
[[nodiscard]] Result<Frame> enter_frame(const Frame &frame, const FrameEntrance &entrance, FramePool &pool,
                                        const FrameName &name);

/// Fails when pictures of one pair, or of one reference and its distorted videos, lie in memory of several devices.
Result<void> check_places(const Frame &reference, std::span<const Frame> distorted);

/// Lets the device reach memory of another API. The result's owner keeps the device open.
[[nodiscard]] Result<ImportedMemory> import_memory(DeviceHandle device, const ExternalMemory &external);

} // namespace isovmaf
