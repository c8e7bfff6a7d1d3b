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

/// A computed number beside what the report holds in its place. Texts live as long as the report does.
struct StoredValue {
    std::string_view name;      ///< of the score or aggregate
    std::string_view statistic; ///< of pooled scores; else empty
    std::int64_t frame = -1;    ///< -1: of the whole video
    std::string_view text;
    double computed = 0;
    StoredComparison comparison;
};

/// What of a report and of the computed scores was compared, and what was not, for want of the other.
struct StoredCoverage {
    std::int64_t values = 0, different = 0;
    std::vector<std::string> scores;       ///< that were compared, in the report's order
    std::vector<std::string> not_computed; ///< names that the report alone has; aggregates too, and "mean of vmaf"
    std::vector<std::string> not_stored;   ///< names that the computed scores alone have; aggregates too
    std::vector<std::int64_t> frames_not_computed, frames_not_stored;
    std::int64_t gaps = 0;       ///< frames in which the report lacks a score that it has in others
    bool totals_compared = true; ///< pooled scores and aggregates; not when the frames are not the same
};

/// Compares every number that both have, frame by frame, then pooled scores and aggregates, and calls `visit` with
/// each. Fails when the two have no number in common, naming what they have instead.
[[nodiscard]] Result<StoredCoverage> compare_stored(const StoredReport &report, const ScoreTable &computed,
                                                    const std::function<void(const StoredValue &)> &visit);

} // namespace isovmaf::diff
