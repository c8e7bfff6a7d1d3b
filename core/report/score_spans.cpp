// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/score_spans.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "engine/score_table.hpp"
#include "report/number_text.hpp"
#include "report/terminal.hpp"

namespace isovmaf {

namespace {

constexpr double peak_factor = 3;  ///< of a cut's motion over that of its neighbours
constexpr double least_motion = 4; ///< of a cut; noise and fades stay below

constexpr std::array<std::pair<std::string_view, SpanKind>, 2> kinds{
    {{"shot", SpanKind::shot}, {"second", SpanKind::second}}};

bool has_motion(const ScoreTable &table) { return std::ranges::find(table.sources, "motion") != table.sources.end(); }

/// The first score of the feature is how much a frame differs from the one before; the others smooth that.
std::vector<double> motion_of(const ScoreTable &table) {
    const auto source = std::ranges::find(table.sources, "motion");
    const bool every_frame =
        !table.frames.empty() && table.frames.back().frame + 1 == static_cast<std::int64_t>(table.frames.size());
    return source != table.sources.end() && every_frame
               ? column_of(table, static_cast<std::size_t>(source - table.sources.begin()))
               : std::vector<double>();
}

/// Spans of which each begins where `starts_at` says so of its first row.
template <class StartsAt>
std::vector<ScoreSpan> cut(std::size_t rows, StartsAt starts_at) {
    std::vector<ScoreSpan> spans;
    for (std::size_t row = 0; row < rows; row++) {
        if (row == 0 || starts_at(row))
            spans.push_back({row, 0});
        spans.back().count++;
    }
    return spans;
}

} // namespace

std::string_view span_kind_name(SpanKind kind) {
    return std::ranges::find(kinds, kind, [](const auto &named) { return named.second; })->first;
}

std::vector<std::string> span_kind_names() {
    std::vector<std::string> names;
    for (const auto &[name, kind] : kinds)
        names.emplace_back(name);
    return names;
}

SpanKind span_kind_of(std::string_view name) {
    return std::ranges::find(kinds, name, [](const auto &named) { return named.first; })->second;
}

std::vector<std::int64_t> shot_starts(const ScoreTable &table) {
    const std::vector<double> motion = motion_of(table);
    std::vector<std::int64_t> starts;
    for (std::size_t i = 1; i < motion.size(); i++) {
        const double around = std::max(motion[i - 1], i + 1 < motion.size() ? motion[i + 1] : 0);
        if (motion[i] >= least_motion && motion[i] > peak_factor * around)
            starts.push_back(static_cast<std::int64_t>(i));
    }
    return starts;
}

Result<void> check_spans(const Report &report, const ScoreTable &scores, SpanKind kind) {
    if (kind == SpanKind::second && report.video_rate <= 0)
        return fail(ErrorCode::invalid_argument,
                    "--per second needs the times of frames, but the reference has no frame rate that is known and "
                    "constant: give --per shot");
    if (kind == SpanKind::shot && !has_motion(scores))
        return fail(ErrorCode::invalid_argument,
                    "--per shot finds shots by the scores of motion, which are not computed: add --feature motion, or "
                    "give --per second");
    return {};
}

Result<std::vector<ScoreSpan>> cut_into_spans(const Report &report, SpanKind kind) {
    const ScoreTable &scores = report.scores;
    TRY(check_spans(report, scores, kind));
    if (kind == SpanKind::shot) {
        const std::vector<std::int64_t> starts = shot_starts(scores);
        return cut(scores.frames.size(),
                   [&](std::size_t row) { return std::ranges::binary_search(starts, scores.frames[row].frame); });
    }
    const auto second_of = [&](std::size_t row) { return std::floor(*report.frame_time(scores.frames[row].frame)); };
    return cut(scores.frames.size(), [&](std::size_t row) { return second_of(row) != second_of(row - 1); });
}

PooledScore pool_span(const ScoreTable &table, std::size_t column, const ScoreSpan &span) {
    std::vector<double> values;
    for (std::size_t row = span.first; row < span.first + span.count; row++)
        values.push_back(table.frames[row].scores[column]);
    return pool_scores(std::move(values));
}

std::string spans_table(const Report &report, std::size_t first_model, const std::vector<ScoreSpan> &spans,
                        SpanKind kind) {
    constexpr std::size_t most_scores = 4; // in 80 characters
    const ScoreTable &scores = report.scores;
    std::vector<std::size_t> columns = main_columns(scores, first_model);
    columns.resize(std::min(columns.size(), most_scores));
    std::vector<std::string> names;
    for (const std::size_t column : columns)
        names.push_back(scores.names[column]);
    const std::vector<std::string> labels = short_names(names, 8);
    std::string text = fmt::format("per {:<10}{:>15}{:>9}", span_kind_name(kind), "time", "frames");
    for (std::size_t i = 0; i < labels.size(); i++)
        fmt::format_to(std::back_inserter(text), " {:>8}{}", labels[i], i == 0 ? "      min" : "");
    text += '\n';
    for (const ScoreSpan &span : spans) {
        const std::int64_t first = scores.frames[span.first].frame;
        const std::optional<double> time = report.frame_time(first);
        fmt::format_to(std::back_inserter(text), "{:<14}{:>15}{:>9}", fmt::format("frame {}", first),
                       time ? time_code(*time) : "-", count_text(static_cast<std::int64_t>(span.count)));
        for (std::size_t i = 0; i < columns.size(); i++) {
            const PooledScore pooled = pool_span(scores, columns[i], span);
            fmt::format_to(std::back_inserter(text), " {:>8}", table_value(pooled.mean));
            if (i == 0)
                fmt::format_to(std::back_inserter(text), " {:>8}", table_value(pooled.min));
        }
        text += '\n';
    }
    return text;
}

} // namespace isovmaf
