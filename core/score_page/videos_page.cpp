// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/videos_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "html/page.hpp"
#include "report/number_text.hpp"
#include "score_page/page_data.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view style = "details > summary { cursor: pointer; font-weight: 600; }\n"
                                   "iframe { width: 100%; height: 85vh; margin-top: .75rem; border: 0; }\n";

/// A whole page as the value of an attribute. Its line feeds stay, since scripts need them.
std::string attribute_of(const std::string &page) {
    return replace_all(replace_all(page, "&", "&amp;"), "\"", "&quot;");
}

std::string cell(const std::string &text) { return "<td class=count>" + text + "</td>"; }

std::string row_html(const ScorePage &video, const ShownColumn &column) {
    const PooledScore pooled = pool_column(video.report.scores, column.index);
    return fmt::format("<tr><th>{}</th><td>{}</td>{}{}{}{}{}</tr>\n", html_escape(video.report.distorted.path),
                       html_escape(column.label), cell(score_text(pooled.mean)), cell(score_text(pooled.min)),
                       cell(score_text(pooled.percentile_5)), cell(score_text(pooled.harmonic_mean)),
                       cell(count_text(static_cast<std::int64_t>(video.report.scores.frames.size()))));
}

std::string table_html(std::span<const ScorePage> videos) {
    std::string rows;
    for (const ScorePage &video : videos)
        for (const ShownColumn &column : shown_columns(video.report.scores, video.first_model))
            if (column.main)
                rows += row_html(video, column);
    return "<div class=\"card scroll\"><table><thead><tr><th>video</th><th>score</th><th class=count>mean</th>"
           "<th class=count>lowest</th><th class=count>5th percentile</th><th class=count>harmonic mean</th>"
           "<th class=count>frames</th></tr></thead><tbody>\n" +
           rows + "</tbody></table></div>\n";
}

std::string details_html(const ScorePage &video) {
    const std::string name = html_escape(video.report.distorted.path);
    return fmt::format(
        "<details class=card><summary>{}</summary>\n<iframe title=\"{}\" srcdoc=\"{}\"></iframe></details>\n", name,
        name, attribute_of(score_page_html(video)));
}

} // namespace

std::string videos_page_html(std::span<const ScorePage> videos, const std::string &command) {
    const Report &first = videos.front().report;
    std::string body = fmt::format("<header class=verdict><h1>{} distorted videos</h1>\n"
                                   "<p>compared with their reference <b>{}</b></p>\n<p>isovmaf {}, {}</p></header>\n",
                                   videos.size(), html_escape(first.reference.path), html_escape(first.version),
                                   html_escape(first.semantics));
    body += "<h2>Scores</h2>\n" + table_html(videos) + "<h2>Videos</h2>\n";
    for (const ScorePage &video : videos)
        body += details_html(video);
    if (!command.empty())
        body += fmt::format("<footer>Made by<pre>{}</pre></footer>\n", html_escape(command));
    return html_page(fmt::format("isovmaf score: {} videos, {}", videos.size(), first.reference.path), body, style);
}

} // namespace isovmaf
