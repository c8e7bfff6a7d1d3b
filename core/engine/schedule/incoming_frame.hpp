// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "frame/frame_pool.hpp"
#include "isovmaf/isovmaf.hpp"

/// Pictures of a caller are checked here before the engine reads them. An error names the plane and what is wrong.
namespace isovmaf {

/// Copies the planes of `view` into memory of `pool`. Throws std::bad_alloc.
[[nodiscard]] Result<Frame> copy_frame(const VideoFormat &format, const FrameView &view, FramePool &pool);

/// The frame without a copy; it takes part in owning `shared.owner`.
[[nodiscard]] Result<Frame> adopt_frame(const VideoFormat &format, const SharedFrame &shared);

/// Checks addresses and distances between rows, as far as numbers show.
[[nodiscard]] Result<void> check_device_frame(const VideoFormat &format, const DeviceFrame &frame);

} // namespace isovmaf
