// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of PSNR-HVS against its definition.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/psnr_hvs/psnr_hvs.hpp"
#include "features/testing/path_runner.hpp"

namespace isovmaf::psnr_hvs_cpu_test {
namespace {

using namespace testing;

void expect_definition_of(const std::vector<FramePair> &clip) { expect_definition("psnr_hvs", {{}}, clip); }

/// One to more than 64 blocks in a plane: groups with all numbers of blocks, and columns behind the last block.
TEST(PsnrHvsPath, EveryNumberOfBlocksGivesTheDefinitionsErrors) {
    for (int blocks = 1; blocks <= 66; blocks += wide_step)
        for (const int bits : {8, 12})
            expect_definition_of({noise_pair({.width = PSNR_HVS_STEP * blocks + blocks % PSNR_HVS_STEP + 1,
                                              .height = 8,
                                              .chroma = Chroma::k444,
                                              .bit_depth = bits},
                                             test_seed())});
}

TEST(PsnrHvsPath, EveryDepthAndChromaFormatGivesTheDefinitionsErrors) {
    for (const Chroma chroma : {Chroma::k420, Chroma::k422, Chroma::k444})
        for (const int bits : {8, 9, 10, 11, 12})
            expect_definition_of(
                hard_clip_within_depth({.width = 75, .height = 53, .chroma = chroma, .bit_depth = bits}, test_seed()));
}

/// Flat areas add the same number again and again: the sum leaves powers of two. While its last place is larger than
/// that of the number, some numbers lie in the middle between two multiples of it. Areas of several levels make the sum
/// odd or even before.
TEST(PsnrHvsPath, TiesAndPowersOfTwoGiveTheDefinitionsSum) {
    const VideoFormat format{.width = 225, .height = 57, .chroma = Chroma::k444};
    const Frame black = constant_frame(format, 0);
    std::vector<FramePair> clip{{black, constant_frame(format, 255)}};
    for (int n = 0; n < 10; n++)
        clip.push_back({black, painted_frame(format, default_poison, [=](int, int x, int y) {
                            return static_cast<std::uint32_t>(x / 21 * 37 + y / 21 * 91 + n * 53) % 256;
                        })});
    expect_definition_of(clip);
}

} // namespace
} // namespace isovmaf::psnr_hvs_cpu_test
