// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "isovmaf/scores.hpp"

namespace isovmaf {

/// Statistics of scores in frame order. All are 0 when there are none, and NaN when one of them is NaN.
[[nodiscard]] PooledScore pool_scores(std::vector<double> scores);

/// Statistics of one column. All are 0 when there are no frames, and NaN when one of the scores is NaN.
[[nodiscard]] PooledScore pool_column(const ScoreTable &table, std::size_t column);

/// The scores of one column, in frame order.
[[nodiscard]] std::vector<double> column_of(const ScoreTable &table, std::size_t column);

/// A percentile (scores.md §4) of scores in ascending order: one at least, none of them NaN. Equal neighbours are
/// returned as they are: the rounded weights could give a value outside the range of the scores.
[[nodiscard]] double score_percentile(std::span<const double> sorted, double percent);

} // namespace isovmaf
