// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "isovmaf/isovmaf.hpp"

/// Scoring a whole video in one call:
///
///     isovmaf::score_video(session, read_pair, {.scored = [](isovmaf::FrameScores frame) { ... }});
namespace isovmaf {

/// Reads the next pair in display order, wherever its frames lie. Nothing means the end of the video.
using PairReader = std::function<Result<std::optional<FramePair>>()>;

/// Functions that `score_video` calls while it works, on the thread that called it.
struct ScoreObserver {
    std::function<void()> pushed = [] {};                         ///< the session has taken one more pair
    std::function<void(FrameScores)> scored = [](FrameScores) {}; ///< a frame is complete; in frame order
    std::function<bool()> stop = [] { return false; };            ///< asked before each pair; true: read no more pairs
};

/// What ended the reading of pairs.
enum class VideoEnd : std::uint8_t { reached, stopped };

/// Pushes every pair that `read` gives into `session`, hands out each frame's scores as soon as they are ready, and
/// finishes the session: its pooled scores and aggregates are there afterwards. When the observer stops the reading,
/// the pairs before are scored to the end; a read that fails while the observer wants to stop is no error. Fails with
/// the first error of `read` or of the session.
ISOVMAF_API Result<VideoEnd> score_video(Session &session, const PairReader &read, const ScoreObserver &observer = {});

} // namespace isovmaf
