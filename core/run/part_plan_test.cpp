// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/part_plan.hpp"

#include <gtest/gtest.h>

namespace isovmaf::part_plan_test {

namespace {

constexpr std::nullopt_t none = std::nullopt;

TEST(PartPlan, BordersLeaveEnoughFramesOnBothSides) {
    const PartPlan plan{.frames = 300};
    EXPECT_EQ(plan.border_near(100, 0, 300), 100);
    EXPECT_EQ(plan.border_near(3, 0, 300), 64);
    EXPECT_EQ(plan.border_near(290, 0, 300), 236);
    EXPECT_EQ(plan.border_near(100, 60, 188), 124);
    EXPECT_EQ(plan.border_near(100, 60, 187), none);
}

TEST(PartPlan, BordersOfCodedVideosAreAmongTheirStarts) {
    const PartPlan plan{.frames = 300, .starts = {{10, 70, 100, 140, 230, 250}}};
    EXPECT_EQ(plan.border_near(0, 0, 300), 70);
    EXPECT_EQ(plan.border_near(90, 0, 300), 100);
    EXPECT_EQ(plan.border_near(300, 0, 300), 230);
    EXPECT_EQ(plan.border_near(90, 40, 300), 140);
    EXPECT_EQ(plan.border_near(90, 40, 200), none);
}

TEST(PartPlan, ShortVideosHaveFramesForFewWorkers) {
    EXPECT_EQ((PartPlan{.frames = 127}.usable_workers(3)), 1);
    EXPECT_EQ((PartPlan{.frames = 128}.usable_workers(3)), 2);
    EXPECT_EQ((PartPlan{.frames = 999}.usable_workers(3)), 3);
    EXPECT_EQ((PartPlan{.frames = 300, .starts = {{20, 50, 290}}}.usable_workers(2)), 1);
    EXPECT_EQ((PartPlan{.frames = 5, .least_frames = 2}.usable_workers(9)), 2);
}

} // namespace

} // namespace isovmaf::part_plan_test
