// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <vector>

#include "score_page/score_page.hpp"
#include "tools/isovmaf/progress.hpp"
#include "tools/isovmaf/score/score_request.hpp"
#include "tools/isovmaf/score/video_run.hpp"

namespace isovmaf::tool {

/// Videos that are scored side by side, at most.
inline constexpr std::size_t most_side_by_side = 8;

/// Scores several distorted videos, decoding the reference once for each `most_side_by_side` of them. Writes a report
/// for each, a page about all, and a table. The tasks name one place. Returns an
/// ExitCode; failures are printed, and name their video.
[[nodiscard]] int score_several(const std::vector<ScoreTask> &tasks, const std::vector<PartPlace> &places);

/// How progress is shown for all videos together.
[[nodiscard]] ProgressStyle progress_style(const ScoreArguments &arguments);

/// What a page shows of a video, to which it refers.
[[nodiscard]] ScorePage page_of(const ScoredVideo &video, const std::string &command);

} // namespace isovmaf::tool
