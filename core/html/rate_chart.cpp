// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/rate_chart.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "html/charts.hpp"
#include "html/page.hpp"
#include "math/math.hpp"

namespace isovmaf {

namespace {

constexpr double ln_2 = 0x1.62e42fefa39efp-1;
constexpr double square_root_2 = 0x1.6a09e667f3bcdp+0;

} // namespace

/// The quotient itself might overflow.
double log_of_ratio(double value, double base) {
    int value_exponent = 0, base_exponent = 0;
    double q = std::frexp(value, &value_exponent) / std::frexp(base, &base_exponent);
    int exponent = value_exponent - base_exponent;
    if (q > square_root_2) {
        q /= 2;
        exponent++;
    } else if (q < square_root_2 / 2) {
        q *= 2;
        exponent--;
    }
    return exponent * ln_2 + math::log(q);
}

namespace {

constexpr double chart_left = 44, chart_top = 24, chart_width = 400,
                 chart_height = 230; ///< of a chart's inside, in CSS pixels
constexpr std::size_t colours = 6;

/// Bit rates on a logarithmic axis, scores on a linear one.
struct Axes {
    double low = std::numeric_limits<double>::infinity(), high = 0;
    ScoreAxis scores = {};

    explicit Axes(std::span<const RateCurve> curves) {
        std::vector<double> values;
        for (const RateCurve &curve : curves)
            for (const RatePoint &point : curve.points) {
                low = std::min(low, point.bit_rate);
                high = std::max(high, point.bit_rate);
                values.push_back(point.score);
            }
        scores = axis_of(values, 6);
    }

    /// Whether the bit rates differ.
    [[nodiscard]] bool has_width() const { return low > 0 && low < high && log_of_ratio(high, low) > 0; }
    [[nodiscard]] double x(double bit_rate) const {
        return chart_left + chart_width * log_of_ratio(bit_rate, low) / log_of_ratio(high, low);
    }
    [[nodiscard]] double y(double score) const { return chart_top + chart_height * (1 - scores.place(score)); }
};

/// 1, 2 and 5 of each decade; the ends where the axis has too few of them.
std::vector<double> rate_labels(const Axes &axes) {
    std::vector<double> rates;
    double decade = 1;
    while (decade > axes.low && decade > 1e-300)
        decade /= 10;
    while (decade * 10 <= axes.low)
        decade *= 10;
    for (; decade <= axes.high; decade *= 10)
        for (const double factor : {1.0, 2.0, 5.0})
            if (const double rate = decade * factor; rate >= axes.low && rate <= axes.high)
                rates.push_back(rate);
    return rates.size() < 2 || rates.size() > 12 ? std::vector{axes.low, axes.high} : rates;
}

std::string grid_svg(const Axes &axes) {
    std::string out;
    const int steps = static_cast<int>(std::round((axes.scores.high - axes.scores.low) / axes.scores.step));
    for (int i = 0; i <= steps; i++) {
        const double score = axes.scores.low + i * axes.scores.step;
        fmt::format_to(std::back_inserter(out),
                       "<path class=grid d=\"M{0:.1f} {1:.1f}h{2:.1f}\"/><text x={3:.1f} y={4:.1f} "
                       "text-anchor=end>{5}</text>\n",
                       chart_left, axes.y(score), chart_width, chart_left - 6, axes.y(score) + 4,
                       axis_label(axes.scores, score));
    }
    for (const double rate : rate_labels(axes))
        fmt::format_to(std::back_inserter(out),
                       "<path class=grid d=\"M{0:.1f} {1:.1f}v{2:.1f}\"/><text x={0:.1f} y={3:.1f} "
                       "text-anchor=middle>{4:.10g}</text>\n",
                       axes.x(rate), chart_top, chart_height, chart_top + chart_height + 16, rate);
    return out;
}

std::string curve_svg(const RateCurve &curve, const Axes &axes, std::size_t number) {
    std::string path, dots;
    for (const RatePoint &point : curve.points) {
        fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', axes.x(point.bit_rate),
                       axes.y(point.score));
        fmt::format_to(std::back_inserter(dots),
                       "<circle r=3 cx={:.1f} cy={:.1f}><title>{:.10g}: {:.3f}</title></circle>",
                       axes.x(point.bit_rate), axes.y(point.score), point.bit_rate, point.score);
    }
    return fmt::format("<g class=\"{}\"><path d=\"{}\"/>{}</g>\n", curve_class(number), path, dots);
}

} // namespace

std::string curve_class(std::size_t number) {
    return fmt::format("curve{}{}", number % colours, number / colours % 2 == 1 ? " dashed" : "");
}

std::string rate_chart_svg(std::string_view score_title, std::string_view rate_title,
                           std::span<const RateCurve> curves) {
    const Axes axes(curves);
    if (!axes.has_width())
        return {};
    const std::string score = html_escape(score_title), rate = html_escape(rate_title);
    std::string out =
        fmt::format("<svg class=rates role=img aria-label=\"{0} over {1}\" viewBox=\"0 0 {2:.0f} {3:.0f}\">\n"
                    "<text x=0 y=12>{0}</text><text x={4:.1f} y={5:.1f} text-anchor=end>{1}</text>\n{6}",
                    score, rate, chart_left + chart_width + 16, chart_top + chart_height + 38, chart_left + chart_width,
                    chart_top + chart_height + 34, grid_svg(axes));
    for (std::size_t i = 0; i < curves.size(); i++)
        out += curve_svg(curves[i], axes, i);
    return out + "</svg>";
}

std::string_view rate_chart_style() {
    return R"css(.rates { display: block; width: 100%; margin-top: .75rem; }
.rates .grid { stroke: var(--line); }
.rates g path { fill: none; stroke-width: 1.5; stroke: currentColor; }
.rates .dashed path { stroke-dasharray: 5 3; }
.rates circle { fill: currentColor; }
.legend i { background: currentColor; }
.legend i.dashed { background: none; outline: 2px dashed currentColor; outline-offset: -2px; }
.curve0 { color: #2f6fb0; } .curve1 { color: #c2621b; } .curve2 { color: #3b8c57; }
.curve3 { color: #a23b72; } .curve4 { color: #7a6a00; } .curve5 { color: #6a57b8; }
@media (prefers-color-scheme: dark) {
  .curve0 { color: #6fb0f0; } .curve1 { color: #f0985a; } .curve2 { color: #72c890; }
  .curve3 { color: #e682b5; } .curve4 { color: #d0bd4a; } .curve5 { color: #a99bf0; } }
)css";
}

} // namespace isovmaf
