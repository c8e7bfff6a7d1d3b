// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batch/manifest/row.hpp"
#include "engine/score_table.hpp"
#include "input/pair/pair_warning.hpp"
#include "isovmaf/scores.hpp"

namespace isovmaf::batch {

/// A frame of a video and its score.
struct ScoredFrame {
    std::int64_t frame = 0;
    double score = 0;

    friend bool operator==(const ScoredFrame &, const ScoredFrame &) = default;
};

/// The lowest scores of a column, the lowest first, at most `count`: one in each shot, see isovmaf::shot_starts. A
/// video in which no shots are told apart gives frames that are at least `frames_apart` apart.
[[nodiscard]] std::vector<ScoredFrame> worst_of_shots(const ScoreTable &table, std::size_t column, std::size_t count);

/// One second at 25 frames per second.
inline constexpr std::int64_t frames_apart = 25;

/// Why a row has no scores.
enum class FailureKind : std::uint8_t { invalid, permanent, transient };

/// "permanent"
[[nodiscard]] std::string_view failure_kind_name(FailureKind kind);

/// What the HTML report shows of a pair with scores.
struct PageRow {
    Row row;
    std::string score; ///< name of the main score: that of the first model, or of the first feature
    PooledScore pooled = {};
    std::int64_t frames = 0;
    std::vector<ScoredFrame> worst = {}; ///< frames with the lowest main scores: see worst_of_shots
    std::vector<PairWarning> warnings = {};
};

/// A row of the failures table: a pair without scores.
struct PageFailure {
    Row row;
    FailureKind kind = FailureKind::invalid;
    std::string message;
};

/// How many of the worst frames the report lists.
inline constexpr std::size_t most_worst_frames = 3;

/// report.html: the scores of all pairs with their warnings, failures, and, for rows with bit rates, rate-quality
/// curves. Rows of one reference and one label are a curve. One file that needs no network and runs no script.
[[nodiscard]] std::string batch_page_html(std::span<const PageRow> rows, std::span<const PageFailure> failures);

} // namespace isovmaf::batch
