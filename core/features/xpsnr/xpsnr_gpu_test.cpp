// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels' sums against the definition's.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/kernel_runner.hpp"

namespace isovmaf::xpsnr_gpu_test {
namespace {

using namespace testing;

const OptionTexts first_order{{"frame_rate", "24"}}, second_order{{"frame_rate", "60"}};

/// As many frames as the second order reads.
std::vector<FramePair> noise(const VideoFormat &format, ChromaEdge edge = ChromaEdge::absent) {
    std::vector<FramePair> clip;
    for (const std::uint32_t seed : {1u, 3u, 5u})
        clip.push_back(noise_pair(format, seed, default_poison, edge));
    return clip;
}

TEST(XpsnrKernels, EverySizeAroundABlockGivesTheReferencesSums) {
    for (const int width : {44, 45, 48, 50, 67})
        for (const int height : {46, 49})
            expect_reference_sums("xpsnr", {first_order}, noise({.width = width, .height = height}));
}

TEST(XpsnrKernels, PlanesOfEveryChromaFormatAndDepthAreCounted) {
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
        for (const int bits : {8, 10, 16})
            for (const OptionTexts &order : {first_order, second_order})
                expect_reference_sums("xpsnr", {order},
                                      noise({.width = 61, .height = 49, .chroma = chroma, .bit_depth = bits}));
}

TEST(XpsnrKernels, WholeChromaPlanesOfOddSizesAreRead) {
    for (const Chroma chroma : {Chroma::k420, Chroma::k422})
        for (const int bits : {8, 12})
            expect_reference_sums(
                "xpsnr", {first_order},
                noise({.width = 65, .height = 49, .chroma = chroma, .bit_depth = bits}, ChromaEdge::present));
}

TEST(XpsnrKernels, BlocksOfGroupsGiveTheReferencesSums) {
    for (const int bits : {8, 12}) {
        const VideoFormat format{.width = 2049, .height = 1153, .chroma = Chroma::k400, .bit_depth = bits};
        expect_reference_sums("xpsnr", {first_order}, {noise_pair(format, 1)});
    }
}

TEST(XpsnrKernels, EveryStageIsTheReferences) {
    for (const int bits : {8, 16})
        expect_reference_stages("xpsnr", {second_order}, noise({.width = 67, .height = 51, .bit_depth = bits}));
}

} // namespace
} // namespace isovmaf::xpsnr_gpu_test
