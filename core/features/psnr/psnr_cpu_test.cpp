// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of PSNR against its definition.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/path_runner.hpp"

namespace isovmaf::psnr_cpu_test {
namespace {

using namespace testing;

TEST(PsnrPath, EveryWidthGivesTheDefinitionsErrors) {
    for (int width = 1; width <= 300; width++)
        for (const int bits : {8, 10})
            expect_definition("psnr", {{{"enable_chroma", "false"}}},
                              hard_clip({.width = width, .height = 3, .bit_depth = bits}, test_seed()));
}

TEST(PsnrPath, EveryDepthAndChromaFormatGivesTheDefinitionsErrors) {
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
        for (const int bits : {8, 10, 12, 16})
            expect_definition(
                "psnr", {{}},
                hard_clip({.width = 131, .height = 37, .chroma = chroma, .bit_depth = bits}, test_seed()));
}

/// Sums of 32 bits hold a row of 8-bit errors, and a few errors of 16-bit samples.
TEST(PsnrPath, LargeErrorsGiveTheDefinitionsErrors) {
    for (const int bits : {8, 16}) {
        const VideoFormat format{.width = max_frame_side, .height = 1, .chroma = Chroma::k400, .bit_depth = bits};
        const std::uint32_t most = largest_sample(format);
        std::vector<FramePair> clip;
        for (const std::uint32_t error : {most, most / 2 + 1, most / 2, most / 4 + 1, most / 4})
            clip.push_back({constant_frame(format, most - error), constant_frame(format, most)});
        expect_definition("psnr", {{}}, clip);
    }
}

} // namespace
} // namespace isovmaf::psnr_cpu_test
