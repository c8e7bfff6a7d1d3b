// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "html/page.hpp"
#include "report/number_text.hpp"
#include "score_page/page_data.hpp"

namespace isovmaf {

namespace {

constexpr double chart_left = 56, chart_top = 8, chart_width = 936, chart_height = 180; ///< in CSS pixels
constexpr std::size_t most_places = 936;

double height_of(const ScoreAxis &axis, double score) {
    return chart_top + chart_height * (1 - std::clamp(axis.place(score), 0.0, 1.0));
}

/// The lowest and the highest finite score of some frames.
struct Reach {
    double low = INFINITY, high = -INFINITY;

    void add(double score) {
        if (!std::isfinite(score))
            return;
        low = std::min(low, score);
        high = std::max(high, score);
    }
};

std::string line_path(const ShownColumn &column, const ScoreAxis &axis) {
    const std::size_t frames = column.scores.size(), places = std::min(frames, most_places);
    std::string path;
    bool drawing = false;
    for (std::size_t place = 0; place < places; place++) {
        Reach reach;
        for (std::size_t i = place * frames / places; i < (place + 1) * frames / places; i++)
            reach.add(column.scores[i]);
        if (reach.low > reach.high) {
            drawing = false;
            continue;
        }
        const double x =
            chart_left +
            (places == 1 ? 0.5 : static_cast<double>(place) / static_cast<double>(places - 1)) * chart_width;
        fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", drawing ? 'L' : 'M', x,
                       height_of(axis, reach.high));
        // A line of length 0 with round ends is a point.
        fmt::format_to(std::back_inserter(path), "V{:.1f}", height_of(axis, reach.low));
        drawing = true;
    }
    return path;
}

std::string score_grid(const ScoreAxis &axis) {
    std::string out;
    const int steps = static_cast<int>(std::round((axis.high - axis.low) / axis.step));
    for (int i = 0; i <= steps; i++) {
        const double score = axis.low + i * axis.step, y = height_of(axis, score);
        fmt::format_to(std::back_inserter(out), "<path class=grid d=\"M{:.1f} {:.1f}h{:.1f}\"/>", chart_left, y,
                       chart_width);
        fmt::format_to(std::back_inserter(out), "<text x={:.1f} y={:.1f} text-anchor=end>{}</text>\n", chart_left - 6,
                       y + 4, axis_label(axis, score));
    }
    return out;
}

/// The scores of a column over time, as a line. Where there are more frames than places, the line covers the lowest to
/// the highest score of each place. `first_frame` and `last_frame` are the labels of its ends.
std::string line_chart_svg(const ShownColumn &column, std::int64_t first_frame, std::int64_t last_frame) {
    const ScoreAxis axis = score_axis(column);
    const double bottom = chart_top + chart_height + 18;
    return fmt::format("<svg class=chart role=img aria-label=\"{} over time\" viewBox=\"0 0 {:.0f} {:.0f}\">\n{}"
                       "<path class=line d=\"{}\"/>\n<text x={:.0f} y={:.0f}>frame {}</text>"
                       "<text x={:.0f} y={:.0f} text-anchor=end>{}</text></svg>\n",
                       html_escape(column.label), chart_left + chart_width + 8, bottom + 6, score_grid(axis),
                       line_path(column, axis), chart_left, bottom, count_text(first_frame), chart_left + chart_width,
                       bottom, count_text(last_frame));
}

/// The script shows what stands here hidden, and replaces the fixed charts.
constexpr std::string_view controls =
    "<div id=controls hidden><div id=choice role=group aria-label=\"Scores to show\"></div>\n"
    "<p id=readout aria-live=polite></p><button id=reset type=button hidden>Whole video</button></div>\n";

std::string thinning_text(std::size_t frames, std::size_t columns, std::size_t most_numbers) {
    const std::size_t group = frames_per_place(frames, columns, most_numbers);
    return group == 1 ? ""
                      : fmt::format("<p class=hint>The chart shows the lowest and the highest score of every {} "
                                    "frames. Tables and distributions use all frames.</p>\n",
                                    group);
}

} // namespace

std::string chart_html(const ScorePage &page, std::span<const ShownColumn> columns) {
    const std::vector<FrameScores> &frames = page.report.scores.frames;
    const std::int64_t first = frames.empty() ? 0 : frames.front().frame,
                       last = frames.empty() ? 0 : frames.back().frame;
    std::string out = "<h2 id=chart>Scores over time</h2>\n<div class=card>";
    out += controls;
    out += "<div id=panels>\n";
    for (const ShownColumn &column : columns)
        if (column.main)
            out += fmt::format("<figure class=panel><figcaption>{}</figcaption>{}</figure>\n",
                               html_escape(column.label), line_chart_svg(column, first, last));
    return out + "</div>\n" + thinning_text(frames.size(), columns.size(), page.most_numbers) + "</div>\n";
}

} // namespace isovmaf
