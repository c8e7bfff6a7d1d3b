// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/rate_curves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "batch/bd_rate.hpp"
#include "html/page.hpp"
#include "report/number_text.hpp"
#include "score_page/score_axis.hpp"

namespace isovmaf::batch {

namespace {

constexpr double left = 56, top = 8, width = 600, height = 240; ///< of a chart's inside, in CSS pixels
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
    for (double decade = std::pow(10, std::floor(std::log10(axes.low))); decade <= axes.high; decade *= 10)
        for (const double factor : {1.0, 2.0, 5.0})
            if (const double rate = decade * factor; rate >= axes.low && rate <= axes.high)
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
    return fmt::format("<g class=curve{}><path d=\"{}\"/>{}</g>\n", number % colours, path, dots);
}

/// The labels of the curves, with their BD-rates.
std::string legend_html(const Chart &chart) {
    std::string out;
    for (std::size_t i = 0; i < chart.curves.size(); i++) {
        const Curve &curve = chart.curves[i];
        out += fmt::format("<span><i class=curve{}></i>{}", i % colours,
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
            fmt::format("<section class=card><h3>{}</h3><p>{} over bit rate</p>\n"
                        "<svg class=rates role=img aria-label=\"{} over bit rate\" viewBox=\"0 0 {:.0f} {:.0f}\">\n{}",
                        html_escape(chart.reference), html_escape(chart.score), html_escape(chart.score),
                        left + width + 24, top + height + 24, grid_svg(axes));
        for (std::size_t i = 0; i < chart.curves.size(); i++)
            out += curve_svg(chart.curves[i], axes, i);
        out += fmt::format("</svg><div class=legend>{}</div></section>\n", legend_html(chart));
    }
    return out;
}

std::string_view rate_curves_style() {
    return R"css(
.rates { display: block; width: 100%; max-width: 44rem; margin-top: .75rem; }
.rates .grid { stroke: var(--line); }
.rates g path { fill: none; stroke-width: 1.5; stroke: currentColor; }
.rates circle { fill: currentColor; }
.legend i { background: currentColor; }
.curve0 { color: #2f6fb0; } .curve1 { color: #c2621b; } .curve2 { color: #3b8c57; }
.curve3 { color: #a23b72; } .curve4 { color: #7a6a00; } .curve5 { color: #6a57b8; }
)css";
}

} // namespace isovmaf::batch
