// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/rate_curves.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "batch/results/bd_rate.hpp"
#include "html/charts.hpp"
#include "html/page.hpp"
#include "report/number_text.hpp"

namespace isovmaf::batch {

namespace {

constexpr double left = 44, top = 24, width = 400, height = 230; ///< of a chart's inside, in CSS pixels
constexpr int colours = 6;
constexpr std::size_t most_charts = 50;

/// Bit rates on a logarithmic axis, scores on a linear one.
struct Axes {
    double low = std::numeric_limits<double>::infinity(), high = 0;
    ScoreAxis scores = {};

    explicit Axes(const RateChart &chart) {
        std::vector<double> values;
        for (const RateCurve &curve : chart.curves)
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
        return left + width * log_of_ratio(bit_rate, low) / log_of_ratio(high, low);
    }
    [[nodiscard]] double y(double score) const { return top + height * (1 - scores.place(score)); }
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
                       left, axes.y(score), width, left - 6, axes.y(score) + 4, axis_label(axes.scores, score));
    }
    for (const double rate : rate_labels(axes))
        fmt::format_to(std::back_inserter(out),
                       "<path class=grid d=\"M{0:.1f} {1:.1f}v{2:.1f}\"/><text x={0:.1f} y={3:.1f} "
                       "text-anchor=middle>{4:g}</text>\n",
                       axes.x(rate), top, height, top + height + 16, rate);
    return out;
}

std::string curve_svg(const RateCurve &curve, const Axes &axes, std::size_t number) {
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

/// The labels of the curves, with their BD-rates, or why they have none.
std::string legend_html(const RateChart &chart) {
    std::string out;
    for (std::size_t i = 0; i < chart.curves.size(); i++) {
        const RateCurve &curve = chart.curves[i];
        out += fmt::format("<span><i class=\"curve{}{}\"></i>{}", i % colours, i / colours % 2 == 1 ? " dashed" : "",
                           curve.label.empty() ? "without a label" : html_escape(curve.label));
        if (i == 0 && chart.curves.size() > 1)
            out += " (anchor)";
        if (i > 0) {
            const auto rate = bd_rate(chart.curves.front().points, curve.points);
            out += rate ? fmt::format(", BD-rate {:+.2f} %", *rate) : fmt::format(", no BD-rate: {}", rate.error());
        }
        out += "</span>";
    }
    return out;
}

std::string chart_html(const RateChart &chart, const Axes &axes) {
    std::string out =
        fmt::format("<section class=card><h3>{0}</h3>\n"
                    "<svg class=rates role=img aria-label=\"{1} over bit rate\" viewBox=\"0 0 {2:.0f} {3:.0f}\">\n"
                    "<text x=0 y=12>{1}</text><text x={4:.1f} y={5:.1f} text-anchor=end>bit rate</text>\n{6}",
                    html_escape(chart.reference), html_escape(chart.score), left + width + 16, top + height + 38,
                    left + width, top + height + 34, grid_svg(axes));
    for (std::size_t i = 0; i < chart.curves.size(); i++)
        out += curve_svg(chart.curves[i], axes, i);
    return out + fmt::format("</svg><div class=legend>{}</div></section>\n", legend_html(chart));
}

/// What the charts do not show.
std::string note_html(std::size_t charts, std::size_t with_one_rate) {
    const auto number = [](std::size_t count) { return count_text(static_cast<std::int64_t>(count)); };
    std::string out;
    if (charts > most_charts)
        out += fmt::format("The first {} of {} charts. ", most_charts, number(charts));
    if (with_one_rate > 0)
        out += fmt::format("{} without a chart, because {} rows have a single bit rate. ",
                           counted(static_cast<std::int64_t>(with_one_rate), "reference"),
                           with_one_rate == 1 ? "its" : "their");
    return fmt::format("<p class=note>{}BD-rates compare with the first curve of a chart, the anchor; those of all "
                       "references are in <a href=bd_rates.csv>bd_rates.csv</a>.</p>\n",
                       out);
}

} // namespace

std::string rate_curves_html(std::span<const PageRow> rows) {
    std::string out;
    std::size_t charts = 0, with_one_rate = 0;
    for (const RateChart &chart : rate_charts(rows)) {
        const Axes axes(chart);
        (axes.has_width() ? charts : with_one_rate)++;
        if (axes.has_width() && charts <= most_charts)
            out += chart_html(chart, axes);
    }
    return out.empty() ? out
                       : fmt::format("<div class=rate_charts>\n{}</div>\n{}", out, note_html(charts, with_one_rate));
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
