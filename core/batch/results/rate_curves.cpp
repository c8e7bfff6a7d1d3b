// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/rate_curves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "html/charts.hpp"
#include "html/page.hpp"
#include "report/number_text.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::size_t least_points = 4;

/// The logarithm of the bit rate as a function of the score.
class RateCurve {
  public:
    explicit RateCurve(std::span<const RatePoint> points) {
        for (const RatePoint &point : points) {
            score_.push_back(point.score);
            rate_.push_back(std::log(point.bit_rate));
        }
        for (std::size_t i = 0; i + 1 < score_.size(); i++)
            secant_.push_back((rate_[i + 1] - rate_[i]) / (score_[i + 1] - score_[i]));
        slope_.push_back(end_slope(0, 1));
        for (std::size_t i = 1; i + 1 < score_.size(); i++)
            slope_.push_back(inner_slope(i));
        slope_.push_back(end_slope(secant_.size() - 1, secant_.size() - 2));
    }

    [[nodiscard]] double lowest() const { return score_.front(); }
    [[nodiscard]] double highest() const { return score_.back(); }

    [[nodiscard]] double integral(double low, double high) const {
        double sum = 0;
        for (std::size_t i = 0; i + 1 < score_.size(); i++) {
            const double from = std::max(low, score_[i]), to = std::min(high, score_[i + 1]);
            if (from < to)
                sum += antiderivative(i, to) - antiderivative(i, from);
        }
        return sum;
    }

  private:
    [[nodiscard]] double width(std::size_t piece) const { return score_[piece + 1] - score_[piece]; }

    /// Fritsch and Butland: the weighted harmonic mean of both secants.
    [[nodiscard]] double inner_slope(std::size_t i) const {
        const double before = secant_[i - 1], after = secant_[i];
        if (before * after <= 0)
            return 0;
        const double a = 2 * width(i) + width(i - 1), b = width(i) + 2 * width(i - 1);
        return (a + b) / (a / before + b / after);
    }

    /// The slope at an end of the piece `end`, from three points, limited so that the curve stays monotone.
    [[nodiscard]] double end_slope(std::size_t end, std::size_t next) const {
        const double slope =
            ((2 * width(end) + width(next)) * secant_[end] - width(end) * secant_[next]) / (width(end) + width(next));
        if (slope * secant_[end] <= 0)
            return 0;
        if (secant_[end] * secant_[next] <= 0 && std::abs(slope) > 3 * std::abs(secant_[end]))
            return 3 * secant_[end];
        return slope;
    }

    /// Of the cubic piece `i`, from its start.
    [[nodiscard]] double antiderivative(std::size_t i, double score) const {
        const double x = score - score_[i], h = width(i);
        const double c = (3 * secant_[i] - 2 * slope_[i] - slope_[i + 1]) / h;
        const double d = (slope_[i] + slope_[i + 1] - 2 * secant_[i]) / (h * h);
        return x * (rate_[i] + x * (slope_[i] / 2 + x * (c / 3 + x * d / 4)));
    }

    std::vector<double> score_, rate_, secant_, slope_;
};

bool is_curve(std::span<const RatePoint> points) {
    const auto falls = [](const RatePoint &a, const RatePoint &b) {
        return !(a.bit_rate < b.bit_rate && a.score < b.score);
    };
    return points.size() >= least_points && points.front().bit_rate > 0 &&
           std::ranges::adjacent_find(points, falls) == points.end() && std::isfinite(points.back().score) &&
           std::isfinite(points.front().score);
}

} // namespace

std::optional<double> bd_rate(std::span<const RatePoint> anchor, std::span<const RatePoint> tested) {
    if (!is_curve(anchor) || !is_curve(tested))
        return std::nullopt;
    const RateCurve a(anchor), t(tested);
    const double low = std::max(a.lowest(), t.lowest()), high = std::min(a.highest(), t.highest());
    if (low >= high)
        return std::nullopt;
    return (std::exp((t.integral(low, high) - a.integral(low, high)) / (high - low)) - 1) * 100;
}

namespace {

constexpr double left = 44, top = 24, width = 400, height = 230; ///< of a chart's inside, in CSS pixels
constexpr int colours = 6;
constexpr std::size_t most_charts = 50;

struct Curve {
    std::string label;
    std::vector<RatePoint> points; ///< in order of bit rate
};

struct Chart {
    std::string reference, score;
    std::vector<Curve> curves; ///< in the order of their first rows
};

/// Puts rows with bit rates into charts by reference and score, and into curves by label.
std::vector<Chart> sort_into_charts(std::span<const PageRow> rows) {
    std::vector<Chart> charts;
    for (const PageRow &row : rows) {
        if (!row.row.bit_rate || !std::isfinite(row.pooled.mean))
            continue;
        auto chart = std::ranges::find_if(
            charts, [&](const Chart &c) { return c.reference == row.row.reference && c.score == row.score; });
        if (chart == charts.end() && charts.size() == most_charts)
            continue;
        if (chart == charts.end())
            chart = charts.insert(chart, {row.row.reference, row.score, {}});
        auto curve = std::ranges::find(chart->curves, row.row.label, &Curve::label);
        if (curve == chart->curves.end())
            curve = chart->curves.insert(curve, {row.row.label, {}});
        curve->points.push_back({*row.row.bit_rate, row.pooled.mean});
    }
    for (Chart &chart : charts)
        for (Curve &curve : chart.curves)
            std::ranges::stable_sort(curve.points, {}, &RatePoint::bit_rate);
    return charts;
}

/// Bit rates on a logarithmic axis, scores on a linear one.
struct Axes {
    double low = INFINITY, high = 0;
    ScoreAxis scores = {};

