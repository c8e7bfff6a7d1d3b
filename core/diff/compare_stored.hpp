// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/score_table.hpp"
#include "stored/stored_report.hpp"

namespace isovmaf::diff {

/// A number of the report and the computed number to compare it with. Texts live as long as the report.
struct StoredValue {
    std::string_view name;      ///< of the score or aggregate
    std::string_view statistic; ///< "mean" and the like for pooled scores, else empty
    std::int64_t frame = -1;    ///< -1 for the whole video
    std::string_view text;
    double computed = 0;
    StoredComparison comparison;
};

/// Which scores and frames were compared, and which were not because one of the two sides lacks them.
struct StoredCoverage {
    std::int64_t values = 0, different = 0;
    std::vector<std::string> scores;       ///< those that were compared, in the report's order
    std::vector<std::string> not_computed; ///< names that only the report has, also of aggregates, and "mean of vmaf"
    std::vector<std::string> not_stored;   ///< names that only the computed scores have, also of aggregates
    std::vector<std::int64_t> frames_not_computed, frames_not_stored;
    std::int64_t gaps = 0;       ///< how often a frame of the report lacks a score that other frames have
    bool totals_compared = true; ///< pooled scores and aggregates were compared: both have the same frames
};

/// Compares every number that both have, frame by frame, then pooled scores and aggregates, and calls `visit` with
/// each. Fails when they have no number in common; the error names what each has.
[[nodiscard]] Result<StoredCoverage> compare_stored(const StoredReport &report, const ScoreTable &computed,
                                                    const std::function<void(const StoredValue &)> &visit);

} // namespace isovmaf::diff
