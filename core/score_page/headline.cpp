// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>

#include <fmt/format.h>

#include "html/page.hpp"
#include "report/number_text.hpp"
#include "report/terminal.hpp"
#include "report/writers.hpp"
#include "score_page/sections.hpp"

namespace isovmaf {

namespace {

std::string count_html(std::string_view name, std::string_view value) {
    return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value);
}

/// The main scores; that of the first column is the headline itself.
std::string other_scores_html(const Report &report, std::span<const ShownColumn> columns) {
    std::string out;
    for (const ShownColumn &column : columns.subspan(1))
        if (column.main)
            out += count_html(html_escape(column.label), score_text(pool_column(report.scores, column.index).mean));
    return out;
}

std::string length_html(const Report &report) {
    const auto frames = static_cast<std::int64_t>(report.scores.frames.size());
    std::string out = count_html(frames == 1 ? "frame" : "frames", count_text(frames));
    if (report.video_rate > 0 && frames > 0) {
        const std::int64_t numbers = report.scores.frames.back().frame - report.scores.frames.front().frame + 1;
        out += count_html("duration", time_code(static_cast<double>(numbers) / report.video_rate));
    }
    return out;
}

std::string notice(std::string_view kind, std::string_view text) {
    return fmt::format("<li><b>{}</b> {}</li>\n", kind, html_escape(text));
}

} // namespace

std::string headline_html(const ScorePage &page, std::span<const ShownColumn> columns) {
    const Report &report = page.report;
    const ShownColumn &column = columns.front();
    const PooledScore pooled = pool_column(report.scores, column.index);
    return fmt::format("<header class=\"verdict headline\"><h1><span>{}</span> {}</h1>\n"
                       "<p><b>{}</b> compared with its reference <b>{}</b></p>\n<p>isovmaf {}, {}</p>\n"
                       "<dl class=counts>{}{}{}{}{}</dl></header>\n",
                       html_escape(column.label), score_text(pooled.mean), html_escape(report.distorted.path),
                       html_escape(report.reference.path), html_escape(report.version), html_escape(report.semantics),
                       count_html("lowest", score_text(pooled.min)),
                       count_html("5th percentile", score_text(pooled.percentile_5)),
                       count_html("harmonic mean", score_text(pooled.harmonic_mean)),
                       other_scores_html(report, columns), length_html(report));
}

std::string notices_html(const ScorePage &page) {
    std::string items;
    if (page.report.incomplete)
        items += notice("Incomplete:", std::string_view(incomplete_mark).substr(sizeof "incomplete:"));
    for (const std::string &warning : page.warnings)
        items += notice("Warning:", warning);
    for (const std::string &note : page.report.notes)
        if (std::ranges::find(page.warnings, note) == page.warnings.end())
            items += notice("Note:", note);
    if (!page.report.sync.hint.empty())
        items += notice("Hint:", page.report.sync.hint);
    return items.empty() ? items : "<ul class=notices>\n" + items + "</ul>\n";
}

} // namespace isovmaf
