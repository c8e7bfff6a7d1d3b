// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of motion against its definition.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/mixed_semantics.hpp"
#include "features/testing/path_runner.hpp"

namespace isovmaf::motion_cpu_test {
namespace {

using namespace testing;

const std::vector<OptionTexts> one_back{{}}, two_back{{{"motion_five_frame_window", "true"}}};
const std::vector<OptionTexts> both{{}, {{"motion_five_frame_window", "true"}}};

void expect_definitions(const VideoFormat &format) {
    const std::vector<FramePair> clip = hard_clip(format, test_seed());
    expect_definition("motion", both, clip);
    expect_definition("motion", {{}}, clip, Semantics::libvmaf_3_0);
    expect_definition("motion", both, clip, mixed_semantics);
}

TEST(MotionPath, EveryWidthGivesTheDefinitionsSums) {
    for (int width = 3; width <= 70; width++)
        for (const int bits : {8, 10, 16})
            expect_definitions({.width = width, .height = 5, .bit_depth = bits});
}

TEST(MotionPath, EveryHeightGivesTheDefinitionsSums) {
    for (int height = 3; height <= 20; height++)
        for (const int bits : {8, 10})
            expect_definitions({.width = 37, .height = height, .bit_depth = bits});
}

TEST(MotionPath, EveryDepthGivesTheDefinitionsSums) {
    for (int bits = 8; bits <= 16; bits += testing::depth_step)
        expect_definitions({.width = 161, .height = 23, .bit_depth = bits});
}

TEST(MotionPath, OneDistanceAloneGivesTheDefinitionsSums) {
    for (const int bits : {8, 12})
        for (const auto &options : {one_back, two_back})
            expect_definition("motion", options,
                              hard_clip({.width = 70, .height = 30, .bit_depth = bits}, test_seed()));
}

/// Sums of 32 bits hold a row of 16-bit values, and a part of a row of samples beyond their depth.
TEST(MotionPath, TheLongestRowGivesTheDefinitionsSums) {
    for (const auto &[bits, level] : {std::pair{8, 128u}, {8, 255u}, {9, 0xffffu}}) {
        const VideoFormat format{.width = max_frame_side, .height = 3, .chroma = Chroma::k400, .bit_depth = bits};
        const FramePair black{constant_frame(format, 0), constant_frame(format, 0)};
        const FramePair flat{constant_frame(format, level), constant_frame(format, level)};
        expect_definition("motion", one_back, {black, flat});
        expect_definition("motion", {{}}, {black, flat}, Semantics::libvmaf_3_0);
    }
}

/// Around the step whose blurred difference, 256 times the step of 8-bit samples, stops fitting 16 bits.
TEST(MotionPath, UniformStepsGiveTheDefinitionsSums) {
    for (const int bits : {8, 9, 12, 16}) {
        const VideoFormat format{.width = 67, .height = 9, .bit_depth = bits};
        const std::uint32_t half = 1u << (bits - 1);
        std::vector<FramePair> clip;
        for (const std::uint32_t level : {0u, half, 0u, half - 1, 0u, half + 1, 0u, largest_sample(format), half - 1})
            clip.push_back({constant_frame(format, level), constant_frame(format, level)});
        expect_definition("motion", both, clip);
        expect_definition("motion", {{}}, clip, Semantics::libvmaf_3_0);
    }
}

} // namespace
} // namespace isovmaf::motion_cpu_test
