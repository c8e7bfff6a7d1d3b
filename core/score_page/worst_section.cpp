// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>

#include <fmt/format.h>

#include "html/heat_map.hpp"
#include "html/page.hpp"
#include "report/number_text.hpp"
#include "report/terminal.hpp"
#include "score_page/page_data.hpp"

namespace isovmaf {

namespace {

/// The script shows pictures in it.
constexpr std::string_view viewer = "<dialog id=viewer><img id=viewer-picture src=\"data:,\" alt=\"\">"
                                    "<p id=viewer-text></p></dialog>\n";

std::string picture_html(const WorstFrame &frame, const std::string &jpeg, const std::string &name) {
    return fmt::format("<figure><img src=\"data:image/jpeg;base64,{}\" width={} height={} alt=\"{} of frame {}\">"
                       "<figcaption>{}</figcaption></figure>\n",
                       base64(jpeg), frame.width, frame.height, name, count_text(frame.frame), name);
}

/// What the grays of maps mean: shrink_maps makes the middle of the ramp of a quarter.
std::string map_legend(const std::string &feature) {
    return fmt::format(
        "<p class=lead>Maps of {} show where it finds what it scores, at any of its scales:"
        "<span class=ramp><span>0</span><span>¼ of the largest value</span><span>largest</span></span></p>\n",
        html_escape(feature));
}

std::string pictures_html(const WorstFrame &frame, const std::string &map_feature) {
    if (frame.reference.empty())
        return "";
    const bool has_map = !frame.map.empty();
    return (has_map ? "<div class=\"pictures four\">" : "<div class=pictures>") +
           picture_html(frame, frame.reference, "reference") + picture_html(frame, frame.distorted, "distorted") +
           picture_html(frame, frame.difference, fmt::format("luma difference × {}", frame.difference_factor)) +
           (has_map ? picture_html(frame, frame.map, "map of " + html_escape(map_feature)) : "") + "</div>\n";
}

/// The other scores of the frame.
std::string scores_text(std::int64_t number, const Report &report, std::span<const ShownColumn> columns) {
    const auto &frames = report.scores.frames;
    const auto frame = std::ranges::lower_bound(frames, number, {}, &FrameScores::frame);
    if (frame == frames.end())
        return "";
    std::string out;
    for (const ShownColumn &column : columns.subspan(1))
        out += fmt::format("{}{} {}", out.empty() ? "" : " · ", html_escape(column.label),
                           score_text(column.scores[static_cast<std::size_t>(frame - frames.begin())]));
    return out.empty() ? out : fmt::format("<p class=hint>{}</p>", out);
}

std::string frame_html(const WorstFrame &frame, const ScorePage &page, std::span<const ShownColumn> columns) {
    const std::optional<double> time = page.report.frame_time(frame.frame);
    return fmt::format("<article class=\"card worst\"><h3><a href=\"#chart\" data-frame={}>frame {}</a>{}"
                       "<b>{} {}</b></h3>\n{}{}</article>\n",
                       frame.frame, count_text(frame.frame),
                       time ? fmt::format("<span>{}</span>", time_code(*time)) : "", html_escape(columns.front().label),
                       score_text(frame.score), pictures_html(frame, page.map_feature),
                       scores_text(frame.frame, page.report, columns));
}

std::string heading(const ScorePage &page, const ShownColumn &column) {
    std::string text = "The lowest values of " + column.label + ".";
    if (page.distance > 1)
        text += fmt::format(" Of frames less than {} frames apart only the worst is listed.", page.distance);
    const WorstFrame &first = page.worst.front();
    const VideoFormat &format = page.report.reference.format;
    if (first.width > 0 && first.width < format.width)
        text += fmt::format(" Pictures are reduced to {}x{}.", first.width, first.height);
    if (page.pictures_left_out)
        text += " The worst ones alone have pictures, so that the page of several videos stays small.";
    else if (std::ranges::any_of(page.worst, [](const WorstFrame &frame) { return frame.reference.empty(); }))
        text += " Where pictures are missing, they could not be made.";
    const bool maps = std::ranges::any_of(page.worst, [](const WorstFrame &frame) { return !frame.map.empty(); });
    return fmt::format("<h2>Worst frames</h2>\n<p class=lead>{}</p>\n{}", html_escape(text),
                       maps ? map_legend(page.map_feature) : "");
}

} // namespace

std::string worst_frames_html(const ScorePage &page, std::span<const ShownColumn> columns) {
    if (page.worst.empty())
        return "";
    std::string out = heading(page, columns.front());
    for (const WorstFrame &frame : page.worst)
        out += frame_html(frame, page, columns);
    return out + std::string(viewer);
}

} // namespace isovmaf
