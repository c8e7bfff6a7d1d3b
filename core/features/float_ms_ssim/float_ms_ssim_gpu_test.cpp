// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels' means at five scales against the definition's.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/feature_runner.hpp"
#include "features/testing/kernel_runner.hpp"

namespace isovmaf::float_ms_ssim_gpu_test {
namespace {

using namespace testing;

constexpr std::uint32_t seed = 1;

VideoFormat luma_of(int width, int height, int bits) {
    return {.width = width, .height = height, .chroma = Chroma::k400, .bit_depth = bits};
}

TEST(FloatMsSsimKernels, EveryDepthAndOddSizesGiveTheReferencesMeans) {
    const VideoFormat smallest = luma_of(176, 176, 8), odd = luma_of(177, 191, 10), deep = luma_of(190, 177, 16);
    expect_reference_sums("float_ms_ssim", {{}}, {noise_pair(smallest, seed), black_and_white(smallest)});
    expect_reference_sums("float_ms_ssim", {{}}, {GeneratedClip(odd).frame(1)});
    expect_reference_sums("float_ms_ssim", {{}}, {noise_pair(deep, seed)});
}

/// The filter overshoots at edges: samples of later scales are negative there, and their products of either sign.
TEST(FloatMsSsimKernels, NegativeSamplesGiveTheReferencesMeans) {
    const VideoFormat format = luma_of(208, 176, 8);
    const auto edges = [&](int at) {
        return painted_frame(format, default_poison,
                             [=](int, int x, int y) { return (x + at) / 24 % 2 == 0 && y / 40 % 2 == 0 ? 255u : 0u; });
    };
    expect_reference_sums("float_ms_ssim", {{}}, {{edges(0), edges(1)}, {edges(0), edges(24)}});
}

TEST(FloatMsSsimKernels, EveryStageIsTheReferences) {
    const VideoFormat format = luma_of(177, 178, 10);
    expect_reference_stages("float_ms_ssim", {{}}, {noise_pair(format, seed)});
}

} // namespace
} // namespace isovmaf::float_ms_ssim_gpu_test
