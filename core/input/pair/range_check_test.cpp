// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/range_check.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "content/patterns.hpp"

namespace isovmaf::range_check_test {

namespace {

using ::testing::HasSubstr;
using Verdict = RangeFit::Verdict;
using Grade = std::function<double(double)>; ///< from the limited luma of a scene to that of a video

constexpr VideoFormat format{.width = 96, .height = 54, .chroma = Chroma::k400};

double as_is(double luma) { return luma; }
double to_full(double luma) { return (luma - 16) * 255 / 219; }

/// A scene in limited luma around `middle`, with half the `contrast`.
double scene(int frame, int x, int y, double middle, double contrast) {
    const double wave = std::sin((x + 2 * frame) / 13.0) + std::sin((y - frame) / 9.0 + x / 31.0);
    return middle + contrast / 4 * wave;
}

struct Look {
    double middle = 120, contrast = 180;
    double noise = 0; ///< of each video by itself: the standard deviation
    int shift = 0;    ///< samples by which the second video is cropped
    int bit_depth = 8;
};

RangeFit::Finding judge(const Grade &full, const Grade &other, const Look &look = {}) {
    RangeFit fit;
    std::mt19937 random(5);
    std::normal_distribution<double> noise(0, std::max(look.noise, 1e-9));
    VideoFormat deep = format;
    deep.bit_depth = look.bit_depth;
    const double most = (1 << look.bit_depth) - 1;
    for (int n = 0; n < 3; n++) {
        const auto painted = [&](const Grade &grade, int shift) {
            return painted_frame(deep, default_poison, [&, n](int, int x, int y) {
                const double luma = grade(scene(n, x + shift, y, look.middle, look.contrast)) + noise(random);
                return static_cast<std::uint32_t>(
                    std::clamp(std::round(luma * (1 << (look.bit_depth - 8))), 0.0, most));
            });
        };
        const Frame first = painted(full, 0), second = painted(other, look.shift);
        fit.add(first, second);
    }
    return fit.judge();
}

TEST(RangeFit, TellsLimitedFromFull) {
    for (const int bit_depth : {8, 10, 16}) {
        const auto limited = judge(to_full, as_is, {.bit_depth = bit_depth});
        EXPECT_EQ(limited.verdict, Verdict::limited) << bit_depth;
        EXPECT_NEAR(limited.factor, 255.0 / 219, 0.01);
        EXPECT_EQ(judge(as_is, as_is, {.bit_depth = bit_depth}).verdict, Verdict::full);
        EXPECT_EQ(judge(to_full, to_full, {.contrast = 250, .bit_depth = bit_depth}).verdict, Verdict::full);
    }
}

TEST(RangeFit, ReadsDarkBrightAndNoisyPictures) {
    for (const double middle : {60.0, 190.0})
        for (const double noise : {0.0, 2.0, 4.0}) {
            const Look look{.middle = middle, .contrast = 80, .noise = noise};
            EXPECT_EQ(judge(to_full, as_is, look).verdict, Verdict::limited) << middle << " " << noise;
            EXPECT_EQ(judge(as_is, as_is, look).verdict, Verdict::full) << middle << " " << noise;
        }
}

TEST(RangeFit, LeavesPicturesThatSayTooLittle) {
    EXPECT_EQ(judge(to_full, as_is, {.contrast = 0}).verdict, Verdict::undecided) << "flat";
    EXPECT_EQ(judge(to_full, as_is, {.middle = 28, .contrast = 24}).verdict, Verdict::undecided)
        << "dark, low contrast";
    EXPECT_EQ(judge(to_full, as_is, {.contrast = 80, .noise = 90}).verdict, Verdict::undecided) << "all noise";
    EXPECT_EQ(judge(to_full, as_is, {.shift = 24}).verdict, Verdict::undecided) << "cropped";
    EXPECT_EQ(RangeFit().judge().verdict, Verdict::undecided);
}

TEST(RangeFit, LeavesGradedPictures) {
    const auto gamma = [](double power) {
        return [power](double luma) { return 16 + 219 * std::pow(std::max(0.0, (luma - 16) / 219), power); };
    };
    const auto brighter = [](double luma) { return luma + 8; };
    const auto flatter = [](double luma) { return 128 + 0.92 * (luma - 128); };
    for (const Grade &grade : {Grade(gamma(0.8)), Grade(gamma(1.25)), Grade(brighter), Grade(flatter)}) {
        EXPECT_EQ(judge(grade, as_is).verdict, Verdict::undecided);
        EXPECT_EQ(judge(to_full, grade).verdict, Verdict::undecided);
    }
    const auto harder = [](double luma) { return 60 + 255.0 / 219 * (luma - 60); };
    EXPECT_EQ(judge(harder, as_is).verdict, Verdict::undecided) << "the factor of ranges around another level";
}

TEST(RangeFit, LumaOutsideLimitedRangeIsNotLimited) {
    const auto to_fuller = [](double luma) { return 113 + 255.0 / 219 * (luma - 113); };
    EXPECT_EQ(judge(to_fuller, as_is, {.middle = 113, .contrast = 216}).verdict, Verdict::undecided);
}

RangeCheck check_of(bool refuse) { return {{false, "ranges differ", refuse}, "a", "b"}; }

FramePair pair_of(int frame, const Grade &reference, const Grade &distorted, double contrast) {
    const auto painted = [&](const Grade &grade) {
        return painted_frame(format, default_poison, [&](int, int x, int y) {
            return static_cast<std::uint32_t>(std::clamp(grade(scene(frame, x, y, 120, contrast)), 0.0, 255.0));
        });
    };
    return {painted(reference), painted(distorted)};
}

TEST(RangeCheck, DecidesAfterTheFirstSecondOrWhenPicturesTell) {
    for (const int flat : {0, 40}) { // a black title first
        RangeCheck check = check_of(true);
        int pairs = 0;
        std::optional<RangeCheck::Outcome> outcome;
        for (; !outcome && pairs < 200; pairs++)
            outcome = check.see(pair_of(pairs, as_is, to_full, pairs < flat ? 0 : 180));
        ASSERT_TRUE(outcome);
        EXPECT_GE(pairs, flat == 0 ? 24 : 41);
        EXPECT_LE(pairs, flat == 0 ? 24 : 72);
        EXPECT_EQ(outcome->kind, FindingKind::error);
        EXPECT_THAT(outcome->sentence,
                    HasSubstr("ranges differ; the pictures tell that a is limited range: the luma of "
                              "b is 1.16"));
        EXPECT_TRUE(check.decided());
    }
}

TEST(RangeCheck, DecidesAtTheEndOfAShortVideo) {
    RangeCheck limited = check_of(false), full = check_of(true), flat = check_of(true);
    for (int n = 0; n < 3; n++) {
        EXPECT_FALSE(limited.see(pair_of(n, as_is, to_full, 180)));
        EXPECT_FALSE(full.see(pair_of(n, as_is, as_is, 180)));
        EXPECT_FALSE(flat.see(pair_of(n, as_is, to_full, 0)));
    }
    EXPECT_EQ(limited.end().kind, FindingKind::warning) << "nothing is refused";
    EXPECT_EQ(full.end().kind, FindingKind::note);
    const auto undecided = flat.end();
    EXPECT_EQ(undecided.kind, FindingKind::warning);
    EXPECT_EQ(undecided.sentence, "ranges differ");
}

} // namespace

} // namespace isovmaf::range_check_test
