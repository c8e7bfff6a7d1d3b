// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/sync.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "content/patterns.hpp"

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
    EXPECT_DOUBLE_EQ(*pairing_tolerance(slow, fast), 0.011);
    EXPECT_DOUBLE_EQ(*pairing_tolerance(slow, video("c", Rational{1000, 1})), 0.000625);
    EXPECT_EQ(pairing_tolerance(video("a", {}), video("b", {})), std::nullopt);
}

TEST(Sync, NamesDifferentRatesAndWhatIsDone) {
    const SourceInfo slow = video("a", Rational{25, 1}), fast = video("b", Rational{50, 1});
    EXPECT_EQ(rate_difference(slow, fast, SyncMode::automatic),
              "reference a has 25 frames per second, distorted b has 50 frames per second: frames are paired by "
              "presentation time (--sync "
              "pts); use --sync index if both videos hold the same frames");
    EXPECT_THAT(rate_difference(slow, fast, SyncMode::index), HasSubstr("use --sync pts to pair"));
    EXPECT_EQ(rate_difference(slow, fast, SyncMode::pts), "");
    EXPECT_EQ(rate_difference(slow, slow, SyncMode::automatic), "");
}

SourceInfo counted(double rate, std::optional<std::int64_t> frames) {
    SourceInfo info = video("v", Rational{std::llround(rate * 1000), 1000});
    info.frame_count = frames;
    return info;
}

