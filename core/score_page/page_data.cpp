// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/page_data.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "html/heat_map.hpp"
#include "report/escape.hpp"
#include "report/json_text.hpp"
#include "report/terminal.hpp"

namespace isovmaf {

namespace {

constexpr std::size_t longest_label = 28;

constexpr int most_score_steps = 5;

/// "<" could end the script element.
std::string json_for_script(std::string_view text) {
    std::string out;
    for (const char c : text)
        out += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return out;
}

std::string floats_base64(std::span<const double> values) {
    std::string bytes;
    bytes.reserve(values.size() * 4);
    for (const double value : values) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
        for (int i = 0; i < 4; i++)
            bytes += static_cast<char>(bits >> (8 * i) & 0xFF);
    }
    return base64(bytes);
}

/// One number for each group of `group` values: `pick` chooses between two. NaN is taken only from groups of NaN.
template <class Pick>
std::vector<double> thinned(std::span<const double> values, std::size_t group, Pick pick) {
    std::vector<double> out;
    for (std::size_t i = 0; i < values.size(); i += group) {
        double picked = values[i];
        for (const double value : values.subspan(i, std::min(group, values.size() - i)))
            picked = std::isnan(picked) ? value : std::isnan(value) ? picked : pick(picked, value);
        out.push_back(picked);
    }
    return out;
}

/// Members "low" and, for groups of several values, "high".
void write_values(std::span<const double> values, std::size_t group, JsonText &json) {
    const auto lower = [](double a, double b) { return std::min(a, b); };
    const auto higher = [](double a, double b) { return std::max(a, b); };
    json.string("low", floats_base64(thinned(values, group, lower)));
    if (group > 1)
        json.string("high", floats_base64(thinned(values, group, higher)));
}

void write_column(const ShownColumn &column, std::size_t group, JsonText &json) {
    const ScoreAxis axis = score_axis(column);
    json.open_element('{');
    json.integer("column", static_cast<std::int64_t>(column.index));
    json.string("name", column.name);
    json.string("label", column.label);
    json.flag("main", column.main);
    json.open_member("axis", '[');
    for (const double number : {axis.low, axis.high, axis.step})
        json.element() += fmt::format("{}", number);
    json.close(']');
    write_values(column.scores, group, json);
    json.close('}');
}

} // namespace

std::vector<ShownColumn> shown_columns(const ScoreTable &scores, std::size_t first_model) {
    const std::vector<std::string> labels = short_names(scores.names, longest_label, first_model);
    const std::vector<std::size_t> mains = main_columns(scores, first_model);
    std::vector<ShownColumn> columns;
    const auto add = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; i++)
            if (i < first_model || !is_bootstrap_member(scores, i))
                columns.push_back({.index = i,
                                   .name = scores.names[i],
                                   .label = labels[i],
                                   .main = std::ranges::find(mains, i) != mains.end(),
                                   .scores = column_of(scores, i)});
    };
    add(std::min(first_model, scores.names.size()), scores.names.size());
    add(0, std::min(first_model, scores.names.size()));
    return columns;
}

std::string score_text(double score) {
    const double size = std::abs(score);
    return size < 1e6 || !std::isfinite(score) ? fmt::format("{:.4f}", score) : fmt::format("{:.6g}", score);
}

ScoreAxis score_axis(const ShownColumn &column) { return axis_of(column.scores, most_score_steps); }

std::size_t frames_per_place(std::size_t frames, std::size_t columns, std::size_t most_numbers) {
    const std::size_t lines = columns + 1; // and the numbers of the frames
    if (frames * lines <= most_numbers)
        return 1;
    const std::size_t places = std::max<std::size_t>(1, most_numbers / (2 * lines));
    return (frames + places - 1) / places;
}

std::string page_data_json(const Report &report, std::span<const ShownColumn> columns, std::size_t most_numbers) {
    std::vector<double> numbers; // up to 2^24, which floats hold exactly
    for (const FrameScores &frame : report.scores.frames)
        numbers.push_back(static_cast<double>(frame.frame));
    const std::size_t group = frames_per_place(numbers.size(), columns.size(), most_numbers);
    JsonText json(Precision::max);
    json.open('{');
    json.member("rate") += fmt::format("{}", report.video_rate);
    json.integer("firstFrame", report.first_frame);
    json.open_member("frames", '{');
    write_values(numbers, group, json);
    json.close('}');
    json.open_member("columns", '[');
    for (const ShownColumn &column : columns)
        write_column(column, group, json);
    json.close(']');
    json.close('}');
    return json_for_script(json.take());
}

} // namespace isovmaf
