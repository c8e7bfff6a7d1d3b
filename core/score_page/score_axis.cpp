// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/score_axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace isovmaf {

namespace {

constexpr int most_axis_decimals = 9;
constexpr double most_axis_number = 1e15; ///< scores beyond it are drawn at the edge

/// The smallest of 1, 2, 5, 10 times a power of ten that is at least `least`.
double nice_step(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double digit : {1.0, 2.0, 5.0})
        if (digit * power >= least)
            return digit * power;
    return 10 * power;
}

} // namespace

ScoreAxis axis_of(std::span<const double> values, int most_steps) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : values)
        if (std::isfinite(value)) {
            low = std::min(low, std::clamp(value, -most_axis_number, most_axis_number));
            high = std::max(high, std::clamp(value, -most_axis_number, most_axis_number));
        }
    if (low > high)
        return {};
    const double least_range = std::max(std::abs(high) * 1e-3, 1e-6);
    if (high - low < least_range) {
        low -= least_range / 2;
        high += least_range / 2;
    }
    // Rounding both ends outwards may need one more step than there is room for: then the step grows.
    for (double least = (high - low) / most_steps;; least *= 2) {
        const double step = nice_step(least);
        const ScoreAxis axis{std::floor(low / step) * step, std::ceil(high / step) * step, step};
        if (std::round((axis.high - axis.low) / step) <= most_steps)
            return axis;
    }
}

std::string axis_label(const ScoreAxis &axis, double value) {
    const double digits = std::ceil(-std::log10(axis.step) - 1e-9);
    const int decimals = std::clamp(static_cast<int>(digits), 0, most_axis_decimals);
    const std::string text = fmt::format("{:.{}f}", value, decimals);
    return text.find_first_not_of("-0.") == std::string::npos ? fmt::format("{:.{}f}", 0.0, decimals) : text;
}

} // namespace isovmaf
