// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/score_page.hpp"

#include <fmt/format.h>

#include "html/page.hpp"
#include "score_page/embedded.hpp"
#include "score_page/page_data.hpp"
#include "score_page/sections.hpp"

namespace isovmaf {

std::string score_page_html(const ScorePage &page) {
    const Report &report = page.report;
    const std::vector<ShownColumn> columns = shown_columns(report.scores, page.first_model);
    std::string body = headline_html(page, columns);
    body += notices_html(page);
    body += chart_html(report, columns);
    body += worst_frames_html(page, columns);
    body += distribution_html(report, columns);
    body += comparison_html(report);
    body += execution_html(report);
    if (!page.command.empty())
        body += fmt::format("<footer>Made by<pre>{}</pre></footer>\n", html_escape(page.command));
    body += fmt::format("<script type=\"application/json\" id=scores>{}</script>\n<script>\n{}</script>\n",
                        page_data_json(report, columns), score_page_script);
    const std::string title =
        fmt::format("isovmaf score: {} {}, {}", columns.front().label,
                    score_text(pool_column(report.scores, columns.front().index).mean), report.distorted.path);
    return html_page(title, body, score_page_style);
}

} // namespace isovmaf
