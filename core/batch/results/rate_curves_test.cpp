// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/rate_curves.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf::testing::bd_rate_test {
namespace {

using batch::bd_rate;
using batch::RatePoint;

const std::vector<RatePoint> curve{{500, 40}, {1000, 62}, {2000, 78}, {4000, 90}, {8000, 96}};

std::vector<RatePoint> scaled(double factor) {
    std::vector<RatePoint> points = curve;
    for (RatePoint &point : points)
        point.bit_rate *= factor;
    return points;
}

TEST(BdRate, IsTheFactorBetweenCurvesOfOneShape) {
    EXPECT_NEAR(*bd_rate(curve, curve), 0, 1e-12);
    EXPECT_NEAR(*bd_rate(curve, scaled(0.8)), -20, 1e-9);
    EXPECT_NEAR(*bd_rate(scaled(0.8), curve), 25, 1e-9);
}

TEST(BdRate, CountsOnlyScoresThatBothReach) {
    const std::vector<RatePoint> upper(curve.begin() + 1, curve.end());
    std::vector<RatePoint> dearer = upper;
    for (RatePoint &point : dearer)
        point.bit_rate *= 2;
    EXPECT_NEAR(*bd_rate(upper, dearer), 100, 1e-9);
    std::vector<RatePoint> above = curve;
    for (RatePoint &point : above)
        point.score += 100;
    EXPECT_FALSE(bd_rate(curve, above));
}

/// Where the logarithm of the rate is a straight line, the interpolation is that line, also between the points.
TEST(BdRate, OfExponentialsIsTheMeanDifferenceOfTheirExponents) {
    std::vector<RatePoint> a, b;
    for (const double score : {20, 35, 50, 65, 80})
        a.push_back({std::exp(score / 20), score});
    for (const double score : {25, 45, 60, 85})
        b.push_back({std::exp(score / 20 + 0.002 * (score - 50)), score});
    const double mean_score = (25 + 80) / 2.0; // of those that both reach
    EXPECT_NEAR(*bd_rate(a, b), (std::exp(0.002 * (mean_score - 50)) - 1) * 100, 1e-9);
}

TEST(BdRate, NeedsFourPointsThatGrow) {
    EXPECT_FALSE(bd_rate(curve, std::vector<RatePoint>(curve.begin(), curve.begin() + 3)));
    std::vector<RatePoint> falling = curve;
    falling[2].score = 60;
    EXPECT_FALSE(bd_rate(curve, falling));
    falling = curve;
    falling[4].score = INFINITY;
    EXPECT_FALSE(bd_rate(falling, curve));
    falling = curve;
    falling[1].bit_rate = 500;
    EXPECT_FALSE(bd_rate(curve, falling));
}

} // namespace
} // namespace isovmaf::testing::bd_rate_test
