// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "html/page.hpp"
#include "score_page/charts.hpp"
#include "score_page/sections.hpp"

namespace isovmaf {

namespace {

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
