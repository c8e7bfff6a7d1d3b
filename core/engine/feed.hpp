// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "isovmaf/score_video.hpp"

namespace isovmaf {

/// ScoreObserver for several sessions.
struct FeedObserver {
    std::function<void()> pushed = [] {}; ///< all sessions have taken one more pair
    std::function<void(std::size_t session, FrameScores)> scored;
    std::function<bool()> stop = [] { return false; };
};

/// The error that ended the feeding, and the number of the session that it came from. Without a number, the pairs could
/// not be read.
struct FeedError {
    std::optional<std::size_t> session;
    Error error;
};

/// Feeds the same pairs to all sessions, one pair at a time, and finishes the sessions. score_video is the same for one
/// session, and describes it.
[[nodiscard]] tl::expected<VideoEnd, FeedError> feed(std::span<Session> sessions, const PairReader &read,
                                                     const FeedObserver &observer);

} // namespace isovmaf
