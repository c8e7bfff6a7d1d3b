// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/ulp.hpp"

namespace isovmaf {

/// Bars of counts by distance, on a log scale. Its classes are those of the style sheet in page.cpp.
[[nodiscard]] std::string histogram_svg(const UlpHistogram &histogram);

/// All frames of a video in one row under a title: `worst` has a bucket of UlpHistogram per frame. Where there are more
/// frames than columns, a column shows the worst of its frames. Words beside the row say which frames differ.
[[nodiscard]] std::string strip_html(std::string_view title, std::span<const std::uint8_t> worst);

/// The axis of a chart: from `low` to `high`, which are multiples of `step`. A label stands at each multiple.
struct ScoreAxis {
    double low = 0, high = 1, step = 0.5;

    /// Where a value lies: 0 at `low`, 1 at `high`.
    [[nodiscard]] double place(double value) const { return (value - low) / (high - low); }
};

/// An axis that holds all finite values, with at most `most_steps` steps of 1, 2 or 5 times a power of ten. Equal
/// values have some room on both sides.
[[nodiscard]] ScoreAxis axis_of(std::span<const double> values, int most_steps);

/// A label of the axis, with as many decimals as its steps need.
[[nodiscard]] std::string axis_label(const ScoreAxis &axis, double value);

} // namespace isovmaf
