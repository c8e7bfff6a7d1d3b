// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of SSIM against its definition.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/path_runner.hpp"

namespace isovmaf::float_ssim_cpu_test {
namespace {

using namespace testing;

std::vector<OptionTexts> scaled(int scale) { return {{{"scale", std::to_string(scale)}}}; }

TEST(FloatSsimPath, EveryWidthGivesTheDefinitionsMeans) {
    for (int width = 11; width <= 60; width += wide_step)
        for (const int bits : {8, 10})
            expect_definition("float_ssim", scaled(1),
                              hard_clip({.width = width, .height = 13, .bit_depth = bits}, test_seed()));
}

/// Rows are smoothed in pieces of 256.
TEST(FloatSsimPath, LongRowsGiveTheDefinitionsMeans) {
    for (const int width : {265, 266, 267, 521, 523})
        expect_definition("float_ssim", scaled(1), {noise_pair({.width = width, .height = 12}, test_seed())});
}

/// Rows are smoothed down in bands of 16.
TEST(FloatSsimPath, EveryHeightGivesTheDefinitionsMeans) {
    for (int height = 11; height <= 44; height++)
        expect_definition("float_ssim", scaled(1), hard_clip({.width = 21, .height = height}, test_seed()));
}

TEST(FloatSsimPath, EveryReductionGivesTheDefinitionsMeans) {
    for (int scale = 2; scale <= 10; scale++)
        for (const int odd : {0, 1})
            for (const int bits : {8, 10, 12, 16})
                expect_definition(
                    "float_ssim", scaled(scale),
                    {noise_pair({.width = 12 * scale + odd, .height = 11 * scale + 2 + odd, .bit_depth = bits},
                                test_seed()),
                     black_and_white({.width = 12 * scale + odd, .height = 11 * scale + 2 + odd, .bit_depth = bits})});
}

/// What is reduced to most sides by default, and by more than the option allows.
TEST(FloatSsimPath, TheDefaultReductionGivesTheDefinitionsMeans) {
    expect_definition("float_ssim", {{}},
                      {noise_pair({.width = 385, .height = 384, .chroma = Chroma::k400}, test_seed())});
    expect_definition(
        "float_ssim", {{}},
        {noise_pair({.width = 2689, .height = 2688, .chroma = Chroma::k400, .bit_depth = 16}, test_seed())});
}

/// Eleven samples whose squares, smoothed along a row, give another f32 when the taps are added from the last to the
/// first; and eleven rows of equal samples for which the columns do. One window in 2^30 is of that kind.
TEST(FloatSsimPath, TapsAreAddedInOrder) {
    const std::uint32_t along[] = {28980, 1, 1, 4, 15509, 2, 27, 520, 4, 3, 153};
    const std::uint32_t down[] = {10, 1, 16, 5, 0, 22941, 385, 29087, 5, 5924, 2};
    const VideoFormat format{.width = 11, .height = 11, .chroma = Chroma::k400, .bit_depth = 16};
    const Frame row = painted_frame(format, default_poison, [&](int, int x, int) { return along[x]; });
    const Frame column = painted_frame(format, default_poison, [&](int, int, int y) { return down[y]; });
    expect_definition("float_ssim", scaled(1), {{row, row}, {column, column}});
}

TEST(FloatSsimPath, EveryDepthGivesTheDefinitionsMeans) {
    for (const int bits : {8, 10, 12, 16})
        expect_definition("float_ssim", {{{"scale", "1"}, {"enable_lcs", "true"}}},
                          hard_clip({.width = 47, .height = 37, .bit_depth = bits}, test_seed()));
}

} // namespace
} // namespace isovmaf::float_ssim_cpu_test
