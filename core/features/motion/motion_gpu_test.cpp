// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels' sums against the definition's.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/kernel_runner.hpp"
#include "features/testing/mixed_semantics.hpp"

namespace isovmaf::motion_gpu_test {
namespace {

using namespace testing;

const std::vector<OptionTexts> both_distances{{}, {{"motion_five_frame_window", "true"}}};

std::vector<FramePair> noise(const VideoFormat &format) {
    return {noise_pair(format, 1), noise_pair(format, 2), black_and_white(format)};
}

TEST(MotionKernels, EverySizeAroundATileGivesTheReferencesSums) {
    for (const int width : {3, 4, 5, 63, 119, 120, 121, 243})
        for (const int height : {3, 11, 12, 13, 25, 39})
            for (const int bits : {8, 10})
                expect_reference_sums("motion", both_distances,
                                      noise({.width = width, .height = height, .bit_depth = bits}));
}

TEST(MotionKernels, TheFullRangeOfEveryDepthFits) {
    for (const int bits : {8, 10, 12, 16}) {
        const VideoFormat format{.width = 70, .height = 20, .bit_depth = bits};
        const FramePair black{constant_frame(format, 0), constant_frame(format, 0)};
        const FramePair white{constant_frame(format, largest_sample(format)),
                              constant_frame(format, largest_sample(format))};
        expect_reference_sums("motion", both_distances, {black, white, black, noise_pair(format, 3)});
    }
}

TEST(MotionKernels, OlderReleasesAreReproduced) {
    for (const int bits : {8, 16})
        expect_reference_sums("motion", {{}}, noise({.width = 67, .height = 35, .bit_depth = bits}),
                              Semantics::libvmaf_3_0);
}

/// Ends with noise after a black frame.
std::vector<FramePair> long_noise(int bits) {
    const VideoFormat format{.width = 67, .height = 35, .bit_depth = bits};
    std::vector<FramePair> clip = noise(format);
    clip.push_back(noise_pair(format, 3));
    return clip;
}

TEST(MotionKernels, ChoicesOfSeveralReleasesAreCombined) {
    for (const int bits : {8, 16})
        expect_reference_sums("motion", both_distances, long_noise(bits), mixed_semantics);
}

TEST(MotionKernels, ChoicesOfSeveralReleasesHaveTheReferencesStages) {
    for (const int bits : {8, 16})
        expect_reference_stages("motion", both_distances, long_noise(bits), mixed_semantics);
}

TEST(MotionKernels, EveryStageIsTheReferences) {
    for (const int bits : {8, 12}) {
        const VideoFormat format{.width = 125, .height = 35, .bit_depth = bits};
        expect_reference_stages("motion", both_distances, noise(format));
        expect_reference_stages("motion", {{}}, noise(format), Semantics::libvmaf_3_0);
    }
}

} // namespace
} // namespace isovmaf::motion_gpu_test
