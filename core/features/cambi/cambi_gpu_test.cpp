// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels' sums against the definition's.
#include <array>
#include <memory>

#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "device/testing/kept_device.hpp"
#include "features/cambi/cambi_params.h"
#include "features/frame_window.hpp"
#include "features/gpu_extractor.hpp"
#include "features/gpu_run.hpp"
#include "features/testing/cambi_pictures.hpp"
#include "features/testing/kernel_runner.hpp"
#include "features/words.hpp"

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
                                  {banded_clip(seed, {.width = width, .height = height, .bit_depth = 10}).back()});
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

/// Windows of 1 to 65. One pair for each: the definition takes most of the time.
TEST(CambiKernels, EveryWindowGivesTheReferencesSums) {
    for (const auto &[width, window_size] : {std::pair{250, "15"}, {360, "127"}, {740, "65"}, {1500, "127"}})
        expect_reference_sums("cambi", {{{"window_size", window_size}}},
                              {banded_clip(seed, {.width = width, .height = 40, .chroma = Chroma::k400}).back()});
    expect_reference_sums(
        "cambi", {{{"window_size", "127"}, {"topk", "0.05"}}},
        {banded_clip(seed, {.width = 3040, .height = 42, .chroma = Chroma::k400, .bit_depth = 10}).front()});
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
    expect_reference_stages("cambi", {{}, both}, banded_clip(seed, {.width = 420, .height = 262, .bit_depth = 8}));
    expect_reference_stages("cambi", {many_steps}, banded_clip(seed, {.width = 420, .height = 262, .bit_depth = 10}));
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

/// The last kernel alone, with the total of a scale that has `count` c-values above 0: as many as pictures of more than
/// 33 million pixels have.
class PoolingAlone final : public GpuExtractor {
  public:
    explicit PoolingAlone(std::int64_t count) {
        const std::array<std::int64_t, CAMBI_TOTAL_SUMS> total{std::int64_t{3} << CAMBI_UNIT_BITS, count};
        const std::array<std::uint32_t, 1> lowest{1U << CAMBI_UNIT_BITS};
        total_ = table_.add(std::span<const std::int64_t>(total));
        lowest_ = table_.add(std::span<const std::uint32_t>(lowest));
    }

    std::span<const std::byte> table() const override { return table_.bytes(); }

    void record(Recorder &recorder, const GpuFrame &frame) const override {
        CambiPoolingParams params{.task = {.total = 0, .word = 0, .flag_word = 1}, .scale = {}};
        params.scale[0] = {.first_value = 0, .pixels = 1 << 30, .wanted = 1 << 30};
        recorder.dispatch("cambi_pooling", {1, 1, 1}, {CAMBI_POOLING_THREADS, 1, 1},
                          {frame.table, frame.table + total_, frame.table + lowest_, frame.words}, params);
    }

  private:
    ConstantTable table_;
    std::uint64_t total_ = 0, lowest_ = 0; ///< in the table
};

TEST(CambiKernels, SumsThatDoNotFitFlagTheFrame) {
    const FramePair pair = black_and_white({.width = 16, .height = 16});
    for (const bool fits : {true, false}) {
        FeaturePlan plan;
        plan.words = {{"sum"}, {"flag"}};
        plan.flag_word = 1;
        plan.gpu = std::make_unique<PoolingAlone>(CAMBI_MOST_VALUES + (fits ? 0 : 1));
        FrameHistory history(plan.earlier);
        const FrameWindow frame = history.next(pair);
        GpuRun run = value_of(GpuRun::create(test_device.get(), plan, pair.reference.format()));
        const std::vector<std::int64_t> words = value_of(run.words(frame.pictures()));
        EXPECT_EQ(plan.is_flagged(words), !fits);
        EXPECT_EQ(words.front(), fits ? word_of(3.0) : 0);
    }
}

} // namespace
} // namespace isovmaf::cambi_gpu_test
