// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/videos_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "html/page.hpp"
#include "report/number_text.hpp"
#include "score_page/page_data.hpp"
#include "score_page/videos_charts.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view style = "details > summary { cursor: pointer; font-weight: 600; }\n"
                                   "iframe { width: 100%; height: 85vh; margin-top: .75rem; border: 0; }\n"
                                   ".videos th, .videos td { padding-inline: .4375rem; }\n";

/// A whole page as the value of an attribute. Its line feeds stay, since scripts need them.
std::string attribute_of(const std::string &page) {
    return replace_all(replace_all(page, "&", "&amp;"), "\"", "&quot;");
}

// A page of four videos of some thousand frames has less than 2 MB. All videos share these.
constexpr std::size_t most_numbers_of_all = 150'000, most_picture_bytes_of_all = 500'000;

std::string cell(const std::string &text) { return "<td class=count>" + text + "</td>"; }

/// What is known about the file.
std::string file_cells(const ReportInput &video) {
    return fmt::format("<td>{}</td><td>{}x{}</td>{}{}", html_escape(video.codec), video.format.width,
                       video.format.height, cell(video.bit_rate ? count_text((*video.bit_rate + 500) / 1000) : ""),
                       cell(video.bytes ? fmt::format("{:.2f}", static_cast<double>(*video.bytes) / 1e6) : ""));
}

std::string row_html(const ScorePage &video, const ShownColumn &column) {
    const PooledScore pooled = pool_column(video.report.scores, column.index);
    return fmt::format("<tr><th>{}</th><td>{}</td>{}{}{}{}{}{}</tr>\n", html_escape(video.report.distorted.path),
                       html_escape(column.label), cell(score_text(pooled.mean)), cell(score_text(pooled.min)),
                       cell(score_text(pooled.percentile_5)), cell(score_text(pooled.harmonic_mean)),
                       cell(count_text(static_cast<std::int64_t>(video.report.scores.frames.size()))),
                       file_cells(video.report.distorted));
}

std::string table_html(std::span<const ScorePage> videos) {
    std::string rows;
    for (const ScorePage &video : videos)
        for (const ShownColumn &column : shown_columns(video.report.scores, video.first_model))
            if (column.main)
                rows += row_html(video, column);
    return "<div class=\"card scroll videos\"><table><thead><tr><th>video</th><th>score</th><th class=count>mean</th>"
           "<th class=count>lowest</th><th class=count>5th percentile</th><th class=count>harmonic mean</th>"
           "<th class=count>frames</th><th>codec</th><th>pixels</th><th class=count>kbit/s</th>"
           "<th class=count>MB</th></tr></thead><tbody>\n" +
           rows + "</tbody></table></div>\n";
}

/// The page of one of so many videos, with as many numbers and pictures as it may have. The worst frames come first.
ScorePage reduced(const ScorePage &video, std::size_t videos) {
    ScorePage page = video;
    page.most_numbers = most_numbers_of_all / videos;
    std::size_t bytes = 0;
    for (WorstFrame &frame : page.worst) {
        bytes += frame.reference.size() + frame.distorted.size() + frame.difference.size() + frame.map.size();
        if (bytes <= most_picture_bytes_of_all / videos)
            continue;
        page.pictures_left_out = true;
        frame.reference = frame.distorted = frame.difference = frame.map = {};
    }
    return page;
}

std::string details_html(const ScorePage &video, std::size_t videos) {
    const std::string name = html_escape(video.report.distorted.path);
    return fmt::format(
        "<details class=card><summary>{}</summary>\n<iframe title=\"{}\" srcdoc=\"{}\"></iframe></details>\n", name,
        name, attribute_of(score_page_html(reduced(video, videos))));
}

} // namespace

std::string videos_page_html(std::span<const ScorePage> videos, const std::string &command) {
    const Report &first = videos.front().report;
    std::string body = fmt::format("<header class=verdict><h1>{} distorted videos</h1>\n"
                                   "<p>compared with their reference <b>{}</b></p>\n<p>isovmaf {}, {}{}</p></header>\n",
                                   videos.size(), html_escape(first.reference.path), html_escape(first.version),
                                   html_escape(first.semantics),
                                   models_html(first, shown_columns(first.scores, videos.front().first_model)));
    body += "<h2>Scores</h2>\n" + table_html(videos) + videos_chart_html(videos) + videos_rates_html(videos) +
            "<h2>Videos</h2>\n";
    for (const ScorePage &video : videos)
        body += details_html(video, videos.size());
    if (!command.empty())
        body += fmt::format("<footer>Made by<pre>{}</pre></footer>\n", html_escape(command));
    return html_page(fmt::format("isovmaf score: {} videos, {}", videos.size(), first.reference.path), body,
                     fmt::format("{}{}", style, videos_charts_style()));
}

} // namespace isovmaf
