// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "report/score_spans.hpp"

/// Pooled scores as a table for programs: of several videos, or of the shots or seconds of each.
namespace isovmaf {

enum class TableFormat : std::uint8_t { csv, json };

/// A video of the table.
struct TableVideo {
    const Report &report;
    std::size_t first_model = 0;       ///< columns of the scores from here on are those of models
    std::vector<ScoreSpan> spans = {}; ///< empty: the whole video is one
};

/// CSV has a line for each video, span and score, under one header whatever is asked for; a field is empty where a
/// thing is unknown. JSON has an object for each video, with a list of its spans. Members of bootstrap models are left
/// out.
[[nodiscard]] std::string write_scores_table(std::span<const TableVideo> videos, std::optional<SpanKind> kind,
                                             TableFormat format, Precision precision);

} // namespace isovmaf
