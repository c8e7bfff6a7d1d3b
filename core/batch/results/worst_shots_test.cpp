// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/worst_shots.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf::testing::worst_shots_test {
namespace {

using namespace batch;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A video whose motion is `motion`; frame n scores 50 + n.
ScoreTable video(const std::vector<double> &motion) {
    ScoreTable table{{"motion", "motion2", "vmaf"}, {}, {}, {"motion", "motion", "vmaf_v0.6.1"}};
    for (std::size_t i = 0; i < motion.size(); i++) {
        const auto frame = static_cast<std::int64_t>(i);
        table.frames.push_back({.frame = frame, .scores = {motion[i], 0, 50. + static_cast<double>(i)}});
    }
    return table;
}

std::vector<std::int64_t> numbers(const std::vector<ScoredFrame> &worst) {
    std::vector<std::int64_t> numbers;
    for (const ScoredFrame &frame : worst)
        numbers.push_back(frame.frame);
    return numbers;
}

TEST(WorstShots, ShotsBeginWhereMotionPeaks) {
    EXPECT_THAT(shot_starts(video({0, 2, 2, 40, 3, 1, 30})), ElementsAre(3, 6));
    EXPECT_THAT(shot_starts(video({0, 2, 20, 30, 20, 2})), IsEmpty()); // fast motion
    EXPECT_THAT(shot_starts(video({0, 0, 3, 0})), IsEmpty());          // noise
    EXPECT_THAT(shot_starts(video({})), IsEmpty());
    ScoreTable skipped = video({0, 2, 2, 40, 3});
    skipped.frames.erase(skipped.frames.begin() + 1);
    EXPECT_THAT(shot_starts(skipped), IsEmpty());
}

TEST(WorstShots, EachShotHasOneFrame) {
    const ScoreTable table = video({0, 2, 2, 40, 3, 1, 30, 1});
    EXPECT_THAT(numbers(worst_of_shots(table, 2, 5)), ElementsAre(0, 3, 6));
    EXPECT_THAT(worst_of_shots(table, 2, 2), ElementsAre(ScoredFrame{0, 50}, ScoredFrame{3, 53}));
}

TEST(WorstShots, WithoutCutsFramesAreApart) {
    ScoreTable table = video(std::vector<double>(80, 1.));
    EXPECT_THAT(numbers(worst_of_shots(table, 2, 3)), ElementsAre(0, 25, 50));
    table.frames[60].scores[2] = NAN;
    EXPECT_THAT(numbers(worst_of_shots(table, 2, 3)), ElementsAre(60, 0, 25));
    EXPECT_THAT(worst_of_shots(video({}), 2, 3), IsEmpty());
}

} // namespace
} // namespace isovmaf::testing::worst_shots_test
