// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/rate_curves.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "batch/results/bd_rate.hpp"
#include "html/page.hpp"
#include "html/rate_chart.hpp"
#include "report/number_text.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::size_t most_charts = 50;

/// The labels of the curves, with their BD-rates, or why they have none.
std::string legend_html(const RateChart &chart) {
    std::string out;
    for (std::size_t i = 0; i < chart.curves.size(); i++) {
        const RateCurve &curve = chart.curves[i];
        out += fmt::format("<span><i class=\"{}\"></i>{}", curve_class(i),
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

std::string chart_html(const RateChart &chart, const std::string &svg) {
    return fmt::format("<section class=card><h3>{}</h3>\n{}<div class=legend>{}</div></section>\n",
                       html_escape(chart.reference), svg, legend_html(chart));
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
        const std::string svg = rate_chart_svg(chart.score, "bit rate", chart.curves);
        (svg.empty() ? with_one_rate : charts)++;
        if (!svg.empty() && charts <= most_charts)
            out += chart_html(chart, svg);
    }
    return out.empty() ? out
                       : fmt::format("<div class=rate_charts>\n{}</div>\n{}", out, note_html(charts, with_one_rate));
}

std::string rate_curves_style() {
    return fmt::format("{}{}", R"css(
.rate_charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(27rem, 100%), 1fr)); }
.rate_charts .card { margin: 0; min-width: 0; max-width: 48rem; }
)css",
                       rate_chart_style());
}

} // namespace isovmaf::batch
