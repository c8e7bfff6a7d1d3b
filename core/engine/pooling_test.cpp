// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/score_table.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace isovmaf::pooling_test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Pools `scores` as the second of three columns.
PooledScore pool(const std::vector<double> &scores) {
    ScoreTable table{.names = {"before", "pooled", "after"}, .frames = {}, .aggregates = {}};
    for (std::size_t n = 0; n < scores.size(); n++)
        table.frames.push_back({static_cast<std::int64_t>(n), {-1e9, scores[n], 1e9}});
    return pool_column(table, 1);
}

std::vector<double> all_statistics(const PooledScore &pooled) {
    return {pooled.min,           pooled.max,           pooled.mean,          pooled.harmonic_mean,
            pooled.percentile_1,  pooled.percentile_5,  pooled.percentile_10, pooled.percentile_25,
            pooled.percentile_50, pooled.percentile_75, pooled.percentile_95, pooled.percentile_99};
}

TEST(Pooling, NoFramesGiveZeros) {
    const PooledScore pooled = pool({});
    for (const double value : all_statistics(pooled))
        EXPECT_EQ(value, 0);
}

TEST(Pooling, OneFrameIsEveryStatistic) {
    const PooledScore pooled = pool({0.25});
    for (const double value : all_statistics(pooled))
        EXPECT_EQ(value, 0.25);
}

TEST(Pooling, StatisticsOfAFewFrames) {
    const PooledScore pooled = pool({3, 0, 1});
    EXPECT_EQ(pooled.min, 0);
    EXPECT_EQ(pooled.max, 3);
    EXPECT_EQ(pooled.mean, 4.0 / 3);
    EXPECT_EQ(pooled.harmonic_mean, 3 / (0.25 + 1 + 0.5) - 1);
    EXPECT_EQ(pooled.percentile_1, 1 * (0.02 - 0));
    EXPECT_EQ(pooled.percentile_5, 1 * (0.1 - 0));
    EXPECT_EQ(pooled.percentile_10, 1 * (0.2 - 0));
    EXPECT_EQ(pooled.percentile_25, 0.5);
    EXPECT_EQ(pooled.percentile_50, 1);
    EXPECT_EQ(pooled.percentile_75, 2);
}

TEST(Pooling, OfZerosTheFirstFramesCounts) {
    for (const double first : {0.0, -0.0}) {
        std::vector<double> zeros;
        for (int n = 0; n < 100; n++) // enough that a sort that is not stable changes their order
            zeros.push_back(n % 3 == 0 ? first : -first);
        const PooledScore pooled = pool(zeros);
        EXPECT_EQ(std::signbit(pooled.min), std::signbit(first));
        EXPECT_EQ(std::signbit(pooled.max), std::signbit(first));
    }
}

/// A small term is lost beside a large one unless it comes after the large ones cancelled.
TEST(Pooling, SumsRunInFrameOrder) {
    EXPECT_EQ(pool({0x1p53, 1, -0x1p53}).mean, 0);
    EXPECT_EQ(pool({0x1p53, -0x1p53, 1}).mean, 1.0 / 3);
    EXPECT_EQ(pool({0x1p-52 - 1, 3, -0x1p-52 - 1}).harmonic_mean, inf);
    EXPECT_EQ(pool({0x1p-52 - 1, -0x1p-52 - 1, 3}).harmonic_mean, 11);
}

TEST(Pooling, WholeRanksAreNotInterpolated) {
    std::vector<double> scores;
    for (int n = 200; n >= 0; n--)
        scores.push_back(n / 7.0);
    const PooledScore pooled = pool(scores);
    EXPECT_EQ(pooled.percentile_1, 2 / 7.0);
    EXPECT_EQ(pooled.percentile_5, 10 / 7.0);
    EXPECT_EQ(pooled.percentile_10, 20 / 7.0);
    EXPECT_EQ(pooled.percentile_25, 50 / 7.0);
    EXPECT_EQ(pooled.percentile_50, 100 / 7.0);
    EXPECT_EQ(pooled.percentile_75, 150 / 7.0);
    EXPECT_EQ(pooled.percentile_95, 190 / 7.0);
    EXPECT_EQ(pooled.percentile_99, 198 / 7.0);
}

TEST(Pooling, RanksBetweenFramesAreBlended) {
    std::vector<double> scores;
    for (int n = 0; n < 48; n++)
        scores.push_back(100 - n / 3.0);
    const PooledScore pooled = pool(scores); // ranks 0.47, 2.35, 4.7 from below
    EXPECT_EQ(pooled.percentile_1, scores[47] * (1 - 0.47) + scores[46] * 0.47);
    EXPECT_EQ(pooled.percentile_5, scores[45] * (3 - 2.35) + scores[44] * (2.35 - 2));
    EXPECT_EQ(pooled.percentile_10, scores[43] * (5 - 4.7) + scores[42] * (4.7 - 4));
}

TEST(Pooling, PercentilesOfEqualScoresAreThatScore) {
    for (std::size_t frames = 1; frames < 300; frames++) {
        const PooledScore pooled = pool(std::vector<double>(frames, 97.428422));
        EXPECT_EQ(pooled.percentile_1, 97.428422) << frames;
        EXPECT_EQ(pooled.percentile_5, 97.428422) << frames;
        EXPECT_EQ(pooled.percentile_10, 97.428422) << frames;
    }
}

TEST(Pooling, InfinitiesAreScores) {
    const PooledScore lossless = pool({inf, inf, inf});
    EXPECT_EQ(lossless.min, inf);
    EXPECT_EQ(lossless.mean, inf);
    EXPECT_EQ(lossless.harmonic_mean, inf);
    EXPECT_EQ(lossless.percentile_10, inf);

    const PooledScore mixed = pool({inf, 1, -inf});
    EXPECT_EQ(mixed.min, -inf);
    EXPECT_EQ(mixed.max, inf);
    EXPECT_TRUE(std::isnan(mixed.mean));
    EXPECT_EQ(mixed.percentile_1, -inf);
}

TEST(Pooling, OneNanMakesEveryStatisticNan) {
    const PooledScore pooled = pool({3, nan, 1, nan, 2});
    for (const double value : all_statistics(pooled))
        EXPECT_TRUE(std::isnan(value));
}

} // namespace
} // namespace isovmaf::pooling_test
