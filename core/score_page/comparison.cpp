// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frame/validate.hpp"
#include "html/page.hpp"
#include "report/escape.hpp"
#include "report/number_text.hpp"
#include "score_page/page_data.hpp"

namespace isovmaf {

namespace {

constexpr std::size_t most_listed_frames = 24;

/// A row of the table of both videos.
struct VideoRow {
    std::string name, reference, distorted;
    bool may_differ = false; ///< a difference is no reason to look twice
};

std::string joined(const std::vector<std::string> &texts) { return fmt::format("{}", fmt::join(texts, "; ")); }

/// The fields that either file has. A field that only one of them specifies is "not specified" in the other.
std::vector<VideoRow> colour_rows(const ReportInput &reference, const ReportInput &distorted) {
    std::vector<VideoRow> rows;
    for (const auto &[name, value] : reference.colour)
        rows.push_back({name, value, ""});
    for (const auto &[name, value] : distorted.colour) {
        auto row = std::ranges::find(rows, name, &VideoRow::name);
        if (row == rows.end())
            row = rows.insert(row, {name, "", ""});
        row->distorted = value;
    }
    for (VideoRow &row : rows) {
        std::ranges::replace(row.name, '_', ' ');
        for (std::string *text : {&row.reference, &row.distorted})
            if (text->empty())
                *text = "not specified";
    }
    return rows;
}

std::vector<VideoRow> video_rows(const ReportInput &reference, const ReportInput &distorted) {
    std::vector<VideoRow> rows{
        {"file", reference.path, distorted.path, true},
        {"container", reference.container, distorted.container, true},
        {"codec", reference.codec, distorted.codec, true},
        {"decoded by", reference.decoder, distorted.decoder, true},
        {"film grain", reference.film_grain, distorted.film_grain, true},
        {"stream", reference.stream, distorted.stream, true},
        {"stored as", reference.pixel_format, distorted.pixel_format, true},
        {"format", format_text(reference.format), format_text(distorted.format)},
    };
    std::ranges::move(colour_rows(reference, distorted), std::back_inserter(rows));
    rows.push_back({"conversions", joined(reference.conversions), joined(distorted.conversions), true});
    rows.push_back({"the same by ffmpeg", reference.ffmpeg_command, distorted.ffmpeg_command, true});
    return rows;
}

std::string video_table(const Report &report) {
    std::string out = "<div class=\"card scroll\"><table class=videos><thead><tr><th></th><th>reference</th>"
                      "<th>distorted</th></tr></thead><tbody>\n";
    for (const VideoRow &row : video_rows(report.reference, report.distorted)) {
        if (row.reference.empty() && row.distorted.empty())
            continue;
        const bool marked = !row.may_differ && row.reference != row.distorted;
        out += fmt::format("<tr{}><th>{}</th><td>{}</td><td>{}</td></tr>\n", marked ? " class=other" : "",
                           html_escape(row.name), html_escape(row.reference), html_escape(row.distorted));
    }
    return out + "</tbody></table></div>\n";
}

std::string frame_list(const std::vector<std::int64_t> &frames) {
    if (frames.empty())
        return "none";
    const auto shown = std::span(frames).first(std::min(most_listed_frames, frames.size()));
    return fmt::format("{}: {}{}", count_text(static_cast<std::int64_t>(frames.size())), fmt::join(shown, ", "),
                       shown.size() < frames.size() ? ", …" : "");
}

std::string pairing_html(const Report &report) {
    const ReportSync &sync = report.sync;
    std::vector<HtmlFact> facts{
        {"by", sync.mode == "index" ? "number of the frame" : "presentation time (" + sync.mode + ")"},
        {"offset", counted(sync.offset, "frame")}};
    if (sync.tolerance_seconds > 0) {
        facts.push_back({"tolerance", fmt::format("{:.6g} s", sync.tolerance_seconds)});
        facts.push_back({"reference frames without partner", frame_list(sync.dropped)});
        facts.push_back({"distorted frames without partner", frame_list(sync.repeated)});
    }
    facts.push_back({"scaled", report.resize.empty() ? "no" : report.resize});
    facts.push_back({"frames per second",
                     report.video_rate > 0 ? fmt::format("{:.6g}", report.video_rate) : "not constant, or unknown"});
    return "<article class=card><h3>Pairs of frames</h3>" + fact_list_html(facts) + "</article>\n";
}

std::string card(std::string_view title, const std::vector<std::pair<std::string, std::string>> &pairs) {
    std::vector<HtmlFact> facts;
    for (const auto &[name, value] : pairs)
        facts.push_back({name, value});
    const std::string list = fact_list_html(facts);
    return list.empty() ? "" : fmt::format("<article class=card><h3>{}</h3>{}</article>\n", title, list);
}

} // namespace

std::string comparison_html(const Report &report) {
    return "<h2>What was compared</h2>\n" + video_table(report) + "<div class=cards>\n" + pairing_html(report) +
           card("Models", report.models) + card("Options", report.options) + "</div>\n";
}

} // namespace isovmaf
