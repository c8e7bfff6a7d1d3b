// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "html/charts.hpp"
#include "html/page.hpp"
#include "report/number_text.hpp"
#include "score_page/page_data.hpp"

namespace isovmaf {

namespace {

constexpr int most_labels = 8;
constexpr std::size_t most_bars = 40;
constexpr double bars_width = 440, bars_height = 110, bars_left = 16; ///< in CSS pixels

struct Bars {
    ScoreAxis axis;
    std::vector<std::int64_t> counts;

    [[nodiscard]] double score_at(std::size_t bar) const {
        return axis.low + (axis.high - axis.low) * static_cast<double>(bar) / static_cast<double>(counts.size());
    }
};

/// Each step of the axis has the same number of bars.
Bars count_scores(const ShownColumn &column) {
    Bars bars{axis_of(column.scores, most_labels), {}};
    const auto steps = static_cast<std::size_t>(std::round((bars.axis.high - bars.axis.low) / bars.axis.step));
    bars.counts.resize(steps * std::max<std::size_t>(1, most_bars / steps));
    for (const double score : column.scores)
        if (std::isfinite(score)) {
            const double place = std::clamp(bars.axis.place(score), 0.0, 1.0);
            const auto bar = static_cast<std::size_t>(place * static_cast<double>(bars.counts.size()));
            bars.counts[std::min(bar, bars.counts.size() - 1)]++;
        }
    return bars;
}

std::string bar_text(const Bars &bars, std::size_t bar) {
    return fmt::format("{:.6g} to {:.6g}: {}", bars.score_at(bar), bars.score_at(bar + 1),
                       counted(bars.counts[bar], "frame"));
}

/// How often scores of a column lie in each of up to 40 equal ranges. Scores that are not finite are left out.
std::string score_histogram_svg(const ShownColumn &column) {
    const Bars bars = count_scores(column);
    const auto most = static_cast<double>(std::max<std::int64_t>(1, *std::ranges::max_element(bars.counts)));
    const double pitch = bars_width / static_cast<double>(bars.counts.size()), bottom = bars_height + 16;
    std::string out =
        fmt::format("<svg class=histogram role=img aria-label=\"Frames by {}\" "
                    "viewBox=\"0 0 {:.0f} {:.0f}\">\n<path class=grid d=\"M{:.0f} {:.0f}h{:.0f}\"/>\n",
                    html_escape(column.label), bars_left + bars_width + 16, bottom + 20, bars_left, bottom, bars_width);
    for (std::size_t i = 0; i < bars.counts.size(); i++) {
        const double height = bars_height * static_cast<double>(bars.counts[i]) / most;
        if (bars.counts[i] > 0)
            fmt::format_to(std::back_inserter(out),
                           "<rect class=bar x={:.1f} y={:.1f} width={:.1f} height={:.1f}><title>{}</title></rect>\n",
                           bars_left + pitch * static_cast<double>(i) + 0.5, bottom - std::max(height, 1.0), pitch - 1,
                           std::max(height, 1.0), bar_text(bars, i));
    }
    const int steps = static_cast<int>(std::round((bars.axis.high - bars.axis.low) / bars.axis.step));
    for (int i = 0; i <= steps; i++)
        fmt::format_to(std::back_inserter(out), "<text class=mid x={:.1f} y={:.1f}>{}</text>",
                       bars_left + bars_width * i / steps, bottom + 16,
                       axis_label(bars.axis, bars.axis.low + i * bars.axis.step));
    return out + "</svg>\n";
}

/// The columns of the table between the lowest and the highest score.
constexpr std::array shown_percentiles{1, 5, 25, 50, 75, 95, 99};

std::string number_cell(double score) { return fmt::format("<td class=count>{}</td>", score_text(score)); }

std::string table_row(const Report &report, const ShownColumn &column) {
    const PooledScore pooled = pool_column(report.scores, column.index);
    std::vector<double> sorted = column.scores;
    const bool numbers = !sorted.empty() && !std::isnan(pooled.mean);
    if (numbers)
        std::ranges::sort(sorted);
    std::string out =
        fmt::format("<tr><th title=\"{}\">{}</th>{}{}{}", html_escape(column.name), html_escape(column.label),
                    number_cell(pooled.mean), number_cell(pooled.harmonic_mean), number_cell(pooled.min));
    for (const int percent : shown_percentiles)
        out += number_cell(numbers ? score_percentile(sorted, percent) : std::numeric_limits<double>::quiet_NaN());
    return out + number_cell(pooled.max) + "</tr>\n";
}

std::string percentile_table(const Report &report, std::span<const ShownColumn> columns) {
    std::string out =
        "<div class=\"card scroll\"><table class=scores><thead><tr><th>score</th><th class=count>mean</th>"
        "<th class=count>harmonic</th><th class=count>min</th>";
    for (const int percent : shown_percentiles)
        out += fmt::format("<th class=count>{} %</th>", percent);
    out += "<th class=count>max</th></tr></thead><tbody>\n";
    for (const ShownColumn &column : columns)
        out += table_row(report, column);
    for (const auto &[name, value] : report.scores.aggregates)
        out += fmt::format("<tr><th>{}</th>{}<td colspan={}>of the whole video</td></tr>\n", html_escape(name),
                           number_cell(value), shown_percentiles.size() + 3);
    return out + "</tbody></table></div>\n";
}

} // namespace

std::string distribution_html(const Report &report, std::span<const ShownColumn> columns) {
    std::string out = "<h2>Distribution</h2>\n<div class=histograms>\n";
    for (const ShownColumn &column : columns)
        out += fmt::format("<article class=card data-column={}{}><h3>{}</h3>\n{}</article>\n", column.index,
                           column.main ? "" : " hidden", html_escape(column.label), score_histogram_svg(column));
    return out + "</div>\n" + percentile_table(report, columns);
}

} // namespace isovmaf
