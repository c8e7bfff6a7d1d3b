// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels' words against the definition's, of both features.
#include <gtest/gtest.h>

#include "features/testing/kernel_runner.hpp"

namespace isovmaf::speed_gpu_test {
namespace {

using namespace testing;

constexpr std::uint32_t seed = 1;

/// Large enough for covariances that are not singular.
constexpr VideoFormat usual{.width = 165, .height = 243, .chroma = Chroma::k444};

std::vector<FramePair> clip_of(VideoFormat format, int bits, std::uint32_t frames = 2) {
    format.bit_depth = bits;
    std::vector<FramePair> clip;
    for (std::uint32_t i = 0; i < frames; i++)
        clip.push_back({grain_frame(format, seed + 2 * i), grain_frame(format, seed + 2 * i + 1)});
    return clip;
}

TEST(SpeedKernels, EveryDepthGivesTheReferencesWords) {
    for (const int bits : {8, 10, 12, 16}) {
        expect_reference_sums("speed_chroma", {{}}, clip_of(usual, bits));
        expect_reference_sums("speed_temporal", {{}, {{"urd", "true"}}}, clip_of(usual, bits));
    }
}

/// Flat, black and white, noise, identical: some of their planes are singular.
TEST(SpeedKernels, HardPicturesGiveTheReferencesWords) {
    const std::vector<FramePair> clip{
        noise_pair(usual, seed),
        identical_pair(usual, seed + 1),
        black_and_white(usual),
        {noise_frame(usual, seed + 2), constant_frame(usual, largest_sample(usual))},
        {constant_frame(usual, largest_sample(usual)), constant_frame(usual, largest_sample(usual))}};
    expect_reference_sums("speed_chroma", {{}}, clip);
    expect_reference_sums("speed_temporal", {{}}, clip);
}

TEST(SpeedKernels, ChromaFormatsGiveTheReferencesWords) {
    for (const Chroma chroma : {Chroma::k420, Chroma::k422})
        expect_reference_sums("speed_chroma", {{}}, clip_of({.width = 337, .height = 323, .chroma = chroma}, 8, 1));
}

/// From the fewest taps to the most.
TEST(SpeedKernels, EveryKernelscaleGivesTheReferencesWords) {
    for (const char *const kernelscale : {"0.444444", "1.5", "2", "2.4", "3.71134"})
        expect_reference_sums("speed_chroma", {{{"ks", kernelscale}}}, clip_of(usual, 8, 1));
}

TEST(SpeedKernels, EveryMethodGivesTheReferencesWords) {
    for (const char *const method : {"nearest", "bilinear", "bicubic", "lanczos4"})
        expect_reference_sums("speed_chroma",
                              {{{"ps", "0.9"}, {"psm", method}, {"ks", "0.5"}},
                               {{"ps", "0.9"}, {"psm", method}, {"ks", "2"}}, // taps that windows share
                               {}},
                              clip_of({.width = 190, .height = 272, .chroma = Chroma::k444}, 10, 1));
    expect_reference_sums("speed_temporal", {{{"ps", "4"}, {"psm", "bilinear"}}, {{"ps", "4"}, {"psm", "lanczos4"}}},
                          clip_of({.width = 41, .height = 62, .chroma = Chroma::k400}, 8));
}

TEST(SpeedKernels, SmallPicturesGiveTheReferencesWords) {
    for (const auto &[width, height] : {std::pair{80, 80}, {80, 159}, {160, 80}, {239, 161}})
        expect_reference_sums("speed_chroma", {{}},
                              clip_of({.width = width, .height = height, .chroma = Chroma::k444}, 8, 1));
}

/// Places that fill chunks and do not, and blocks of samples that fill a launch's block and do not.
TEST(SpeedKernels, LargePicturesGiveTheReferencesWords) {
    for (const auto &[width, height] : {std::pair{321, 163}, {1500, 83}})
        expect_reference_sums("speed_chroma", {{}},
                              clip_of({.width = width, .height = height, .chroma = Chroma::k444}, 8, 1));
    expect_reference_sums("speed_temporal", {{}}, clip_of({.width = 721, .height = 643, .chroma = Chroma::k400}, 8));
}

TEST(SpeedKernels, EveryStageIsTheReferences) {
    for (const int bits : {8, 10}) {
        expect_reference_stages("speed_chroma", {{}, {{"ks", "3"}}}, clip_of(usual, bits));
        expect_reference_stages("speed_temporal", {{}, {{"urd", "true"}}}, clip_of(usual, bits));
    }
}

} // namespace
} // namespace isovmaf::speed_gpu_test
