// SPDX-License-Identifier: BSD-2-Clause-Patent
// The steps in f64 with sums that are made for them: no golden value changes when a product and a sum are fused, or
// when weights are smoothed from other neighbours.
#include <cmath>

#include <gtest/gtest.h>

#include "features/xpsnr/xpsnr.hpp"

namespace isovmaf::xpsnr_weights_test {
namespace {

constexpr VideoFormat small{.width = 45, .height = 45, .chroma = Chroma::k400}; // 12 x 12 blocks of 4x4
constexpr VideoFormat large{.width = 645, .height = 480, .chroma = Chroma::k400};

XpsnrGrid grid_of(const VideoFormat &format) { return {format, ChromaEdge::absent, 1}; }

std::vector<std::int64_t> no_sums(const XpsnrGrid &grid) {
    return std::vector<std::int64_t>(static_cast<std::size_t>(grid.block_count() * grid.words_per_block()));
}

TEST(XpsnrWeights, ActivityIsThatOfCoreAndBlock) {
    const XpsnrGrid grid = grid_of(large);
    std::vector<std::int64_t> sums = no_sums(grid);
    const int side = grid.side();
    sums[grid.word(0, XpsnrSum::spatial)] = 1000000;
    sums[grid.word(0, XpsnrSum::temporal)] = 2000;
    const std::vector<double> weights = xpsnr_weights(grid, sums);
    const double core = (side - 1) * (side - 1), block = side * side;
    EXPECT_EQ(weights[0], 1 / (1000000 / core + 4000 / block));
    EXPECT_EQ(weights[1], 0.25); // the smallest activity at 8 bit is 4
}

TEST(XpsnrWeights, BlocksWithoutCoreWeighOne) {
    const XpsnrGrid grid = grid_of({.width = 641, .height = 700, .chroma = Chroma::k400});
    ASSERT_TRUE(grid.core(grid.columns() - 1, 0).empty() || grid.block(grid.columns() - 1, 0).width() > 1);
    const XpsnrGrid odd = grid_of({.width = 1921, .height = 1081, .chroma = Chroma::k400});
    const std::vector<double> weights = xpsnr_weights(odd, no_sums(odd));
    EXPECT_EQ(weights[static_cast<std::size_t>(odd.columns() - 1)], 1.0);
    EXPECT_EQ(weights[0], 0.25);
}

/// Products and sums are rounded one by one: the first term is a third, whose product has bits behind those of the sum.
TEST(XpsnrWeights, ProductsAreRoundedBeforeTheyAreAdded) {
    const XpsnrGrid grid = grid_of(large);
    int fused_differs = 0;
    for (std::int64_t seed = 1; seed <= 2000; seed++) {
        std::vector<std::int64_t> sums = no_sums(grid);
        for (int block = 0; block < grid.block_count(); block++) {
            const auto mixed =
                static_cast<std::int64_t>((static_cast<std::uint64_t>(seed * 1000 + block) * 0x9e3779b97f4a7c15) >> 20);
            sums[grid.word(block, XpsnrSum::luma_error)] = mixed;
            sums[grid.word(block, XpsnrSum::spatial)] = mixed % 999983;
        }
        const std::vector<double> weights = xpsnr_weights(grid, sums);
        double plain = 0, fused = 0;
        for (int block = 0; block < grid.block_count(); block++) {
            const auto error = static_cast<double>(sums[grid.word(block, XpsnrSum::luma_error)]);
            const double weight = weights[static_cast<std::size_t>(block)];
            volatile const double product = error * weight;
            plain = plain + product;
            fused = std::fma(error, weight, fused);
        }
        const double activity =
            std::sqrt(16.0 * 128.0 / std::sqrt(static_cast<double>(large.width) * large.height / 8294400.0));
        const auto word = [&](double sum) { return static_cast<std::int64_t>(sum * activity + 0.5); };
        std::vector<std::int64_t> kept(1);
        make_xpsnr_completion(grid)->complete(sums, kept);
        EXPECT_EQ(kept[0], word(plain)) << seed;
        fused_differs += word(plain) != word(fused) ? 1 : 0;
    }
    EXPECT_GT(fused_differs, 0); // else this shows nothing
}

TEST(XpsnrWeights, ErrorsOfNoneAreZero) {
    const XpsnrGrid grid = grid_of(small);
    std::vector<std::int64_t> kept(1, 7);
    make_xpsnr_completion(grid)->complete(no_sums(grid), kept);
    EXPECT_EQ(kept[0], 0);
}

/// The largest weight among left, right and upper neighbours is a limit; the left and the upper one were limited
/// before.
TEST(XpsnrWeights, SmallPicturesAreSmoothedInPlace) {
    const XpsnrGrid grid = grid_of(small);
    std::vector<std::int64_t> sums = no_sums(grid);
    for (int block = 0; block < grid.block_count(); block++) // activities of 8 everywhere
        sums[grid.word(block, XpsnrSum::temporal)] =
            4 * grid.block(block % grid.columns(), block / grid.columns()).width() *
            grid.block(block % grid.columns(), block / grid.columns()).height();
    sums[grid.word(14, XpsnrSum::temporal)] = 0; // a quarter, between eighths
    std::vector<double> weights = xpsnr_weights(grid, sums);
    EXPECT_EQ(weights[14], 0.125);
    sums[grid.word(15, XpsnrSum::temporal)] =
        0; // its right neighbour has as much: both stay, as far as that one lets them
    weights = xpsnr_weights(grid, sums);
    EXPECT_EQ(weights[14], 0.25);
    EXPECT_EQ(weights[15], 0.25);
    sums[grid.word(15, XpsnrSum::temporal)] = 4 * 16;
    sums[grid.word(26, XpsnrSum::temporal)] = 0; // below: no neighbour
    weights = xpsnr_weights(grid, sums);
    EXPECT_EQ(weights[14], 0.125);
}

} // namespace
} // namespace isovmaf::xpsnr_weights_test
