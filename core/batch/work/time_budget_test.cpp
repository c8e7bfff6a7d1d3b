// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/time_budget.hpp"

#include <gtest/gtest.h>

namespace isovmaf::testing::time_budget_test {
namespace {

using batch::parse_slurm_time;
using batch::TimeBudget;
using batch::UnitChoice;
using std::chrono::seconds;

const TimeBudget::Clock::time_point start{};

TEST(TimeBudget, WithoutAnEndAllUnitsAreBegun) {
    TimeBudget budget(1, std::nullopt);
    budget.measured(0, 1, 1000);
    EXPECT_FALSE(budget.limited());
    EXPECT_FALSE(budget.over(start + std::chrono::hours(10'000)));
    EXPECT_EQ(budget.choose(0, 1e15, start), UnitChoice::begin);
}

TEST(TimeBudget, WorkStopsBeforeTheEnd) {
    const TimeBudget budget(1, start + seconds(100));
    EXPECT_TRUE(budget.limited());
    EXPECT_FALSE(budget.over(start + seconds(89)));
    EXPECT_TRUE(budget.over(start + seconds(90)));
}

TEST(TimeBudget, UnitsThatWouldNotEndInTimeArePostponed) {
    TimeBudget budget(1, start + seconds(100));
    EXPECT_EQ(budget.choose(0, 1e15, start), UnitChoice::begin) << "no speed is known";
    budget.measured(0, 100, 20);
    budget.measured(0, 300, 20); // 10 bytes a second, or 8.3 with a margin
    EXPECT_EQ(budget.choose(0, 749, start), UnitChoice::begin);
    EXPECT_EQ(budget.choose(0, 751, start), UnitChoice::postpone);
    EXPECT_EQ(budget.choose(0, 82, start + seconds(80)), UnitChoice::begin);
    EXPECT_EQ(budget.choose(0, 84, start + seconds(80)), UnitChoice::postpone);
    EXPECT_EQ(budget.choose(0, 1, start + seconds(95)), UnitChoice::postpone);
}

TEST(TimeBudget, ASlowWorkerLeavesUnitsToAFastOne) {
    TimeBudget budget(3, start + seconds(100));
    budget.measured(0, 100, 100);
    budget.measured(1, 1000, 100);
    EXPECT_EQ(budget.choose(0, 700, start), UnitChoice::leave);
    EXPECT_EQ(budget.choose(1, 700, start), UnitChoice::begin);
    EXPECT_EQ(budget.choose(0, 800, start), UnitChoice::postpone);
    EXPECT_EQ(budget.choose(2, 800, start), UnitChoice::begin) << "its speed is not known";
}

TEST(SlurmTime, IsReadAsSqueuePrintsIt) {
    EXPECT_EQ(parse_slurm_time("0:00"), 0);
    EXPECT_EQ(parse_slurm_time("3:04"), 184);
    EXPECT_EQ(parse_slurm_time("59:59"), 3599);
    EXPECT_EQ(parse_slurm_time("2:03:04"), 7384);
    EXPECT_EQ(parse_slurm_time("1-02:03:04"), 93'784);
    EXPECT_EQ(parse_slurm_time("364-23:59:59"), 31'535'999);
}

TEST(SlurmTime, OtherTextsAreNoTime) {
    for (const char *const text : {"", "UNLIMITED", "INVALID", "NOT_SET", "5", "1-", "-1:00", "1:60", "1:2:3:4",
                                   "1:", ":1", "1:00 ", "9999999999-00:00:00"})
        EXPECT_FALSE(parse_slurm_time(text)) << text;
}

} // namespace
} // namespace isovmaf::testing::time_budget_test
