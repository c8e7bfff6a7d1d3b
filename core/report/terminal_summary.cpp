// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/number_text.hpp"
#include "report/terminal.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view bold = "\x1b[1m", plain_again = "\x1b[0m";

std::string headline(const Report &report, const TerminalOptions &options) {
    if (options.first_model >= report.scores.names.size())
        return "";
    std::string text;
    for (const std::size_t column : main_columns(report.scores, options.first_model)) {
        std::string score = report.scores.names[column] + ' ';
        append_number(score, pool_column(report.scores, column).mean, Precision::legacy);
        text += options.styled ? fmt::format("{}{}{}", bold, score, plain_again) : score;
        const std::string model = model_of(report, column);
        text += model.empty() ? "\n" : fmt::format(" (model {})\n", escape_controls(model));
    }
    return text + '\n';
}

} // namespace

std::vector<std::size_t> main_columns(const ScoreTable &scores, std::size_t first_model) {
    const bool models = first_model < scores.names.size();
    std::vector<std::size_t> columns;
    for (std::size_t i = models ? first_model : 0; i < scores.names.size(); i++)
        if (!models || i == first_model || scores.sources[i] != scores.sources[i - 1])
            columns.push_back(i);
    return columns;
}

std::string plain_scores(const ScoreTable &scores, std::size_t first_model, Precision precision,
                         const std::string &video) {
    std::vector<std::pair<std::string, double>> values; // by name
    for (const std::size_t column : main_columns(scores, first_model))
        values.emplace_back(scores.names[column], pool_column(scores, column).mean);
    if (first_model >= scores.names.size())
        values.insert(values.end(), scores.aggregates.begin(), scores.aggregates.end());
    std::string text;
    for (const auto &[name, value] : values) {
        if (values.size() > 1)
            text += name + ' ';
        append_number(text, value, precision);
        text += video.empty() ? "\n" : "  " + video + '\n';
    }
    return text;
}

std::string time_code(double seconds) {
    const auto total = static_cast<std::int64_t>(std::llround(seconds * 1000));
    return fmt::format("{}:{:02}:{:02}.{:03}", total / 3'600'000, total / 60'000 % 60, total / 1000 % 60, total % 1000);
}

std::string worst_frames_text(const Report &report, std::size_t column, const WorstFrameList &worst) {
    const std::vector<FrameScores> &frames = report.scores.frames;
    std::string text = fmt::format("worst frames            time  {}\n", report.scores.names[column]);
    for (const std::int64_t number : worst.frames) {
        const auto frame = std::ranges::lower_bound(frames, number, {}, &FrameScores::frame);
        const std::optional<double> time = report.frame_time(number);
        fmt::format_to(std::back_inserter(text), "{:>12} {:>15}  ", number, time ? time_code(*time) : "-");
        append_number(text, frame->scores[column], Precision::legacy);
        text += '\n';
    }
    if (worst.distance > 1)
        text += fmt::format("of frames less than {} frames apart only the worst is listed\n", worst.distance);
    return text;
}

std::string terminal_summary(const Report &report, const TerminalOptions &options) {
    std::string text = headline(report, options) + pooled_table(report.scores, options.first_model);
    if (!options.worst.frames.empty())
        text +=
            '\n' + worst_frames_text(report, main_columns(report.scores, options.first_model).front(), options.worst);
    return text;
}

} // namespace isovmaf
