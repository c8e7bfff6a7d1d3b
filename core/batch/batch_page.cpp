// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/batch_page.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "batch/rate_curves.hpp"
#include "html/page.hpp"
#include "isovmaf/isovmaf.hpp"
#include "report/number_text.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::size_t most_listed = 2000; ///< rows of a table: the page stays usable

std::string counted_rows(std::size_t count, std::string_view noun) {
    return counted(static_cast<std::int64_t>(count), noun);
}

/// What a table says about a row: its label, or its distorted file.
std::string title_of(const Row &row) {
    return row.label.empty() ? fmt::format("<b>{}</b>", html_escape(row.distorted))
                             : fmt::format("<b>{}</b><br>{}", html_escape(row.label), html_escape(row.distorted));
}

std::string headline_html(std::size_t rows, std::size_t failures) {
    const std::string failed =
        failures == 0 ? "" : fmt::format(", {} failed", count_text(static_cast<std::int64_t>(failures)));
    return fmt::format("<header class=\"verdict {}\"><h1>{} scored{}</h1><p>isovmaf {}</p></header>\n",
                       failures == 0 ? "equal" : "differ", counted_rows(rows, "pair"), failed, version());
}

std::string more_html(std::size_t count, std::string_view file) {
    return count <= most_listed ? ""
                                : fmt::format("<p>The first {} of {}; all are in {}.</p>\n", count_text(most_listed),
                                              count_text(static_cast<std::int64_t>(count)), file);
}

std::string score_row_html(const PageRow &row) {
    return fmt::format("<tr><td>{}</td><td>{}</td><td class=count>{}</td><td class=count>{}</td><td>{}</td>"
                       "<td class=count>{:.3f}</td><td class=count>{:.3f}</td><td class=count>{:.3f}</td>"
                       "<td>{}</td></tr>\n",
                       title_of(row.row), html_escape(row.row.reference),
                       row.row.bit_rate ? fmt::format("{:g}", *row.row.bit_rate) : "", count_text(row.frames),
                       html_escape(row.score), row.pooled.mean, row.pooled.percentile_5, row.pooled.min,
                       fmt::join(row.worst, ", "));
}

std::string scores_html(std::span<const PageRow> rows) {
    if (rows.empty())
        return {};
    std::string out = "<h2>Scores</h2>\n<div class=\"card scroll\"><table><thead><tr><th>pair</th><th>reference</th>"
                      "<th class=count>bit rate</th><th class=count>frames</th><th>score</th><th class=count>mean</th>"
                      "<th class=count>5th percentile</th><th class=count>lowest</th><th>worst frames</th></tr></thead>"
                      "<tbody>\n";
    for (const PageRow &row : rows.first(std::min(rows.size(), most_listed)))
        out += score_row_html(row);
    return out + "</tbody></table></div>\n" + more_html(rows.size(), "results.csv");
}

std::string failures_html(std::span<const PageFailure> failures) {
    if (failures.empty())
        return {};
    std::string out = "<h2>Failures</h2>\n<div class=\"card scroll\"><table><thead><tr><th>pair</th><th>reference</th>"
                      "<th>line</th><th>kind</th><th>reason</th></tr></thead><tbody>\n";
    for (const PageFailure &failure : failures.first(std::min(failures.size(), most_listed)))
        out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", title_of(failure.row),
                           html_escape(failure.row.reference), failure.row.line, failure_kind_name(failure.kind),
                           html_escape(failure.message));
    return out + "</tbody></table></div>\n" + more_html(failures.size(), "failures.csv");
}

} // namespace

std::string_view failure_kind_name(FailureKind kind) {
    switch (kind) {
    case FailureKind::invalid:
        return "invalid";
    case FailureKind::permanent:
        return "permanent";
    case FailureKind::transient:
        return "transient";
    }
    return {};
}

std::string batch_page_html(std::span<const PageRow> rows, std::span<const PageFailure> failures) {
    const std::string curves = rate_curves_html(rows);
    return html_page("Batch",
                     headline_html(rows.size(), failures.size()) + failures_html(failures) +
                         (curves.empty() ? "" : "<h2>Quality over bit rate</h2>\n" + curves) + scores_html(rows),
                     rate_curves_style());
}

} // namespace isovmaf::batch
