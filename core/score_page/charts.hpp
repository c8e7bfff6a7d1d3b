// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "score_page/score_axis.hpp"
#include "score_page/shown_columns.hpp"

namespace isovmaf {

/// The axis of a column's scores over time, for the fixed chart and for the one that the script draws.
[[nodiscard]] ScoreAxis score_axis(const ShownColumn &column);

/// The scores of a column over time, as a line. Where there are more frames than places, the line covers the lowest to
/// the highest score of each place. `first_frame` and `last_frame` are the labels of its ends.
[[nodiscard]] std::string line_chart_svg(const ShownColumn &column, std::int64_t first_frame, std::int64_t last_frame);

/// How often scores of a column lie in each of up to 40 equal ranges. Scores that are not finite are left out.
[[nodiscard]] std::string score_histogram_svg(const ShownColumn &column);

} // namespace isovmaf
