// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels' means against the definition's.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/float_ssim/float_ssim_params.h"
#include "features/testing/feature_runner.hpp"
#include "features/testing/kernel_runner.hpp"

namespace isovmaf::float_ssim_gpu_test {
namespace {

using namespace testing;

constexpr std::uint32_t seed = 1;

/// Pictures of that size, compared as they are.
void expect_means(const std::vector<FramePair> &clip, const char *scale = "1") {
    expect_reference_sums("float_ssim", {{{"scale", scale}}}, clip);
}

/// Pictures that differ a little.
FramePair blurred_pair(const VideoFormat &format) { return GeneratedClip(format).frame(1); }

VideoFormat luma_of(int width, int height, int bits = 8) {
    return {.width = width, .height = height, .chroma = Chroma::k400, .bit_depth = bits};
}

/// Sizes around a tile.
TEST(FloatSsimKernels, SmallPicturesGiveTheReferencesMeans) {
    constexpr int margin = SSIM_TAP_COUNT - 1;
    for (const int width : {11, margin + SSIM_TILE_WIDTH - 1, margin + SSIM_TILE_WIDTH, margin + SSIM_TILE_WIDTH + 1})
        for (const int height : {11, margin + SSIM_TILE_HEIGHT, margin + SSIM_TILE_HEIGHT + 1})
            expect_means({noise_pair(luma_of(width, height), seed)});
}

/// Sums of several groups, and of rows that are longer than a group.
TEST(FloatSsimKernels, EverySizeAroundAGroupGivesTheReferencesMeans) {
    expect_means({blurred_pair(luma_of(190, 91)), noise_pair(luma_of(190, 91), seed)});
    expect_means({noise_pair(luma_of(SSIM_GROUP_TERMS + 100, 13), seed)});
}

/// More groups than a block of threads has threads.
TEST(FloatSsimKernels, LargePicturesGiveTheReferencesMeans) {
    constexpr int margin = SSIM_TAP_COUNT - 1;
    expect_means({noise_pair(luma_of(margin + SSIM_GROUP_TERMS / 2 + 1, margin + SSIM_SUM_THREADS + 1), seed)});
}

TEST(FloatSsimKernels, EveryDepthGivesTheReferencesMeans) {
    for (const int bits : {8, 10, 12, 16}) {
        const VideoFormat format = luma_of(75, 53, bits);
        const Frame white = constant_frame(format, largest_sample(format)), black = constant_frame(format, 0);
        expect_means({noise_pair(format, seed),
                      identical_pair(format, seed),
                      black_and_white(format),
                      {black, black},
                      {constant_frame(format, 1), black},
                      {noise_frame(format, seed), white},
                      blurred_pair(format)});
    }
}

TEST(FloatSsimKernels, EveryReductionGivesTheReferencesMeans) {
    for (const char *const scale : {"2", "3", "5", "10"})
        for (const int bits : {8, 16})
            expect_means({noise_pair(luma_of(141, 133, bits), seed)}, scale);
    expect_means({noise_pair(luma_of(142, 134), seed)}, "4");
}

/// The structure is positive in some parts and negative in others: sums go up and down, and through zero.
TEST(FloatSsimKernels, NegativeStructureGivesTheReferencesMeans) {
    const VideoFormat format = luma_of(190, 122);
    const auto picture = [&](int period) {
        return painted_frame(format, default_poison, [=](int, int x, int y) {
            const int grain = x * 7919 + y * 104729;
            return static_cast<std::uint32_t>((y / 20 % period == 0 ? grain : -grain) & 255);
        });
    };
    expect_means({{picture(1), picture(2)}, {picture(1), picture(3)}, {picture(1), picture(1000)}});
}

/// Dark samples of 16 bits have products that are too small for sums in units.
TEST(FloatSsimKernels, EveryStageIsTheReferences) {
    for (const int bits : {8, 16}) {
        const VideoFormat format = luma_of(97, 75, bits);
        const auto dark = [&](int step) {
            return painted_frame(format, default_poison,
                                 [=](int, int x, int y) { return static_cast<std::uint32_t>(x * step + y) % 3; });
        };
        expect_reference_stages("float_ssim", {{{"scale", bits == 8 ? "2" : "1"}}},
                                {noise_pair(format, seed), blurred_pair(format), {dark(1), dark(5)}});
    }
}

} // namespace
} // namespace isovmaf::float_ssim_gpu_test
