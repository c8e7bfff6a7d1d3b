// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.hpp"

/// Scores of pieces of a video: of its shots, or of its seconds.
namespace isovmaf {

enum class SpanKind : std::uint8_t { shot, second };

/// "shot" and "second".
[[nodiscard]] std::string_view span_kind_name(SpanKind kind);
[[nodiscard]] std::vector<std::string> span_kind_names();
[[nodiscard]] SpanKind span_kind_of(std::string_view name); ///< one of these names

/// Frames of a table of scores that follow each other: one at least.
struct ScoreSpan {
    std::size_t first = 0, count = 0; ///< rows of the table
};

/// The first frames of shots but the first: frames that differ from the one before far more than their neighbours do,
/// by the motion score. Empty without that score, and when not every frame has it.
[[nodiscard]] std::vector<std::int64_t> shot_starts(const ScoreTable &table);

/// Cuts the frames of a report. A second is one of the reference's time, as Report::frame_time says it. Fails with
/// invalid_argument where nothing tells the times, or the cuts.
[[nodiscard]] Result<std::vector<ScoreSpan>> cut_into_spans(const Report &report, SpanKind kind);

/// Whether the frames of such a report can be cut, known before the first one: the same failures.
[[nodiscard]] Result<void> check_spans(const Report &report, const ScoreTable &scores, SpanKind kind);

/// Statistics of a column over the frames of a span.
[[nodiscard]] PooledScore pool_span(const ScoreTable &table, std::size_t column, const ScoreSpan &span);

/// A row for each span: its first frame with the time, its frames, and of the main scores (see main_columns) the mean;
/// of the first one also the lowest value.
[[nodiscard]] std::string spans_table(const Report &report, std::size_t first_model,
                                      const std::vector<ScoreSpan> &spans, SpanKind kind);

} // namespace isovmaf
