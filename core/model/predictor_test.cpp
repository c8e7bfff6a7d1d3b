// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/predictor.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

TEST(ScoreTransform, DoesNothingUntilEnabled) {
    ScoreTransform transform{.p0 = 5};
    EXPECT_EQ(transform.apply(80), 80);
    transform.enabled = true;
    EXPECT_EQ(transform.apply(80), 5);
    EXPECT_EQ(ScoreTransform{.enabled = true}.apply(80), 80);
}

TEST(ScoreTransform, PolynomialRoundsFromLeftToRight) {
    const ScoreTransform phone{.enabled = true, .p0 = 1.70674692, .p1 = 1.72643844, .p2 = -0.00705305};
    const double score = 82.63980469307762;
    EXPECT_EQ(phone.apply(score), (1.70674692 + 1.72643844 * score) + -0.00705305 * score * score);
    EXPECT_EQ((ScoreTransform{.enabled = true, .p1 = 2}.apply(3)), 6);
    EXPECT_EQ((ScoreTransform{.enabled = true, .p2 = 2}.apply(3)), 18);
}

TEST(ScoreTransform, BoundsCompareWithTheScoreBefore) {
    EXPECT_EQ((ScoreTransform{.enabled = true, .p1 = 2, .out_lte_in = true}.apply(3)), 3);
    EXPECT_EQ((ScoreTransform{.enabled = true, .p1 = 2, .out_lte_in = true}.apply(-3)), -6);
    EXPECT_EQ((ScoreTransform{.enabled = true, .p1 = 2, .out_gte_in = true}.apply(3)), 6);
    EXPECT_EQ((ScoreTransform{.enabled = true, .p1 = 2, .out_gte_in = true}.apply(-3)), -3);
}

TEST(ScoreTransform, BoundsBeginWhereBothScoresAreEqual) {
    constexpr double score = 50, little = 0x1p-40, one = 1;
    for (const double change : {-one, -little, 0.0, little, one}) {
        const ScoreTransform up{.enabled = true, .p0 = change, .p1 = 1, .out_gte_in = true};
        const ScoreTransform down{.enabled = true, .p0 = change, .p1 = 1, .out_lte_in = true};
        EXPECT_EQ(up.apply(score), score + std::max(change, 0.0)) << change;
        EXPECT_EQ(down.apply(score), score + std::min(change, 0.0)) << change;
    }
}

TEST(ScoreTransform, KnotsInterpolateAndExtendOutwards) {
    const ScoreTransform map{.enabled = true, .knots = {{0, 10}, {2, 20}, {4, 20}, {8, 40}}};
    EXPECT_EQ(map.apply(-2), 0); // the first segment goes on
    EXPECT_EQ(map.apply(0), 10);
    EXPECT_EQ(map.apply(1), 15);
    EXPECT_EQ(map.apply(2), 20);
    EXPECT_EQ(map.apply(3), 20); // a level segment
    EXPECT_EQ(map.apply(6), 30);
    EXPECT_EQ(map.apply(8), 40);
    EXPECT_EQ(map.apply(10), 50); // the last segment goes on
    const ScoreTransform level{.enabled = true, .knots = {{1, 5}, {2, 5}}};
    EXPECT_EQ(level.apply(0), 5);
    EXPECT_EQ(level.apply(9), 5);
}

TEST(ScoreTransform, AKnotOfTwoSegmentsCountsToTheLater) {
    // Rounding makes the earlier segment end just below the knot.
    const ScoreTransform map{.enabled = true, .knots = {{0.5, 0.8}, {0.9, 1.7}, {3.7, 3.2}}};
    const double earlier = (1.7 - 0.8) / (0.9 - 0.5), later = (3.2 - 1.7) / (3.7 - 0.9);
    EXPECT_EQ(map.apply(0.9), later * 0.9 + (1.7 - 0.9 * later));
    EXPECT_NE(map.apply(0.9), earlier * 0.9 + (0.8 - 0.5 * earlier));
}

TEST(ScoreTransform, KnotsFollowThePolynomial) {
    const ScoreTransform map{.enabled = true, .p1 = 10, .knots = {{0, 0}, {10, 1}}};
    EXPECT_EQ(map.apply(2), 2);
}

TEST(ScoreClip, LimitsBothSides) {
    const ScoreClip clip{0, 110};
    EXPECT_EQ(clip.apply(-0.5), 0);
    EXPECT_EQ(clip.apply(55.5), 55.5);
    EXPECT_EQ(clip.apply(110.5), 110);
}

} // namespace
} // namespace isovmaf
