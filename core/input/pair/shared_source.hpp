// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "input/source.hpp"

namespace isovmaf {

/// Most frames that a shared video holds for its slowest reader.
inline constexpr std::size_t most_shared_frames = 6;

/// One video for several readers, which is decoded once: each of the sources gives all frames, and the frames share
/// their memory. Each source can be used by another thread, and reads when no other has read the frame yet. A source
/// waits when the slowest of the others is `most_shared_frames` behind, so all have to be read side by side; a source
/// that was destroyed or cancelled counts no more. An error of the video reaches every source. Frames that one
/// source passes over have to be passed over by all, by calls with the same numbers. All want the same of the frames:
/// what the first `prepare` says, before any frame is read, counts for all.
///
/// Cancelling a source stops it alone, as soon as a read of the video in progress has ended; cancelling the last one
/// stops the video.
///
/// Fails with `unsupported` when the video has samples that are converted for the sake of another video.
[[nodiscard]] Result<std::vector<std::unique_ptr<FrameSource>>> share_source(std::unique_ptr<FrameSource> source,
                                                                             std::size_t readers);

} // namespace isovmaf