TEST(Sync, RetimedVideosHaveTheSameFramesAndOtherDurations) {
    const auto retiming = [](double r, std::optional<int> r_frames, double d, std::optional<int> d_frames) {
        const Retiming found = find_retiming(counted(r, r_frames), counted(d, d_frames));
        EXPECT_EQ(found, find_retiming(counted(d, d_frames), counted(r, r_frames)));
        EXPECT_EQ(resolve_sync(SyncMode::automatic, counted(r, r_frames), counted(d, d_frames)),
                  found == Retiming::none && r != d ? SyncMode::pts : SyncMode::index);
        return found;
    };
    for (const auto &[r, d] : {std::pair(23.976, 25.0), {24, 25}, {23.976, 24}, {29.97, 30}, {59.94, 60}, {48, 50}})
        for (const int frames : {1, 24, 2000, 172'800}) {
            EXPECT_EQ(retiming(r, frames, d, frames), Retiming::certain) << r << " " << d << " " << frames;
            EXPECT_EQ(retiming(r, frames, d, {}), Retiming::assumed);
            if (frames < 2000)
                continue;
            const int converted = static_cast<int>(std::lround(frames * d / r)); // frames were repeated
            EXPECT_EQ(retiming(r, frames, d, converted), Retiming::none) << r << " " << d << " " << frames;
            EXPECT_EQ(retiming(r, frames, d, frames / 2), Retiming::none) << "cut";
        }
    EXPECT_EQ(retiming(24, 1000, 25, 999), Retiming::certain);
    EXPECT_EQ(retiming(24, 24, 25, 25), Retiming::none) << "a second each";
    EXPECT_EQ(retiming(25, 100, 25, 100), Retiming::none);
    EXPECT_EQ(retiming(25, 100, 50, 100), Retiming::none) << "too far apart";
    EXPECT_EQ(retiming(25, {}, 50, {}), Retiming::none);
}

TEST(Sync, TellsOfRetimedVideosWithoutAWarningWhereItIsCertain) {
    const SourceInfo film = counted(24, 100), fast = counted(25, 100), pipe = counted(25, {});
    EXPECT_EQ(rate_difference(film, fast, SyncMode::automatic), "");
    EXPECT_EQ(
        retiming_note(film, fast, SyncMode::automatic),
        "reference v has 24 frames per second, distorted v has 25 frames per second, and both have about 100 "
        "frames: frame n is paired with frame n (--sync index); use --sync pts to pair frames by presentation time");
    EXPECT_THAT(rate_difference(film, pipe, SyncMode::automatic),
                HasSubstr("25 frames per second: frame n is paired with frame n; use --sync pts"));
    EXPECT_EQ(retiming_note(film, pipe, SyncMode::automatic), "");
    for (const SyncMode mode : {SyncMode::index, SyncMode::pts, SyncMode::pts_absolute}) {
        EXPECT_EQ(resolve_sync(mode, film, fast), mode);
        EXPECT_EQ(retiming_note(film, fast, mode), "");
    }
    EXPECT_THAT(rate_difference(film, fast, SyncMode::index), HasSubstr("frame n is paired with frame n"));
}

TEST(Sync, VariableRatesArePairedByTime) {
    SourceInfo varying = video("a", Rational{24, 1}), close = video("b", Rational{235, 10});
    varying.timing.variable = close.timing.variable = true;
    const SourceInfo constant = video("c", Rational{24, 1}), raw = video("d", {});
    EXPECT_EQ(resolve_sync(SyncMode::automatic, varying, close), SyncMode::pts);
    EXPECT_EQ(resolve_sync(SyncMode::automatic, varying, constant), SyncMode::pts);
    EXPECT_EQ(resolve_sync(SyncMode::automatic, constant, varying), SyncMode::pts);
    EXPECT_EQ(resolve_sync(SyncMode::index, varying, close), SyncMode::index);
    EXPECT_EQ(resolve_sync(SyncMode::automatic, varying, raw), SyncMode::index);
    EXPECT_EQ(rate_difference(varying, close, SyncMode::automatic), "");
    EXPECT_THAT(
        rate_difference(varying, constant, SyncMode::automatic),
        HasSubstr("a has 24 frames per second on average, at varying distances, distorted c has 24 frames per"));
}

TEST(Sync, NamesStartsThatDifferByMoreThanHalfAFrame) {
    const auto at = [](double start) { return video("v", Rational{25, 1}, start); };
    EXPECT_THAT(start_difference(at(0), at(0.08), SyncMode::automatic),
                HasSubstr("starts at 0.000 s, distorted v at 0.080 s"));
    EXPECT_THAT(start_difference(at(0), at(0.08), SyncMode::pts), HasSubstr("--sync pts-absolute"));
    EXPECT_EQ(start_difference(at(0), at(0.08), SyncMode::pts_absolute), "");
    EXPECT_EQ(start_difference(at(0), at(0.007), SyncMode::index), "");
}

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr VideoFormat tiny{.width = 2, .height = 2, .chroma = Chroma::k400};

/// Frames with these times; the sample values number them.
TimePairing::Video side_of(std::string name, const std::vector<std::optional<double>> &times) {
    return {std::move(name), [times, n = std::size_t{0}]() mutable -> Result<std::optional<Frame>> {
                if (n == times.size())
                    return std::nullopt;
                Frame frame = constant_frame(tiny, static_cast<std::uint32_t>(n));
                frame.set_seconds(times[n++]);
                return frame;
            }};
}

std::vector<std::optional<double>> at_rate(double rate, int count, double start = 0) {
    std::vector<std::optional<double>> times;
    for (int n = 0; n < count; n++)
        times.emplace_back(start + n / rate);
    return times;
}

struct Paired {
    std::vector<std::pair<int, int>> pairs;
    std::vector<std::int64_t> dropped, repeated;
    double seconds_left = 0; ///< as far as is read for 0.1 s
    std::string error;
};

Paired pair_up(const std::vector<std::optional<double>> &reference, const std::vector<std::optional<double>> &distorted,
               double tolerance, bool absolute = false) {
    TimePairing pairing(side_of("ref", reference), side_of("dis", distorted), tolerance, 0.001, absolute);
    const auto number = [](const Frame &frame) { return static_cast<int>(*frame.plane(0).row<std::uint8_t>(0)); };
    Paired paired;
    for (;;) {
        const auto pair = pairing.next();
        if (!pair)
            paired.error = pair.error().message;
        if (!pair || !*pair)
            break;
        paired.pairs.emplace_back(number((*pair)->reference), number((*pair)->distorted));
    }
    paired.dropped = pairing.unpaired_reference();
    paired.repeated = pairing.unpaired_distorted();
    if (paired.error.empty())
        paired.seconds_left = pairing.seconds_left(0.1).value_or(-1);
    return paired;
}

using Pairs = std::vector<std::pair<int, int>>;

TEST(TimePairing, PairsEqualTimes) {
    const Paired paired = pair_up(at_rate(25, 3), at_rate(25, 3), 0.02);
    EXPECT_EQ(paired.pairs, (Pairs{{0, 0}, {1, 1}, {2, 2}}));
    EXPECT_THAT(paired.dropped, IsEmpty());
    EXPECT_THAT(paired.repeated, IsEmpty());
    EXPECT_EQ(paired.seconds_left, 0);
}

TEST(TimePairing, PassesOverEverySecondFrameOfTwiceTheRate) {
    const Paired faster = pair_up(at_rate(25, 3), at_rate(50, 6), 0.01);
    EXPECT_EQ(faster.pairs, (Pairs{{0, 0}, {1, 2}, {2, 4}}));
    EXPECT_THAT(faster.repeated, ElementsAre(1, 3));
    EXPECT_NEAR(faster.seconds_left, 0.02, 1e-9);
    const Paired slower = pair_up(at_rate(50, 6), at_rate(25, 3), 0.01);
    EXPECT_EQ(slower.pairs, (Pairs{{0, 0}, {2, 1}, {4, 2}}));
    EXPECT_THAT(slower.dropped, ElementsAre(1, 3));
}

TEST(TimePairing, FindsOneDroppedAndOneRepeatedFrame) {
    const Paired paired = pair_up(at_rate(25, 5), {0.0, 0.04, 0.1, 0.12, 0.161}, 0.015);
    EXPECT_EQ(paired.pairs, (Pairs{{0, 0}, {1, 1}, {3, 3}, {4, 4}}));
    EXPECT_THAT(paired.dropped, ElementsAre(2));
    EXPECT_THAT(paired.repeated, ElementsAre(2));
}

TEST(TimePairing, PrefersTheNearerOfTwoFramesWithinTheTolerance) {
    EXPECT_EQ(pair_up({0.0, 0.10}, {0.0, 0.07, 0.09}, 0.05).pairs, (Pairs{{0, 0}, {1, 2}}));
    EXPECT_EQ(pair_up({0.0, 0.07, 0.09}, {0.0, 0.10}, 0.05).pairs, (Pairs{{0, 0}, {2, 1}}));
}

/// Times as Matroska has them.
std::vector<std::optional<double>> in_milliseconds(std::vector<std::optional<double>> times) {
    for (auto &time : times)
        time = std::round(*time * 1000) / 1000;
    return times;
}

TEST(TimePairing, TakesTheFirstOfTwoFramesThatAreEquallyNear) {
    const Pairs expected{{0, 0}, {2, 1}, {5, 2}, {7, 3}, {10, 4}, {12, 5}, {15, 6}, {17, 7}};
    const double tolerance = 1 / 120.0 + rounding_seconds(1 / 120.0);
    EXPECT_EQ(pair_up(at_rate(60, 20), at_rate(24, 8), tolerance).pairs, expected);
    EXPECT_EQ(pair_up(in_milliseconds(at_rate(60, 20)), at_rate(24, 8), tolerance).pairs, expected);
    EXPECT_EQ(pair_up(at_rate(60, 20), in_milliseconds(at_rate(24, 8)), tolerance).pairs, expected);
    EXPECT_EQ(pair_up(in_milliseconds(at_rate(60, 20)), in_milliseconds(at_rate(24, 8)), tolerance).pairs, expected);
}

TEST(TimePairing, ReadsOnInTheLongerVideoAsFarAsAsked) {
    EXPECT_NEAR(pair_up(at_rate(100, 3), at_rate(100, 50), 0.005).seconds_left, 0.11, 1e-9);
    EXPECT_NEAR(pair_up(at_rate(100, 8), at_rate(100, 3), 0.005).seconds_left, 0.05, 1e-9);
    EXPECT_NEAR(pair_up({0.0, 1.0}, {0.0}, 0.005).seconds_left, 1, 1e-9);
}

TEST(TimePairing, PairsNoFramesFurtherApartThanTheTolerance) {
    EXPECT_EQ(pair_up({0.0, 0.10}, {0.0, 0.119}, 0.02).pairs, (Pairs{{0, 0}, {1, 1}}));
    const Paired late = pair_up({0.0, 0.10}, {0.0, 0.121}, 0.02), early = pair_up({0.0, 0.121}, {0.0, 0.10}, 0.02);
    EXPECT_EQ(late.pairs, (Pairs{{0, 0}}));
    EXPECT_THAT(late.dropped, ElementsAre(1));
    EXPECT_EQ(early.pairs, (Pairs{{0, 0}}));
    EXPECT_THAT(early.repeated, ElementsAre(1));
}

TEST(TimePairing, CountsFromTheFirstFramesUnlessTimesAreAbsolute) {
    EXPECT_EQ(pair_up(at_rate(25, 2), at_rate(25, 2, 1.4), 0.02).pairs, (Pairs{{0, 0}, {1, 1}}));
    const Paired absolute = pair_up(at_rate(25, 4), at_rate(25, 2, 0.04), 0.02, true);
    EXPECT_EQ(absolute.pairs, (Pairs{{1, 0}, {2, 1}}));
    EXPECT_THAT(absolute.dropped, ElementsAre(0));
    EXPECT_NEAR(absolute.seconds_left, 0.04, 1e-9);
    EXPECT_THAT(pair_up(at_rate(25, 2), at_rate(25, 2, 9), 0.02, true).pairs, IsEmpty());
}

TEST(TimePairing, RefusesFramesWithoutAnOrder) {
    EXPECT_THAT(pair_up(at_rate(25, 3), {0.0, std::nullopt}, 0.02).error, HasSubstr("frame 1 of dis has no"));
    EXPECT_THAT(pair_up({0.0, 0.04, 0.04}, at_rate(25, 3), 0.02).error, HasSubstr("frame 2 of ref is shown at 0.040"));
}

} // namespace

} // namespace isovmaf::sync_test
