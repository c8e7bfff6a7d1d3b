// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/part_plan.hpp"

#include <gmock/gmock.h>

namespace isovmaf::part_plan_test {

namespace {

using ::testing::ElementsAre;

TEST(PartPlan, PartsAreOfOneLengthAndTheLastIsNoShorterThanTheLeast) {
    EXPECT_THAT(cut_video(64, 64), ElementsAre(0));
    EXPECT_THAT(cut_video(127, 64), ElementsAre(0));
    EXPECT_THAT(cut_video(128, 64), ElementsAre(0, 64));
    EXPECT_THAT(cut_video(199, 100), ElementsAre(0, 100));
    EXPECT_THAT(cut_video(163, 100), ElementsAre(0));
    EXPECT_THAT(cut_video(0, 64), ElementsAre(0));
}

TEST(PartPlan, ShorterPartsCanBeAskedFor) {
    EXPECT_THAT(cut_video(5, 2), ElementsAre(0, 2));
    EXPECT_THAT(cut_video(3, 1), ElementsAre(0, 1, 2));
}

TEST(PartPlan, PartsBeginWhereTheyMay) {
    EXPECT_THAT(cut_video(300, 64, {{10, 70, 100, 140, 230, 250}}), ElementsAre(0, 70, 140, 230));
    EXPECT_THAT(cut_video(300, 64, {{20, 50, 290}}), ElementsAre(0));
}

TEST(PartPlan, EachWorkerGetsSomeParts) {
    EXPECT_EQ(choose_part_frames(100, 2), least_part_frames);
    EXPECT_EQ(choose_part_frames(6000, 2), 375);
    EXPECT_EQ(choose_part_frames(1'000'000, 2), 512);
}

} // namespace

} // namespace isovmaf::part_plan_test
