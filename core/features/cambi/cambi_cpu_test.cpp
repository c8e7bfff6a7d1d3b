// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of CAMBI against its definition.
#include <random>

#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/path_runner.hpp"

namespace isovmaf::cambi_cpu_test {
namespace {

using namespace testing;

/// Bands with ragged edges, and a few pixels of noise: some of it is masked, and neighbouring values meet everywhere.
Frame banded_frame(const VideoFormat &format, std::uint32_t seed, int band, std::uint32_t step) {
    std::mt19937 random(seed);
    const std::uint32_t most = largest_sample(format);
    return painted_frame(format, default_poison, [&](int, int x, int y) {
        const auto bits = static_cast<std::uint32_t>(random());
        const auto ragged = static_cast<int>(bits % 64 == 0) * band;
        const auto level = static_cast<std::uint32_t>((2 * x + y + ragged) / band) * step;
        const bool noisy = (x / 64 + y / 32) % 3 == 0 && bits >> 8 & 1;
        return (most / 4 + level + (noisy ? bits >> 16 & 7 : 0)) % (most + 1);
    });
}

std::vector<FramePair> banded_clip(const VideoFormat &format) {
    const std::uint32_t seed = test_seed();
    return {{banded_frame(format, seed, 24, 1), banded_frame(format, seed + 1, 6, 1)},
            {banded_frame(format, seed + 2, 9, 3), banded_frame(format, seed + 3, 17, 2)}};
}

const OptionTexts wide{{"window_size", "127"}, {"max_log_contrast", "3"}, {"topk", "0.1"}},
    v1{{"cambi_high_res_speedup", "1080"}, {"cambi_max_val", "17"}, {"cambi_vis_lum_threshold", "0.06"}},
    both{{"full_ref", "true"}, {"enc_bitdepth", "8"}, {"topk", "1"}};

TEST(CambiPath, EveryWidthGivesTheDefinitionsSums) {
    for (int width = 216; width <= 216 + narrow_width; width += 1 + 2 * wide_step)
        expect_definition("cambi", {wide}, banded_clip({.width = width, .height = 11, .bit_depth = 10}));
}

TEST(CambiPath, NarrowPicturesGiveTheDefinitionsSums) {
    for (const int width : {1, 2, 3, 15, 33, 64, 65})
        for (const int bits : {8, 10})
            expect_definition("cambi", {wide, both}, banded_clip({.width = width, .height = 217, .bit_depth = bits}));
}

TEST(CambiPath, EveryDepthGivesTheDefinitionsSums) {
    for (int bits = 8; bits <= 16; bits += testing::depth_step) {
        const VideoFormat format{.width = 231, .height = 45, .chroma = Chroma::k400, .bit_depth = bits};
        expect_definition("cambi", {{}, both}, hard_clip(format, test_seed()));
        expect_definition("cambi", {wide, both}, banded_clip(format));
    }
}

TEST(CambiPath, ScaledPicturesGiveTheDefinitionsSums) {
    for (const int bits : {8, 12}) {
        const VideoFormat format{.width = 321, .height = 203, .bit_depth = bits};
        expect_definition("cambi",
                          {{{"full_ref", "true"}, {"enc_width", "250"}, {"enc_height", "160"}},
                           {{"full_ref", "true"}, {"src_width", "400"}, {"src_height", "210"}}},
                          banded_clip(format));
    }
}

/// Scale 0 has half the size from 1920x1080 pixels on.
TEST(CambiPath, HalvedPicturesGiveTheDefinitionsSums) {
    auto clip = banded_clip({.width = 6913, .height = 301, .chroma = Chroma::k400});
    clip.pop_back();
    expect_definition("cambi", {v1}, clip);
}

/// Stripes as far apart as steps go, in the largest window: the sum is too large to be exact in any order. Single
/// pixels one step away, which the filter leaves alone in the first and the last row, have c-values with bits that are
/// lost.
TEST(CambiPath, SumsThatRoundGiveTheDefinitionsSums) {
    const VideoFormat format{.width = 3040, .height = 42, .chroma = Chroma::k400, .bit_depth = 10};
    const Frame stripes = painted_frame(format, default_poison, [&](int, int x, int y) {
        const bool is_edge = y == 0 || y + 1 == format.height;
        const bool is_gap = (x / 2 * 37 + y / 2 * 101) % 61 == 0; // so that counts differ
        return is_edge && x % 70 == 35 ? 133 : is_gap ? 500 : x / 2 % 2 ? 132 : 100;
    });
    const OptionTexts largest{{"window_size", "127"}, {"max_log_contrast", "5"}, {"topk", "0.9999"}};
    const OptionTexts all{{"window_size", "127"}, {"max_log_contrast", "5"}, {"topk", "1"}};
    expect_definition("cambi", {largest, all}, {{stripes, stripes}});
}

} // namespace
} // namespace isovmaf::cambi_cpu_test
