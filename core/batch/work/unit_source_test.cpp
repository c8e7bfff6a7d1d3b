// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_source.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "batch/work/unit_work.hpp"

namespace isovmaf::batch::unit_source_test {

namespace {

using Clock = std::chrono::steady_clock;

const UnitOutcome finished{UnitEnd::finished};

bool never() { return false; }

/// All units that a source gives to one worker who settles each of them.
std::vector<std::size_t> settle_all(UnitSource &source) {
    std::vector<std::size_t> units;
    for (auto unit = source.next(never); unit && *unit; unit = source.next(never)) {
        units.push_back(**unit);
        EXPECT_TRUE(source.settle(**unit, finished));
    }
    return units;
}

} // namespace

TEST(ShardUnits, ShardsShareAllUnitsInTheirOrder) {
    for (const std::size_t units : {0U, 1U, 5U, 12U}) {
        std::multiset<std::size_t> all;
        for (std::size_t i = 0; i < 5; i++) {
            ShardUnits source(units, {i, 5});
            const std::vector<std::size_t> given = settle_all(source);
            EXPECT_EQ(given.size(), source.size());
            EXPECT_TRUE(std::ranges::is_sorted(given));
            all.insert(given.begin(), given.end());
        }
        EXPECT_EQ(all.size(), units);
        EXPECT_EQ(std::set(all.begin(), all.end()).size(), units);
    }
}

TEST(ShardUnits, UnitsOfOthersWaitUntilAllWereLookedAt) {
    ShardUnits source(3, {});
    std::set<std::size_t> looked_at;
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < 4; i++) { // the first one, and then a circle from a random place
        const std::size_t unit = **source.next(never);
        looked_at.insert(unit);
        ASSERT_TRUE(source.put_back(unit));
    }
    EXPECT_EQ(looked_at.size(), 3U);
    EXPECT_LT(Clock::now() - start, std::chrono::milliseconds(400));
    const std::size_t again = **source.next(never);
    EXPECT_GT(Clock::now() - start, std::chrono::milliseconds(400));
    ASSERT_TRUE(source.settle(again, finished));
    EXPECT_EQ(settle_all(source).size(), 2U);
}

TEST(ShardUnits, AWorkerLeavesWhenTheLastUnitIsSettledOrItHasToStop) {
    ShardUnits source(1, {});
    const std::size_t unit = **source.next(never);
    EXPECT_FALSE(source.next([] { return true; })->has_value());
    std::jthread other([&] { EXPECT_FALSE(source.next(never)->has_value()); });
    ASSERT_TRUE(source.settle(unit, finished));
}

} // namespace isovmaf::batch::unit_source_test
