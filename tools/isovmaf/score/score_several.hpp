// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <vector>

#include "score_page/score_page.hpp"
#include "tools/isovmaf/score/score_request.hpp"
#include "tools/isovmaf/score/video_run.hpp"

namespace isovmaf::tool {

/// Scores several distorted videos, `most_side_by_side` of them at a time in each place, which decode the reference
/// once for all. Where there are as many places as videos, or more, each video has places of its own. Writes a report
/// for each, a page about all, and a table. Returns an ExitCode; failures are printed, and name their video.
[[nodiscard]] int score_several(const std::vector<ScoreTask> &tasks, const std::vector<PartPlace> &places);

/// A list of the pieces of a video, for a terminal.
[[nodiscard]] std::string spans_text(const ScoredVideo &video, const ScoreRequest &job);

/// What a table shows of a video, to which it refers.
[[nodiscard]] TableVideo table_video(const ScoredVideo &video);

/// What a page shows of a video, to which it refers.
[[nodiscard]] ScorePage page_of(const ScoredVideo &video, const std::string &command);

} // namespace isovmaf::tool
