// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>

namespace isovmaf {

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
