// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/worst_shots.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace isovmaf::batch {

namespace {

constexpr double peak_factor = 3;  ///< of a cut's motion over that of its neighbours
constexpr double least_motion = 4; ///< of a cut; noise and fades stay below

/// The first score of the feature is how much a frame differs from the one before; the others smooth that.
std::vector<double> motion_of(const ScoreTable &table) {
    const auto source = std::ranges::find(table.sources, "motion");
    const bool every_frame =
        !table.frames.empty() && table.frames.back().frame + 1 == static_cast<std::int64_t>(table.frames.size());
    return source != table.sources.end() && every_frame
               ? column_of(table, static_cast<std::size_t>(source - table.sources.begin()))
               : std::vector<double>();
}

/// Orders scores that are no numbers first.
double rank(double score) { return std::isnan(score) ? -INFINITY : score; }

} // namespace

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

std::vector<ScoredFrame> worst_of_shots(const ScoreTable &table, std::size_t column, std::size_t count) {
    const std::vector<std::int64_t> starts = shot_starts(table);
    const auto shot_of = [&](std::int64_t frame) { return std::ranges::upper_bound(starts, frame) - starts.begin(); };
    std::vector<ScoredFrame> frames, worst;
    for (const FrameScores &frame : table.frames)
        frames.push_back({frame.frame, frame.scores[column]});
    std::ranges::sort(frames, {}, [](const ScoredFrame &f) { return std::pair(rank(f.score), f.frame); });
    for (const ScoredFrame &candidate : frames) {
        if (worst.size() == count)
            break;
        const auto in_shot = [&](const ScoredFrame &taken) {
            return starts.empty() ? std::abs(taken.frame - candidate.frame) < frames_apart
                                  : shot_of(taken.frame) == shot_of(candidate.frame);
        };
        if (std::ranges::none_of(worst, in_shot))
            worst.push_back(candidate);
    }
    return worst;
}

} // namespace isovmaf::batch
