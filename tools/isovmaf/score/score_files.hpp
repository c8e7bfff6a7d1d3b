// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>

#include "report/report.hpp"
#include "score_page/score_page.hpp"
#include "tools/isovmaf/score/score_request.hpp"

namespace isovmaf::tool {

/// Which of the lowest scores the HTML report lists, and how their pictures are made. `video_rate` is 0 when unknown.
[[nodiscard]] WorstFrames::Options worst_frames_options(const ScoreArguments &arguments, const ScoreRequest &job,
                                                        const OpenedVideos &videos, double video_rate,
                                                        std::size_t column);

/// The reports of a run of `isovmaf score`. Their files are opened before the run, so that a bad path is found early.
class ScoreFiles {
  public:
    [[nodiscard]] static Result<ScoreFiles> create(const ScoreArguments &arguments, const ScoreRequest &job);

    [[nodiscard]] bool wants_page() const { return page_.has_value(); }

    /// Whether a report goes to standard output, which nothing else may be printed on.
    [[nodiscard]] bool on_standard_output() const { return on_standard_output_; }

    /// Writes all reports. Those of an interrupted run get files of their own, whose names are returned as a list:
    /// "a.json.partial and a.html.partial".
    Result<std::string> write(const ScorePage &page, const ScoreRequest &job);

  private:
    std::optional<ReportFile> report_, page_;
    bool on_standard_output_ = false;
};

} // namespace isovmaf::tool
