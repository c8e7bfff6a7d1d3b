// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/videos_table.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "engine/score_table.hpp"
#include "report/number_text.hpp"
#include "report/terminal.hpp"

namespace isovmaf {

namespace {

constexpr std::size_t widest_video = 32, score_width = 8;

/// The names of the main scores of all videos, in the order in which they appear.
std::vector<std::string> main_names(std::span<const VideoScores> videos) {
    std::vector<std::string> names;
    for (const VideoScores &video : videos)
        for (const std::size_t column : main_columns(video.scores, video.first_model))
            if (const std::string &name = video.scores.names[column]; std::ranges::find(names, name) == names.end())
                names.push_back(name);
    return names;
}

/// "vmaf: model vmaf_v0.6.1", a line for each score and model.
std::string model_lines(std::span<const VideoScores> videos) {
    std::vector<std::string> lines;
    for (const VideoScores &video : videos) {
        const std::vector<std::size_t> columns = main_columns(video.scores, video.first_model);
        for (std::size_t i = 0; i < std::min(columns.size(), video.models.size()); i++) {
            std::string line =
                fmt::format("{}: model {}\n", video.scores.names[columns[i]], escape_controls(video.models[i]));
            if (!video.models[i].empty() && std::ranges::find(lines, line) == lines.end())
                lines.push_back(std::move(line));
        }
    }
    return lines.empty() ? "" : fmt::format("\n{}", fmt::join(lines, ""));
}

std::optional<PooledScore> pooled(const ScoreTable &scores, const std::string &name) {
    const auto found = std::ranges::find(scores.names, name);
    if (found == scores.names.end())
        return std::nullopt;
    return pool_column(scores, static_cast<std::size_t>(found - scores.names.begin()));
}

void append_row(const std::string &name, std::size_t name_width, const std::vector<std::string> &values,
                std::string &text) {
    text += name;
    if (name.size() > name_width)
        text += '\n' + std::string(name_width, ' ');
    else
        text.append(name_width - name.size(), ' ');
    for (const std::string &value : values)
        fmt::format_to(std::back_inserter(text), " {:>{}}", value, score_width);
    text += '\n';
}

} // namespace

std::string videos_table(std::span<const VideoScores> videos) {
    const std::vector<std::string> names = main_names(videos);
    const std::vector<std::string> labels = short_names(names, score_width);
    std::size_t name_width = 0;
    for (const VideoScores &video : videos)
        name_width = std::max(name_width, std::min(escape_controls(video.name).size(), widest_video));
    std::vector<std::string> heading{"frames"};
    for (std::size_t i = 0; i < labels.size(); i++) {
        heading.push_back(labels[i]);
        if (i == 0)
            heading.insert(heading.end(), {"min", "5 %"});
    }
    std::string text;
    append_row("", name_width, heading, text);
    for (const VideoScores &video : videos) {
        std::vector<std::string> values{count_text(static_cast<std::int64_t>(video.scores.frames.size()))};
        for (std::size_t i = 0; i < names.size(); i++) {
            const std::optional<PooledScore> score = pooled(video.scores, names[i]);
            values.push_back(score ? table_value(score->mean) : "-");
            if (i == 0)
                values.insert(values.end(),
                              {score ? table_value(score->min) : "-", score ? table_value(score->percentile_5) : "-"});
        }
        append_row(escape_controls(video.name), name_width, values, text);
    }
    return text + model_lines(videos);
}

} // namespace isovmaf
