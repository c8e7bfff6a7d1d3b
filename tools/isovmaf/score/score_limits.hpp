// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/score_table.hpp"
#include "isovmaf/result.hpp"

/// The least that pooled scores may be: a run whose scores are lower ends with an exit code of its own.
namespace isovmaf::tool {

/// An option that sets a limit, such as --min-mean.
struct LimitOption {
    const char *name;
    std::string_view statistic; ///< in sentences
    double PooledScore::*value;
    bool compared = false; ///< with that of a stored report: see score_baseline.hpp
};

inline constexpr std::array<LimitOption, 8> limit_options{{
    {"--min", "lowest score", &PooledScore::min},
    {"--min-mean", "mean", &PooledScore::mean, true},
    {"--min-harmonic-mean", "harmonic mean", &PooledScore::harmonic_mean},
    {"--min-p1", "1 % percentile", &PooledScore::percentile_1, true},
    {"--min-p5", "5 % percentile", &PooledScore::percentile_5, true},
    {"--min-p10", "10 % percentile", &PooledScore::percentile_10},
    {"--min-p25", "25 % percentile", &PooledScore::percentile_25},
    {"--min-p50", "median", &PooledScore::percentile_50},
}};

/// The texts of the options, one list for each of `limit_options`: VALUE or SCORE=VALUE.
using LimitTexts = std::array<std::vector<std::string>, limit_options.size()>;

struct ScoreLimit {
    const LimitOption *option;
    std::string score; ///< the name of a column or of a score of the whole video; empty: the main score
    double least;
};

/// The names of a run's scores.
struct RunScoreNames {
    const std::vector<std::string> &columns;
    const std::vector<std::string> &aggregates; ///< scores of the whole video
};

/// Fails with invalid_argument when a value is no finite number.
[[nodiscard]] Result<std::vector<ScoreLimit>> parse_limits(const LimitTexts &texts);

/// Fails with invalid_argument when a limit names a score that is none of `names`, and when it asks for a statistic of
/// a score of the whole video: that one has a limit by the first of `limit_options`.
[[nodiscard]] Result<void> check_limit_names(const std::vector<ScoreLimit> &limits, const RunScoreNames &names);

/// Fails with invalid_argument when the limit of the option `option` names a score that is none of `names`.
[[nodiscard]] Result<void> check_limit_name(const char *option, const std::string &score, const RunScoreNames &names);

/// The score of the whole video with this name; nothing when there is none.
[[nodiscard]] std::optional<double> aggregate_named(const ScoreTable &scores, const std::string &name);

/// What became of a limit.
struct LimitCheck {
    enum class Outcome : std::uint8_t { kept, broken, not_judged };

    std::string name; ///< "mean of vmaf, at least 93"
    Outcome outcome = Outcome::kept;
    std::string sentence = {}; ///< why it is broken or could not be judged
};

/// Judges each limit. A score that is no number is below every limit. `main_score` is the column of limits that name
/// none.
[[nodiscard]] std::vector<LimitCheck> check_limits(const std::vector<ScoreLimit> &limits, const ScoreTable &scores,
                                                   std::size_t main_score);

} // namespace isovmaf::tool
