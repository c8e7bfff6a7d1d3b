// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "isovmaf/score_video.hpp"

#include "engine/feed.hpp"

namespace isovmaf {

Result<VideoEnd> score_video(Session &session, const PairReader &read, const ScoreObserver &observer) {
    const auto scored = [&](std::size_t, FrameScores scores) { observer.scored(std::move(scores)); };
    tl::expected<VideoEnd, FeedError> end =
        feed({&session, 1}, read, {.pushed = observer.pushed, .scored = scored, .stop = observer.stop});
    return std::move(end).map_error([](FeedError failed) { return std::move(failed.error); });
}

} // namespace isovmaf
