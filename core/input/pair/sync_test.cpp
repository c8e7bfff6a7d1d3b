// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/sync.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf::sync_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SourceInfo video(std::string name, std::optional<Rational> rate, std::optional<double> start = {}) {
    SourceInfo info;
    info.name = std::move(name);
    info.timing.average_rate = rate;
    info.timing.start_seconds = start;
    return info;
}

TEST(Sync, RatesDifferBeyondRounding) {
    EXPECT_TRUE(rates_differ(video("a", Rational{25, 1}), video("b", Rational{50, 1})));
    EXPECT_TRUE(rates_differ(video("a", Rational{24, 1}), video("b", Rational{24000, 1001})));
    EXPECT_FALSE(rates_differ(video("a", Rational{2997, 100}), video("b", Rational{30000, 1001})));
    EXPECT_FALSE(rates_differ(video("a", {}), video("b", Rational{50, 1})));
}

TEST(Sync, TheModeFollowsTheRatesUnlessItIsChosen) {
    const SourceInfo slow = video("a", Rational{25, 1}), fast = video("b", Rational{50, 1});
    EXPECT_EQ(resolve_sync(SyncMode::automatic, slow, fast), SyncMode::pts);
    EXPECT_EQ(resolve_sync(SyncMode::automatic, slow, slow), SyncMode::index);
    EXPECT_EQ(resolve_sync(SyncMode::automatic, slow, video("c", {})), SyncMode::index);
    EXPECT_EQ(resolve_sync(SyncMode::index, slow, fast), SyncMode::index);
    EXPECT_DOUBLE_EQ(*half_frame_seconds(slow, fast), 0.01);
    EXPECT_EQ(half_frame_seconds(video("a", {}), video("b", {})), std::nullopt);
}

TEST(Sync, NamesDifferentRatesAndWhatIsDone) {
    const SourceInfo slow = video("a", Rational{25, 1}), fast = video("b", Rational{50, 1});
    EXPECT_THAT(
        timing_differences(slow, fast, SyncMode::automatic),
        ElementsAre("reference a has 25 frames per second, distorted b has 50: frames are paired by presentation "
                    "time (--sync pts); use --sync index if both videos hold the same frames"));
    EXPECT_THAT(timing_differences(slow, fast, SyncMode::index), ElementsAre(HasSubstr("use --sync pts to pair")));
    EXPECT_THAT(timing_differences(slow, fast, SyncMode::pts), IsEmpty());
    EXPECT_THAT(timing_differences(slow, slow, SyncMode::automatic), IsEmpty());
}

TEST(Sync, NamesStartsThatDifferByMoreThanHalfAFrame) {
    const auto at = [](double start) { return video("v", Rational{25, 1}, start); };
    EXPECT_THAT(timing_differences(at(0), at(0.08), SyncMode::automatic),
                ElementsAre(HasSubstr("starts at 0.000 s, distorted v at 0.080 s")));
    EXPECT_THAT(timing_differences(at(0), at(0.08), SyncMode::pts), ElementsAre(HasSubstr("--sync pts-absolute")));
    EXPECT_THAT(timing_differences(at(0), at(0.08), SyncMode::pts_absolute), IsEmpty());
    EXPECT_THAT(timing_differences(at(0), at(0.007), SyncMode::index), IsEmpty());
}

} // namespace
} // namespace isovmaf::sync_test
