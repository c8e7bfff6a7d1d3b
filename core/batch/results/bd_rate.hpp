// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>
#include <vector>

#include "batch/results/batch_page.hpp"
#include "html/rate_chart.hpp"

/// Rate-quality curves and what compares them. The same points give the same bits on every machine.
namespace isovmaf::batch {

/// The rows of one reference that have bit rates.
struct RateChart {
    std::string reference, score;
    std::vector<RateCurve> curves; ///< one for each label, in the order of their first rows
};

/// Puts rows with bit rates and finite scores into charts by reference and score, and into curves by label. Charts are
/// in the order of their first rows.
[[nodiscard]] std::vector<RateChart> rate_charts(std::span<const PageRow> rows);

/// How many percent more bit rate `tested` needs for the same score than `anchor`, on average over the scores that both
/// reach (Bjøntegaard, VCEG-M33, but with logarithms of rates that are interpolated by monotone cubic Hermite pieces).
/// Negative: it needs less. Points are in order of bit rate, which is above 0. Without a BD-rate the reason.
[[nodiscard]] tl::expected<double, std::string> bd_rate(std::span<const RatePoint> anchor,
                                                        std::span<const RatePoint> tested);

} // namespace isovmaf::batch
