// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels' sums against the definition's.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/kernel_runner.hpp"
#include "features/vif/vif_params.h"

namespace isovmaf::vif_gpu_test {
namespace {

using namespace testing;

const std::vector<OptionTexts> both_limits{{}, {{"vif_enhn_gain_limit", "1"}}};
const std::vector<OptionTexts> skip_scale0{{{"vif_skip_scale0", "true"}}};

/// A picture and what a codec might make of it: neighbouring samples are alike, and gains are of every kind.
FramePair drawn_pair(const VideoFormat &format) { return generated_clip(format, 1).front(); }

/// The distorted picture follows the reference exactly, so that the noise around it is what rounding leaves, which may
/// be below zero.
FramePair amplified_pair(const VideoFormat &format) {
    const auto picture = [&](std::uint32_t base, std::uint32_t gain) {
        return random_frame(format, 8, default_poison, [=](std::uint32_t word) { return base + gain * (word & 7u); });
    };
    return {picture(100, 1), picture(50, 13)};
}

/// A flat picture with every kind of noise on the other side.
std::vector<FramePair> pathological(const VideoFormat &format) {
    const auto flat = [&](std::uint32_t level) { return constant_frame(format, level); };
    const std::uint32_t white = largest_sample(format);
    return {black_and_white(format),
            {flat(white), flat(0)},
            {flat(white), flat(white)},
            {flat(white / 2), noise_frame(format, 1)},
            {noise_frame(format, 2), flat(white / 2)},
            {grain_frame(format, 3), grain_frame(format, 3)},
            {grain_frame(format, 4), noise_frame(format, 5)},
            identical_pair(format, 6),
            noise_pair(format, 7),
            amplified_pair(format),
            drawn_pair(format)};
}

TEST(VifKernels, EverySizeAroundATileGivesTheReferencesSums) {
    for (const int width : {VIF_TILE_WIDTH - 1, VIF_TILE_WIDTH, VIF_TILE_WIDTH + 1, 2 * VIF_TILE_WIDTH + 9})
        for (const int height : {3 * VIF_TILE_HEIGHT - 1, 3 * VIF_TILE_HEIGHT, 3 * VIF_TILE_HEIGHT + 1})
            for (const int bits : {8, 10}) {
                const VideoFormat format{.width = width, .height = height, .bit_depth = bits};
                expect_reference_sums("vif", both_limits, {noise_pair(format, 1), drawn_pair(format)});
            }
}

TEST(VifKernels, SmallPicturesGiveTheReferencesSums) {
    for (const int width : {16, 17, 18, 19, 23, 31, 32, 33})
        for (const int height : {16, 17, 18, 19, 23, 31, 32, 33})
            expect_reference_sums("vif", both_limits, {noise_pair({.width = width, .height = height}, 1)});
    for (const int side : {16, 17, 23, 33})
        expect_reference_sums("vif", both_limits, {noise_pair({.width = side, .height = side, .bit_depth = 10}, 1)});
}

TEST(VifKernels, EveryScaleReachesTheNextTiles) {
    for (const int bits : {8, 12}) {
        const int width = 8 * VIF_TILE_WIDTH + 11, height = 8 * VIF_TILE_HEIGHT + 11; // two tiles at the last scale
        const VideoFormat format{.width = width, .height = height, .bit_depth = bits};
        expect_reference_sums("vif", both_limits, {noise_pair(format, 1), drawn_pair(format)});
    }
}

TEST(VifKernels, TheFullRangeOfEveryDepthFits) {
    for (const int bits : {8, 10, 12, 16})
        expect_reference_sums("vif", both_limits, pathological({.width = 131, .height = 37, .bit_depth = bits}));
}

TEST(VifKernels, AnyNumberOfGainLimitsIsCounted) {
    const VideoFormat format{.width = 120, .height = 40};
    std::vector<OptionTexts> options;
    for (const char *const limit : {"1.5", "1", "100", "1.01", "4.25"}) {
        options.push_back({{"vif_enhn_gain_limit", limit}});
        expect_reference_sums("vif", options, {noise_pair(format, 1), drawn_pair(format), identical_pair(format, 2)});
    }
}

TEST(VifKernels, AScaleThatIsSkippedStillLeadsToTheNext) {
    for (const int bits : {8, 10})
        expect_reference_sums("vif", skip_scale0, pathological({.width = 131, .height = 37, .bit_depth = bits}));
}

/// Odd sizes, several tiles at every scale but the last.
VideoFormat several_tiles(int bits) {
    return {.width = 4 * VIF_TILE_WIDTH + 27, .height = 5 * VIF_TILE_HEIGHT + 5, .bit_depth = bits};
}

TEST(VifKernels, EveryStageIsTheReferences) {
    for (const int bits : {8, 10, 12}) {
        const VideoFormat format = several_tiles(bits);
        expect_reference_stages("vif", both_limits, {noise_pair(format, 1), drawn_pair(format)});
    }
    for (const int bits : {8, 16})
        expect_reference_stages("vif", both_limits, pathological({.width = 131, .height = 37, .bit_depth = bits}));
}

TEST(VifKernels, EveryStageIsTheReferencesWithoutScale0) {
    const std::vector<OptionTexts> options{{{"vif_skip_scale0", "true"}},
                                           {{"vif_skip_scale0", "true"}, {"vif_enhn_gain_limit", "1"}}};
    for (const int bits : {8, 10}) {
        const VideoFormat format = several_tiles(bits);
        expect_reference_stages("vif", options, {noise_pair(format, 1), drawn_pair(format)});
    }
}

TEST(VifKernels, EveryGainLimitHasItsStage) {
    std::vector<OptionTexts> options;
    for (const char *const limit : {"1.5", "1", "100", "1.01", "4.25"})
        options.push_back({{"vif_enhn_gain_limit", limit}});
    expect_reference_stages("vif", options, {drawn_pair({.width = 120, .height = 40, .bit_depth = 10})});
}

} // namespace
} // namespace isovmaf::vif_gpu_test
