// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels' sums against the definition's.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/kernel_runner.hpp"

namespace isovmaf::psnr_gpu_test {
namespace {

using namespace testing;

const OptionTexts no_chroma{{"enable_chroma", "false"}};

std::vector<FramePair> noise(const VideoFormat &format) { return {noise_pair(format, 1), black_and_white(format)}; }

TEST(PsnrKernels, EverySizeAroundAChunkGivesTheReferencesSums) {
    for (const int width : {2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63})
        for (const int bits : {8, 10})
            expect_reference_sums("psnr", {{}}, noise({.width = width, .height = 2, .bit_depth = bits}));
}

TEST(PsnrKernels, EverySizeAroundATileGivesTheReferencesSums) {
    for (const int width : {511, 512, 513, 1023, 1024, 1025, 2065})
        for (const int height : {15, 16, 17, 33})
            for (const int bits : {8, 12})
                expect_reference_sums("psnr", {{}}, noise({.width = width, .height = height, .bit_depth = bits}));
}

TEST(PsnrKernels, PlanesOfEveryChromaFormatAreCounted) {
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
        for (const int bits : {8, 16}) {
            const VideoFormat format{.width = 131, .height = 37, .chroma = chroma, .bit_depth = bits};
            expect_reference_sums("psnr", {{}}, noise(format));
            expect_reference_sums("psnr", {no_chroma}, noise(format));
        }
}

TEST(PsnrKernels, TheFullRangeOfEveryDepthFits) {
    for (const int bits : {8, 10, 12, 16}) {
        const VideoFormat format{.width = 600, .height = 40, .chroma = Chroma::k444, .bit_depth = bits};
        const Frame black = constant_frame(format, 0), white = constant_frame(format, largest_sample(format));
        expect_reference_sums("psnr", {{}}, {{black, white}, {white, black}, {white, white}});
    }
}

TEST(PsnrKernels, EveryStageIsTheReferences) {
    for (const int bits : {8, 16})
        expect_reference_stages("psnr", {{}}, noise({.width = 1051, .height = 35, .bit_depth = bits}));
}

} // namespace
} // namespace isovmaf::psnr_gpu_test
