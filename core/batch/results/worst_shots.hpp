// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <vector>

#include "engine/score_table.hpp"

namespace isovmaf::batch {

/// A frame of a video and its score.
struct ScoredFrame {
    std::int64_t frame = 0;
    double score = 0;

    friend bool operator==(const ScoredFrame &, const ScoredFrame &) = default;
};

/// The first frames of shots but the first: frames that differ from the one before far more than their neighbours do,
/// by the motion score. Empty without that score, and when not every frame has it.
[[nodiscard]] std::vector<std::int64_t> shot_starts(const ScoreTable &table);

/// The lowest scores of a column, the lowest first, at most `count`: one in each shot. A video in which no shots are
/// told apart gives frames that are at least `frames_apart` apart.
[[nodiscard]] std::vector<ScoredFrame> worst_of_shots(const ScoreTable &table, std::size_t column, std::size_t count);

/// One second at 25 frames per second.
inline constexpr std::int64_t frames_apart = 25;

} // namespace isovmaf::batch
