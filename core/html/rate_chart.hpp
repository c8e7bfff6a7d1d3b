// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Charts of scores over bit rates. The same points give the same bytes on every machine.
namespace isovmaf {

/// One encode of a rate-quality curve.
struct RatePoint {
    double bit_rate = 0, score = 0;
};

/// A curve of a chart. Points are in order of bit rate, which is above 0.
struct RateCurve {
    std::string label;
    std::vector<RatePoint> points;
};

/// The curves over a logarithmic axis of bit rates; the titles are those of the axes, and not escaped yet. Empty where
/// all bit rates are the same.
[[nodiscard]] std::string rate_chart_svg(std::string_view score_title, std::string_view rate_title,
                                         std::span<const RateCurve> curves);

/// The classes that give a curve with this number, and its place in a legend, their colour.
[[nodiscard]] std::string curve_class(std::size_t number);

/// The style sheet of charts and of curve_class.
[[nodiscard]] std::string_view rate_chart_style();

/// The natural logarithm of `value` / `base`, both finite and above 0. The error is below 1e-15 + 1e-15 * |result|, and
/// the result is not negative for value >= base.
[[nodiscard]] double log_of_ratio(double value, double base);

} // namespace isovmaf
