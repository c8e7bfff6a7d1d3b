// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/score_table.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace isovmaf {

std::vector<double> column_of(const ScoreTable &table, std::size_t column) {
    std::vector<double> scores;
    scores.reserve(table.frames.size());
    for (const FrameScores &frame : table.frames) {
        assert(column < frame.scores.size());
        scores.push_back(frame.scores[column]);
    }
    return scores;
}

double score_percentile(std::span<const double> sorted, double percent) {
    assert(!sorted.empty());
    const double rank = percent * static_cast<double>(sorted.size() - 1) / 100;
    const double left = std::floor(rank), right = std::ceil(rank);
    const double v_left = sorted[static_cast<std::size_t>(left)], v_right = sorted[static_cast<std::size_t>(right)];
    return v_left == v_right ? v_left : v_left * (right - rank) + v_right * (rank - left);
}

PooledScore pool_column(const ScoreTable &table, std::size_t column) { return pool_scores(column_of(table, column)); }

PooledScore pool_scores(std::vector<double> scores) {
    if (scores.empty())
        return {};
    if (std::ranges::any_of(scores, [](double score) { return std::isnan(score); })) {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        return {nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan};
    }

    double sum = 0, sum_of_inverses = 0; // scores.md §5: in frame order
    for (const double score : scores) {
        sum += score;
        sum_of_inverses += 1 / (score + 1);
    }
    const auto count = static_cast<double>(scores.size());
    const double max = *std::ranges::max_element(scores);
    std::ranges::stable_sort(scores); // of 0 and -0, which are equal, the first frame's counts, as in libvmaf
    return {.min = scores.front(),
            .max = max,
            .mean = sum / count,
            .harmonic_mean = count / sum_of_inverses - 1,
            .percentile_1 = score_percentile(scores, 1),
            .percentile_5 = score_percentile(scores, 5),
            .percentile_10 = score_percentile(scores, 10),
            .percentile_25 = score_percentile(scores, 25),
            .percentile_50 = score_percentile(scores, 50),
            .percentile_75 = score_percentile(scores, 75),
            .percentile_95 = score_percentile(scores, 95),
            .percentile_99 = score_percentile(scores, 99)};
}

} // namespace isovmaf
