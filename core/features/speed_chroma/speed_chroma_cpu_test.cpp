// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of SpEED against its definition, on chroma.
#include <gtest/gtest.h>

#include "features/testing/path_runner.hpp"

namespace isovmaf::speed_chroma_cpu_test {
namespace {

using namespace testing;

/// Large enough for covariances that are not singular.
constexpr VideoFormat usual{.width = 165, .height = 243, .chroma = Chroma::k444};

std::vector<FramePair> clip_of(VideoFormat format, int bits) {
    format.bit_depth = bits;
    std::vector<FramePair> clip = hard_clip(format, test_seed());
    clip.resize(2);
    return clip;
}

TEST(SpeedChromaPath, EveryDepthGivesTheDefinitionsValues) {
    for (const int bits : {8, 10, 12, 16})
        expect_definition("speed_chroma", {{}}, clip_of(usual, bits));
}

TEST(SpeedChromaPath, HardPicturesGiveTheDefinitionsValues) {
    expect_definition("speed_chroma", {{}}, hard_clip(usual, test_seed()));
}

TEST(SpeedChromaPath, ChromaFormatsGiveTheDefinitionsValues) {
    for (const Chroma chroma : {Chroma::k420, Chroma::k422})
        expect_definition("speed_chroma", {{}}, clip_of({.width = 337, .height = 323, .chroma = chroma}, 8));
}

/// From the fewest taps to the most.
TEST(SpeedChromaPath, EveryKernelscaleGivesTheDefinitionsValues) {
    for (const char *const kernelscale : {"0.444444", "1.5", "2", "2.4", "3.71134"})
        expect_definition("speed_chroma", {{{"ks", kernelscale}}}, clip_of(usual, 8));
}

TEST(SpeedChromaPath, EveryMethodGivesTheDefinitionsValues) {
    for (const char *const method : {"nearest", "bilinear", "bicubic", "lanczos4"})
        for (const char *const kernelscale : {"0.5", "2"}) // fewer taps than the decimation skips, and more
            expect_definition("speed_chroma", {{{"ps", "0.9"}, {"psm", method}, {"ks", kernelscale}}},
                              clip_of({.width = 190, .height = 272, .chroma = Chroma::k444}, 10));
    expect_definition("speed_chroma", {{{"ps", "4"}, {"psm", "bilinear"}}},
                      clip_of({.width = 41, .height = 62, .chroma = Chroma::k444}, 8));
}

/// Rows that end in every lane of a vector.
TEST(SpeedChromaPath, EveryWidthGivesTheDefinitionsValues) {
    for (int width = 80; width < 112; width++)
        expect_definition("speed_chroma", {{}}, clip_of({.width = width, .height = 81, .chroma = Chroma::k444}, 8));
}

} // namespace
} // namespace isovmaf::speed_chroma_cpu_test
