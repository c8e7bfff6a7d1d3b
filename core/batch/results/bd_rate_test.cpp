// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/bd_rate.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf::testing::bd_rate_test {
namespace {

using batch::bd_rate;

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

std::string reason(const std::vector<RatePoint> &anchor, const std::vector<RatePoint> &tested) {
    const auto rate = bd_rate(anchor, tested);
    return rate ? "none" : rate.error();
}

TEST(BdRate, NeedsFourPointsThatGrow) {
    const std::vector<RatePoint> three(curve.begin(), curve.begin() + 3), one(curve.begin(), curve.begin() + 1);
    EXPECT_EQ(reason(curve, three), "the curve has 3 points, and 4 are needed");
    EXPECT_EQ(reason(one, curve), "the anchor has 1 point, and 4 are needed");
    std::vector<RatePoint> falling = curve;
    falling[2].score = 60;
    EXPECT_EQ(reason(curve, falling), "the score of the curve does not grow from the bit rate 1000 to 2000");
    falling[2].score = 62;
    EXPECT_EQ(reason(falling, curve), "the score of the anchor does not grow from the bit rate 1000 to 2000");
    falling = curve;
    falling[4].score = INFINITY;
    EXPECT_EQ(reason(falling, curve), "a score of the anchor is infinite");
    falling = curve;
    falling[1].bit_rate = 500;
    EXPECT_EQ(reason(curve, falling), "the curve has two points with the bit rate 500");
    std::vector<RatePoint> above = curve;
    for (RatePoint &point : above)
        point.score += 100;
    EXPECT_EQ(reason(curve, above), "no score is reached by both: the anchor has 40 to 96, the curve 140 to 196");
}

/// Neighbours whose logarithms are equal, or nearly so, give no slope but a flat one.
TEST(BdRate, TakesBitRatesThatHardlyDiffer) {
    std::vector<RatePoint> close = curve;
    close[1].bit_rate = std::nextafter(close[0].bit_rate, 1e9);
    close[2].bit_rate = std::nextafter(close[1].bit_rate, 1e9);
    const double rate = bd_rate(curve, close).value();
    EXPECT_GT(rate, -75);
    EXPECT_LT(rate, 0);
}

/// Values with 60 digits, of the Python module decimal, rounded once.
TEST(Logarithm, IsWithinItsBound) {
    const auto check = [](double value, double base, double expected) {
        EXPECT_LE(std::abs(log_of_ratio(value, base) - expected), 1e-15 + 1e-15 * std::abs(expected))
            << value << " / " << base;
    };
    check(1.0000000000000002, 1.0, 2.2204460492503128e-16);
    check(0.9999999999999999, 1.0, -1.1102230246251565e-16);
    check(1.5, 1.0, 0.4054651081081644);
    check(1.4142135623730951, 1.0, 0.3465735902799727);
    check(1.414213562373095, 1.0, 0.3465735902799726);
    check(0.7071067811865476, 1.0, -0.3465735902799726);
    check(0.7071067811865475, 1.0, -0.34657359027997275);
    check(2.0, 1.0, 0.6931471805599453);
    check(10.0, 1.0, 2.302585092994046);
    check(4000.0, 500.0, 2.0794415416798357);
    check(1.0, 1e-300, 690.7755278982137);
    check(1e+300, 1e-300, 1381.5510557964274);
    check(123456.789, 0.001, 18.63140176616802);
    check(5e-324, 1.0, -744.4400719213812);
    EXPECT_EQ(log_of_ratio(7, 7), 0);
    EXPECT_EQ(log_of_ratio(0.1, 0.1), 0);
}

TEST(Logarithm, NeverFalls) {
    for (double value = 1; value < 3e6; value *= 1.0037) {
        EXPECT_NEAR(log_of_ratio(value, 1), std::log(value), 1e-15 + 1e-15 * std::log(value)) << value;
        EXPECT_GE(log_of_ratio(std::nextafter(value, INFINITY), value), 0) << value;
        EXPECT_LE(log_of_ratio(value, std::nextafter(value, INFINITY)), 0) << value;
    }
}

/// The bits are the same on every machine.
TEST(BdRate, HasTheseBits) {
    std::vector<RatePoint> other = scaled(0.73);
    other[1].score += 1.7;
    other[3].score -= 2.3;
    EXPECT_EQ(*bd_rate(curve, other), -26.742536857166765);
}

} // namespace
} // namespace isovmaf::testing::bd_rate_test