    explicit Axes(const Chart &chart) {
        std::vector<double> values;
        for (const Curve &curve : chart.curves)
            for (const RatePoint &point : curve.points) {
                low = std::min(low, point.bit_rate);
                high = std::max(high, point.bit_rate);
                values.push_back(point.score);
            }
        scores = axis_of(values, 6);
    }

    [[nodiscard]] double x(double bit_rate) const {
        return left + width * (std::log(bit_rate) - std::log(low)) / (std::log(high) - std::log(low));
    }
    [[nodiscard]] double y(double score) const { return top + height * (1 - scores.place(score)); }
};

/// 1, 2 and 5 of each decade; the ends where the axis has too few of them.
std::vector<double> rate_labels(const Axes &axes) {
    std::vector<double> rates;
    for (double decade = std::pow(10, std::floor(std::log10(axes.low))); decade <= axes.high; decade *= 10)
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
                       left, axes.y(score), width, left - 6, axes.y(score) + 4, axis_label(axes.scores, score));
    }
    for (const double rate : rate_labels(axes))
        fmt::format_to(std::back_inserter(out),
                       "<path class=grid d=\"M{0:.1f} {1:.1f}v{2:.1f}\"/><text x={0:.1f} y={3:.1f} "
                       "text-anchor=middle>{4:g}</text>\n",
                       axes.x(rate), top, height, top + height + 16, rate);
    return out;
}

std::string curve_svg(const Curve &curve, const Axes &axes, std::size_t number) {
    std::string path, dots;
    for (const RatePoint &point : curve.points) {
        fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', axes.x(point.bit_rate),
                       axes.y(point.score));
        fmt::format_to(std::back_inserter(dots), "<circle r=3 cx={:.1f} cy={:.1f}><title>{:g}: {:.3f}</title></circle>",
                       axes.x(point.bit_rate), axes.y(point.score), point.bit_rate, point.score);
    }
    return fmt::format("<g class=\"curve{}{}\"><path d=\"{}\"/>{}</g>\n", number % colours,
                       number / colours % 2 == 1 ? " dashed" : "", path, dots);
}

/// The labels of the curves, with their BD-rates.
std::string legend_html(const Chart &chart) {
    std::string out;
    for (std::size_t i = 0; i < chart.curves.size(); i++) {
        const Curve &curve = chart.curves[i];
        out += fmt::format("<span><i class=\"curve{}{}\"></i>{}", i % colours, i / colours % 2 == 1 ? " dashed" : "",
                           curve.label.empty() ? "without a label" : html_escape(curve.label));
        if (const auto rate = bd_rate(chart.curves.front().points, curve.points); i > 0 && rate)
            out += fmt::format(", BD-rate {:+.2f} %", *rate);
        out += "</span>";
    }
    return out;
}

} // namespace

std::string rate_curves_html(std::span<const PageRow> rows) {
    std::string out;
    for (const Chart &chart : sort_into_charts(rows)) {
        const Axes axes(chart);
        if (!(axes.low > 0 && axes.low < axes.high))
            continue;
        out +=
            fmt::format("<section class=card><h3>{0}</h3>\n"
                        "<svg class=rates role=img aria-label=\"{1} over bit rate\" viewBox=\"0 0 {2:.0f} {3:.0f}\">\n"
                        "<text x=0 y=12>{1}</text><text x={4:.1f} y={5:.1f} text-anchor=end>bit rate</text>\n{6}",
                        html_escape(chart.reference), html_escape(chart.score), left + width + 16, top + height + 38,
                        left + width, top + height + 34, grid_svg(axes));
        for (std::size_t i = 0; i < chart.curves.size(); i++)
            out += curve_svg(chart.curves[i], axes, i);
        out += fmt::format("</svg><div class=legend>{}</div></section>\n", legend_html(chart));
    }
    return out.empty() ? out : "<div class=rate_charts>\n" + out + "</div>\n";
}

std::string_view rate_curves_style() {
    return R"css(
.rate_charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(27rem, 100%), 1fr)); }
.rate_charts .card { margin: 0; min-width: 0; max-width: 48rem; }
.rates { display: block; width: 100%; margin-top: .75rem; }
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

} // namespace isovmaf::batch
