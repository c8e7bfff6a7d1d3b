// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <fmt/format.h>

#include "html/page.hpp"
#include "report/number_text.hpp"
#include "score_page/charts.hpp"
#include "score_page/page_data.hpp"
#include "score_page/sections.hpp"

namespace isovmaf {

namespace {

/// The script shows what stands here hidden, and replaces the fixed charts.
constexpr std::string_view controls =
    "<div id=controls hidden><div id=choice role=group aria-label=\"Scores to show\"></div>\n"
    "<p id=readout aria-live=polite></p><button id=reset type=button hidden>Whole video</button></div>\n";

std::string thinning_text(std::size_t frames, std::size_t columns) {
    const std::size_t group = frames_per_place(frames, columns);
    return group == 1
               ? ""
               : fmt::format("<p class=hint>The chart knows the lowest and the highest score of every {} frames. "
                             "Tables and distributions are made of all frames.</p>\n",
                             group);
}

} // namespace

std::string chart_html(const Report &report, std::span<const ShownColumn> columns) {
    const std::vector<FrameScores> &frames = report.scores.frames;
    const std::int64_t first = frames.empty() ? 0 : frames.front().frame,
                       last = frames.empty() ? 0 : frames.back().frame;
    std::string out = "<h2 id=chart>Scores over time</h2>\n<div class=card>";
    out += controls;
    out += "<div id=panels>\n";
    for (const ShownColumn &column : columns)
        if (column.main)
            out += fmt::format("<figure class=panel><figcaption>{}</figcaption>{}</figure>\n",
                               html_escape(column.label), line_chart_svg(column, first, last));
    return out + "</div>\n" + thinning_text(frames.size(), columns.size()) + "</div>\n";
}

} // namespace isovmaf
