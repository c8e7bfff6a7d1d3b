// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/videos_charts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "engine/score_table.hpp"
#include "html/charts.hpp"
#include "html/page.hpp"
#include "html/rate_chart.hpp"
#include "report/number_text.hpp"
#include "report/terminal.hpp"

namespace isovmaf {

namespace {

constexpr double plot_left = 56, plot_top = 20, plot_width = 936, plot_height = 260; ///< in CSS pixels
constexpr std::int64_t most_plot_places = 468;
constexpr int most_plot_steps = 6;

std::size_t main_column(const ScorePage &video) { return main_columns(video.report.scores, video.first_model).front(); }

/// A mean of scores, and the place of its frames.
struct PlacedScore {
    std::int64_t place = 0;
    double score = 0;
};

/// The finite scores of a video. `frames` is the number of frames of the longest one, over which the chart goes.
std::vector<PlacedScore> placed_scores(const ScorePage &video, std::int64_t frames) {
    const std::size_t column = main_column(video);
    const std::int64_t places = std::min(frames, most_plot_places);
    std::vector<PlacedScore> points;
    std::int64_t count = 0; // of frames in the last place
    for (const FrameScores &frame : video.report.scores.frames) {
        const double score = frame.scores[column];
        const std::int64_t place = frame.frame * places / frames;
        if (!std::isfinite(score))
            continue;
        if (points.empty() || points.back().place != place) {
            points.push_back({place, 0});
            count = 0;
        }
        count++;
        points.back().score += (score - points.back().score) / static_cast<double>(count);
    }
    return points;
}

std::string legend_html(std::span<const std::string> labels) {
    std::string out = "<div class=legend>";
    for (std::size_t i = 0; i < labels.size(); i++)
        out += fmt::format("<span><i class=\"{}\"></i>{}</span>", curve_class(i), html_escape(labels[i]));
    return out + "</div>";
}

double y_of(const ScoreAxis &axis, double score) {
    return plot_top + plot_height * (1 - std::clamp(axis.place(score), 0.0, 1.0));
}

std::string plot_grid(const ScoreAxis &axis) {
    std::string out;
    const int steps = static_cast<int>(std::round((axis.high - axis.low) / axis.step));
    for (int i = 0; i <= steps; i++) {
        const double score = axis.low + i * axis.step, y = y_of(axis, score);
        fmt::format_to(std::back_inserter(out),
                       "<path class=grid d=\"M{:.1f} {:.1f}h{:.1f}\"/><text x={:.1f} y={:.1f} text-anchor=end>{}"
                       "</text>\n",
                       plot_left, y, plot_width, plot_left - 6, y + 4, axis_label(axis, score));
    }
    return out;
}

std::string plot_line(std::span<const PlacedScore> points, const ScoreAxis &axis, std::int64_t places,
                      std::size_t number) {
    std::string path;
    for (const PlacedScore &point : points) {
        const double part = places == 1 ? 0.5 : static_cast<double>(point.place) / static_cast<double>(places - 1);
        fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L',
                       plot_left + part * plot_width, y_of(axis, point.score));
    }
    return fmt::format("<g class=\"{}\"><path d=\"{}\"/></g>\n", curve_class(number), path);
}

} // namespace

std::string videos_chart_html(std::span<const ScorePage> videos) {
    std::int64_t frames = 1;
    for (const ScorePage &video : videos)
        if (!video.report.scores.frames.empty())
            frames = std::max(frames, video.report.scores.frames.back().frame + 1);
    std::vector<std::vector<PlacedScore>> lines;
    std::vector<double> scores;
    std::vector<std::string> labels;
    for (const ScorePage &video : videos) {
        lines.push_back(placed_scores(video, frames));
        std::ranges::transform(lines.back(), std::back_inserter(scores), &PlacedScore::score);
        labels.push_back(video.report.distorted.path);
    }
    const ScoreAxis axis = axis_of(scores, most_plot_steps);
    const std::int64_t places = std::min(frames, most_plot_places);
    const std::string name = html_escape(videos.front().report.scores.names[main_column(videos.front())]);
    const double bottom = plot_top + plot_height + 18;
    std::string out =
        fmt::format("<h2>Scores over time</h2>\n<div class=card><p class=lead>{}{}</p>\n"
                    "<svg class=\"rates over_time\" role=img aria-label=\"{} of all videos over time\" "
                    "viewBox=\"0 0 {:.0f} {:.0f}\">\n{}",
                    name,
                    frames > places ? ": lines show means of every few frames; the lowest are below, with "
                                      "each video"
                                    : "",
                    name, plot_left + plot_width + 8, bottom + 6, plot_grid(axis));
    for (std::size_t i = 0; i < lines.size(); i++)
        out += plot_line(lines[i], axis, places, i);
    return out + fmt::format("<text x={:.0f} y={:.0f}>frame 0</text><text x={:.0f} y={:.0f} text-anchor=end>{}</text>"
                             "</svg>\n{}</div>\n",
                             plot_left, bottom, plot_left + plot_width, bottom, count_text(frames - 1),
                             legend_html(labels));
}

std::string videos_rates_html(std::span<const ScorePage> videos) {
    std::vector<RateCurve> curves;
    for (const ScorePage &video : videos) {
        const ReportInput &input = video.report.distorted;
        const double score = pool_column(video.report.scores, main_column(video)).mean;
        if (input.bit_rate.value_or(0) <= 0 || !std::isfinite(score))
            continue;
        auto curve = std::ranges::find(curves, input.codec, &RateCurve::label);
        if (curve == curves.end())
            curve = curves.insert(curve, {input.codec, {}});
        curve->points.push_back({static_cast<double>(*input.bit_rate) / 1000, score});
    }
    std::vector<std::string> labels;
    for (RateCurve &curve : curves) {
        std::ranges::stable_sort(curve.points, {}, &RatePoint::bit_rate);
        labels.push_back(curve.label);
    }
    const std::string svg = rate_chart_svg(videos.front().report.scores.names[main_column(videos.front())],
                                           "kbit/s of the video stream", curves);
    return svg.empty() ? svg
                       : fmt::format("<h2>Quality over bit rate</h2>\n<div class=\"card quality\">{}{}</div>\n", svg,
                                     legend_html(labels));
}

std::string videos_charts_style() {
    return fmt::format("{}{}", rate_chart_style(),
                       ".quality { max-width: 40rem; }\n"
                       "@media (max-width: 36rem) { .over_time text { font-size: 24px; } }\n"
                       ".lead { color: var(--quiet); font-size: .875rem; }\n");
}

} // namespace isovmaf
