// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "report/report.hpp"
#include "request/pair_job.hpp"
#include "stored/stored_report.hpp"
#include "tools/isovmaf/score/score_limits.hpp"

/// Limits relative to an earlier run, whose report is on disk (docs/adr/0118).
namespace isovmaf::tool {

inline constexpr const char *baseline_option = "--not-below";

/// What --not-below asks for.
struct Baseline {
    std::string path;  ///< of the report
    std::string score; ///< the name of a column or of a score of the whole video; empty: see compared_scores
    double loss = 0;   ///< how much lower than in the report a score may be, in the unit of the score
    std::shared_ptr<const StoredReport> report;
};

/// Reads the reports that the texts name: REPORT:LOSS or REPORT:SCORE=LOSS. Fails with invalid_argument when a text has
/// another form, else as read_stored_report does.
[[nodiscard]] Result<std::vector<Baseline>> read_baselines(const std::vector<std::string> &texts);

/// What a run is going to score.
struct RunColumns {
    const Report &report; ///< its models and its release of libvmaf
    const ScoreTable &scores;
    const std::vector<std::string> &aggregates; ///< names of the scores of the whole video
    std::size_t first_model = 0;
    const ScoringOptions &asked;
};

/// Fails with invalid_argument when one names a score that the run lacks, or of which a lower value is no loss.
[[nodiscard]] Result<void> check_baseline_names(const std::vector<Baseline> &baselines, const RunColumns &run);

/// What a baseline compares: columns, or one score of the whole video.
struct ComparedScores {
    std::vector<std::size_t> columns = {};
    std::string aggregate = {};
};

/// The score that a baseline names; else the scores of models, and those of features that --feature asks for of which a
/// lower value is a loss. All are in the report. Fails with mismatch when the report is of another model or release of
/// libvmaf, is incomplete, or has no such score. `log` gets what is not compared as the report lacks it.
[[nodiscard]] Result<ComparedScores> compared_scores(const Baseline &baseline, const RunColumns &run,
                                                     const LogSink &log);

/// Compares a score of the whole video, or mean and percentiles of each column, with those of the report. Where both
/// are the same as far as the report has digits, they count as equal. A report of other frames gives one check, which
/// is not judged.
[[nodiscard]] std::vector<LimitCheck> check_baseline(const Baseline &baseline, const ComparedScores &compared,
                                                     const ScoreTable &scores);

} // namespace isovmaf::tool
