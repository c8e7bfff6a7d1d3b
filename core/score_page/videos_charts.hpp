// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>

#include "score_page/score_page.hpp"

namespace isovmaf {

/// The main score of all videos over their frames, a line for each, with a legend. Where a video has more frames than
/// the chart has places, a line shows the mean of the frames of each place.
[[nodiscard]] std::string videos_chart_html(std::span<const ScorePage> videos);

/// The mean of the main score over the bit rate of all videos, a curve for each codec. Empty unless two of the bit
/// rates are known and differ.
[[nodiscard]] std::string videos_rates_html(std::span<const ScorePage> videos);

/// The style sheet of both.
[[nodiscard]] std::string videos_charts_style();

} // namespace isovmaf
