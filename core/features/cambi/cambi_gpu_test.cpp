// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels' sums against the definition's.
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "device/testing/kept_device.hpp"
#include "features/cambi/cambi_params.h"
#include "features/frame_window.hpp"
#include "features/gpu_run.hpp"
#include "features/testing/cambi_pictures.hpp"
#include "features/testing/kernel_runner.hpp"

namespace isovmaf::cambi_gpu_test {
namespace {

using namespace testing;

constexpr std::uint32_t seed = 1;

const OptionTexts wide{{"window_size", "127"}, {"max_log_contrast", "3"}, {"topk", "0.1"}},
    many_steps{{"window_size", "127"}, {"max_log_contrast", "5"}, {"topk", "0.3"}},
    v1{{"cambi_high_res_speedup", "1080"}, {"cambi_max_val", "17"}, {"cambi_vis_lum_threshold", "0.06"}},
    both{{"full_ref", "true"}, {"enc_bitdepth", "8"}, {"topk", "1"}};

TEST(CambiKernels, EverySizeAroundATileGivesTheReferencesSums) {
    for (const int width : {216, 255, 256, 257})
        for (const int height : {1, 2, 15, 16, 32, 33})
            expect_reference_sums("cambi", {wide, both},
                                  banded_clip(seed, {.width = width, .height = height, .bit_depth = 10}));
}

TEST(CambiKernels, SmallPicturesGiveTheReferencesSums) {
    for (const int width : {1, 2, 33, 65})
        expect_reference_sums("cambi", {{}, wide}, banded_clip(seed, {.width = width, .height = 217, .bit_depth = 8}));
}

TEST(CambiKernels, EveryDepthGivesTheReferencesSums) {
    for (const int bits : {8, 9, 10, 12, 16}) {
        const VideoFormat format{.width = 231, .height = 45, .chroma = Chroma::k400, .bit_depth = bits};
        std::vector<FramePair> clip = banded_clip(seed, format);
        clip.push_back(noise_pair(format, 2));
        clip.push_back(black_and_white(format));
        expect_reference_sums("cambi", {{}, many_steps, both}, clip);
    }
}

/// Windows of 1 to 65.
TEST(CambiKernels, EveryWindowGivesTheReferencesSums) {
    for (const auto &[width, window_size] : {std::pair{250, "15"}, {360, "127"}, {740, "65"}, {1500, "127"}})
        expect_reference_sums("cambi", {{{"window_size", window_size}}},
                              banded_clip(seed, {.width = width, .height = 40, .chroma = Chroma::k400}));
    expect_reference_sums("cambi", {{{"window_size", "127"}, {"topk", "0.05"}}},
                          banded_clip(seed, {.width = 3040, .height = 42, .chroma = Chroma::k400, .bit_depth = 10}));
}

TEST(CambiKernels, ScaledPicturesGiveTheReferencesSums) {
    for (const int bits : {8, 12})
        expect_reference_sums("cambi",
                              {{{"full_ref", "true"}, {"enc_width", "250"}, {"enc_height", "160"}},
                               {{"full_ref", "true"}, {"src_width", "400"}, {"src_height", "210"}}},
                              banded_clip(seed, {.width = 321, .height = 203, .bit_depth = bits}));
}

/// Scale 0 has half the size from 1920x1080 pixels on.
TEST(CambiKernels, HalvedPicturesGiveTheReferencesSums) {
    auto clip = banded_clip(seed, {.width = 6913, .height = 301, .chroma = Chroma::k400});
    clip.pop_back();
    expect_reference_sums("cambi", {v1}, clip);
}

TEST(CambiKernels, EveryStageIsTheReferences) {
    for (const int bits : {8, 10})
        expect_reference_stages("cambi", {{}, many_steps, both},
                                banded_clip(seed, {.width = 420, .height = 262, .bit_depth = bits}));
}

TEST(CambiKernels, LargeSumsThatAreExactGiveTheReferencesSums) {
    expect_reference_sums("cambi",
                          {{{"window_size", "127"}, {"max_log_contrast", "5"}, {"topk", "0.95"}},
                           {{"window_size", "127"}, {"max_log_contrast", "5"}, {"topk", "1"}}},
                          large_sums_clip(false));
}

const KeptDevice &test_device = KeptDevice::add();

TEST(CambiKernels, SumsThatRoundFlagTheFrame) {
    const std::vector<FramePair> clip = large_sums_clip(true);
    const OptionTexts options{{"window_size", "127"}, {"max_log_contrast", "5"}, {"topk", "1"}};
    const FeaturePlan plan = plan_feature("cambi", {options}, {clip.front().reference.format()});
    FrameHistory history(plan.earlier);
    const FrameWindow frame = history.next(clip.front());
    GpuRun run = value_of(GpuRun::create(test_device.get(), plan, clip.front().reference.format()));
    EXPECT_TRUE(plan.is_flagged(value_of(run.words(frame.pictures()))));
}

} // namespace
} // namespace isovmaf::cambi_gpu_test
