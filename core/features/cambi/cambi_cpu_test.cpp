// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of CAMBI against its definition.
#include <gtest/gtest.h>

#include "features/testing/cambi_pictures.hpp"
#include "features/testing/path_runner.hpp"

namespace isovmaf::cambi_cpu_test {
namespace {

using namespace testing;

const OptionTexts wide{{"window_size", "127"}, {"max_log_contrast", "3"}, {"topk", "0.1"}},
    v1{{"cambi_high_res_speedup", "1080"}, {"cambi_max_val", "17"}, {"cambi_vis_lum_threshold", "0.06"}},
    both{{"full_ref", "true"}, {"enc_bitdepth", "8"}, {"topk", "1"}};

TEST(CambiPath, EveryWidthGivesTheDefinitionsSums) {
    for (int width = 216; width <= 216 + narrow_width; width += 1 + 2 * wide_step)
        expect_definition("cambi", {wide}, banded_clip(test_seed(), {.width = width, .height = 11, .bit_depth = 10}));
}

TEST(CambiPath, NarrowPicturesGiveTheDefinitionsSums) {
    for (const int width : {1, 2, 3, 15, 33, 64, 65})
        for (const int bits : {8, 10})
            expect_definition("cambi", {wide, both},
                              banded_clip(test_seed(), {.width = width, .height = 217, .bit_depth = bits}));
}

TEST(CambiPath, EveryDepthGivesTheDefinitionsSums) {
    for (int bits = 8; bits <= 16; bits += testing::depth_step) {
        const VideoFormat format{.width = 231, .height = 45, .chroma = Chroma::k400, .bit_depth = bits};
        expect_definition("cambi", {{}, both}, hard_clip(format, test_seed()));
        expect_definition("cambi", {wide, both}, banded_clip(test_seed(), format));
    }
}

TEST(CambiPath, ScaledPicturesGiveTheDefinitionsSums) {
    for (const int bits : {8, 12}) {
        const VideoFormat format{.width = 321, .height = 203, .bit_depth = bits};
        expect_definition("cambi",
                          {{{"full_ref", "true"}, {"enc_width", "250"}, {"enc_height", "160"}},
                           {{"full_ref", "true"}, {"src_width", "400"}, {"src_height", "210"}}},
                          banded_clip(test_seed(), format));
    }
}

/// Scale 0 has half the size from 1920x1080 pixels on.
TEST(CambiPath, HalvedPicturesGiveTheDefinitionsSums) {
    auto clip = banded_clip(test_seed(), {.width = 6913, .height = 301, .chroma = Chroma::k400});
    clip.pop_back();
    expect_definition("cambi", {v1}, clip);
}

TEST(CambiPath, SumsThatRoundGiveTheDefinitionsSums) {
    const OptionTexts largest{{"window_size", "127"}, {"max_log_contrast", "5"}, {"topk", "0.9999"}};
    const OptionTexts all{{"window_size", "127"}, {"max_log_contrast", "5"}, {"topk", "1"}};
    expect_definition("cambi", {largest, all}, large_sums_clip(true));
}

} // namespace
} // namespace isovmaf::cambi_cpu_test
