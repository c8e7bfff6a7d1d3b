// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "batch/results/batch_page.hpp"

namespace isovmaf::batch {

/// One encode of a rate-quality curve.
struct RatePoint {
    double bit_rate = 0, score = 0;
};

/// How many percent more bit rate `tested` needs for the same score than `anchor`, on average over the scores that both
/// reach (Bjøntegaard, VCEG-M33, but with logarithms of rates that are interpolated by monotone cubic Hermite pieces).
/// Negative: it needs less. Points are in order of bit rate. Nothing with fewer than 4 points in a curve, when scores
/// do not grow with bit rates, and when no score is reached by both.
[[nodiscard]] std::optional<double> bd_rate(std::span<const RatePoint> anchor, std::span<const RatePoint> tested);

/// A chart for each reference that has rows with different bit rates, with the BD-rate of each curve against the first
/// one. Empty when there are none.
[[nodiscard]] std::string rate_curves_html(std::span<const PageRow> rows);

/// The style sheet of the charts.
[[nodiscard]] std::string_view rate_curves_style();

} // namespace isovmaf::batch
