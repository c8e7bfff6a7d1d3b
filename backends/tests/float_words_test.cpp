// SPDX-License-Identifier: BSD-2-Clause-Patent
// A feature whose words are f32, summed in a declared order: its kernels on the plugin of test kernels that
// ISOVMAF_TEST_PLUGIN names, against its definition, bit for bit.
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "content/patterns.hpp"
#include "device/testing/test_device.hpp"
#include "features/gpu_run.hpp"
#include "features/testing/float_words_params.h"

namespace isovmaf {
namespace {

using namespace testing;

constexpr int blocks_of(int samples) { return (samples + FLOAT_WORDS_BLOCK - 1) / FLOAT_WORDS_BLOCK; }

/// Plain C++ floats, without the functions of f32.h.
class FloatWordsDefinition final : public Extractor {
  public:
    void extract(const PictureWindow &frames, Workspace &, Words words, Taps taps) const override {
        const Plane &reference = frames.reference->plane(0), &distorted = frames.distorted->plane(0);
        Sums total{};
        for (int row = 0; row < blocks_of(reference.height); row++)
            for (int column = 0; column < blocks_of(reference.width); column++) {
                const Sums block = add_block(reference, distorted, column, row, taps);
                for (std::size_t i = 0; i < total.size(); i++)
                    total[i] += block[i];
            }
        for (std::size_t i = 0; i < total.size(); i++)
            words[i] = word_of(total[i]);
    }

  private:
    /// Roots, dim roots, the latter bright; no denormal that is declared right in quick operations.
    using Sums = std::array<float, FLOAT_WORDS_SUMS>;

    static Sums add_block(const Plane &reference, const Plane &distorted, int column, int row, Taps taps) {
        const int left = column * FLOAT_WORDS_BLOCK, top = row * FLOAT_WORDS_BLOCK;
        const int right = std::min(left + FLOAT_WORDS_BLOCK, reference.width);
        const int bottom = std::min(top + FLOAT_WORDS_BLOCK, reference.height);
        Sums sums{};
        for (int y = top; y < bottom; y++)
            for (int x = left; x < right; x++) {
                const auto r = static_cast<float>(reference.row<std::uint8_t>(y)[x]);
                const auto d = static_cast<float>(distorted.row<std::uint8_t>(y)[x]);
                const float root = std::sqrt(0.7F * r * d + 0.1F);
                sums[0] += root;
                sums[1] += root * 0x1p-140F;
                if (taps.memory)
                    taps.put_f32(FLOAT_WORDS_ROOTS, x, y, root);
            }
        sums[2] = sums[1] * 0x1p+120F;
        for (std::size_t i = 0; taps.memory && i < sums.size(); i++)
            taps.put_f32(FLOAT_WORDS_BLOCK_SUMS + static_cast<int>(i), column, row, sums[i]);
        return sums;
    }
};

class FloatWordsGpu final : public GpuExtractor {
  public:
    explicit FloatWordsGpu(const VideoFormat &format)
        : blocks_x_(blocks_of(format.width)), blocks_y_(blocks_of(format.height)) {}

    [[nodiscard]] bool needs_exact_f32() const override { return true; }
    [[nodiscard]] std::uint64_t scratch_bytes() const override {
        return sizeof(float) * FLOAT_WORDS_SUMS * static_cast<std::uint64_t>(blocks_x_ * blocks_y_);
    }

    void record(Recorder &recorder, const GpuFrame &frame) const override {
        const GpuPlane &reference = frame.reference[0], &distorted = frame.distorted[0];
        const FloatWordsParams params{reference.width,        reference.height, reference.stride_bytes,
                                      distorted.stride_bytes, blocks_x_,        blocks_y_};
        const Extent3 threads{FLOAT_WORDS_THREADS, 1, 1};
        recorder.dispatch("float_words_blocks", {groups_for(blocks_x_ * blocks_y_, FLOAT_WORDS_THREADS), 1, 1}, threads,
                          {reference.samples, distorted.samples, frame.scratch}, params);
        recorder.dispatch("float_words_total", {1, 1, 1}, threads, {frame.scratch, frame.words}, params);
    }

  private:
    int blocks_x_, blocks_y_;
};

FeaturePlan float_words_plan(const VideoFormat &format) {
    const int blocks_x = blocks_of(format.width), blocks_y = blocks_of(format.height);
    FeaturePlan plan;
    plan.definition = std::make_unique<FloatWordsDefinition>();
    plan.gpu = std::make_unique<FloatWordsGpu>(format);
    plan.stages = {{"roots", format.width, format.height, FLOAT_WORDS_BLOCK, FLOAT_WORDS_BLOCK}};
    for (const std::string name : {"roots", "dim roots", "bright roots", "quick denormals that are declared right"}) {
        plan.words.push_back({name, WordKind::f32, SumOrder::block_raster});
        plan.stages.push_back({name + " of the blocks", blocks_x, blocks_y});
    }
    for (Stage &stage : plan.stages)
        stage.kind = WordKind::f32;
    return plan;
}

/// Words as people read them, so that a failure shows numbers.
std::vector<std::string> texts(std::span<const std::int64_t> words) {
    std::vector<std::string> texts;
    for (const std::int64_t word : words)
        texts.push_back(fmt::format("{} ({:#x})", word_text(word, WordKind::f32), word));
    return texts;
}

class FloatWords : public ::testing::Test {
  protected:
    void expect_definition(const FramePair &pair) {
        const VideoFormat &format = pair.reference.format();
        const std::string title = fmt::format("{}x{}", format.width, format.height);
        const FeaturePlan plan = float_words_plan(format);
        const PictureWindow inputs{HostPicture(pair.reference), HostPicture(pair.distorted)};
        Workspace workspace;
        std::vector<std::int64_t> expected(plan.words.size());
        StageMemory stages(plan.stages);
        plan.definition->extract(inputs, workspace, expected, stages.taps());

        GpuRun run = value_of(GpuRun::create(device_, plan, format));
        EXPECT_EQ(texts(value_of(run.words(inputs))), texts(expected)) << title;
        const GpuRun::Tapped tapped = value_of(run.tapped(inputs));
        EXPECT_EQ(texts(tapped.words), texts(expected)) << title << ", with taps";
        for (std::size_t s = 0; s < plan.stages.size(); s++)
            EXPECT_EQ(texts(tapped.stages.plane(s)), texts(stages.plane(s))) << title << ", " << plan.stages[s].name;
    }

    Device device_ = open_test_device();
};

TEST_F(FloatWords, EveryWordAndStageIsTheDefinitions) {
    for (const auto &[width, height] : {std::pair{16, 16}, {1, 1}, {17, 33}, {131, 77}, {320, 180}})
        expect_definition(noise_pair({.width = width, .height = height, .chroma = Chroma::k400}, 7));
}

TEST_F(FloatWords, FlatPicturesToo) {
    const VideoFormat format{.width = 40, .height = 20, .chroma = Chroma::k400};
    for (const std::uint32_t level : {0u, 1u, 255u})
        expect_definition({constant_frame(format, level), constant_frame(format, 255 - level)});
}

TEST_F(FloatWords, TheOrderOfTheSumShows) {
    const FramePair pair = noise_pair({.width = 131, .height = 77, .chroma = Chroma::k400}, 7);
    const FeaturePlan plan = float_words_plan(pair.reference.format());
    std::vector<std::int64_t> words(plan.words.size());
    StageMemory stages(plan.stages);
    Workspace workspace;
    plan.definition->extract({HostPicture(pair.reference), HostPicture(pair.distorted)}, workspace, words,
                             stages.taps());
    float backwards = 0;
    const auto roots = stages.plane(FLOAT_WORDS_BLOCK_SUMS);
    for (auto root = roots.rbegin(); root != roots.rend(); ++root)
        backwards += f32_of(*root);
    EXPECT_NE(word_of(backwards), words[0]) << "a kernel that sums in another order would pass";
    EXPECT_LT(words[1], word_of(0x1p-114F));
    EXPECT_GT(stages.plane(FLOAT_WORDS_BLOCK_SUMS + 1)[0], 0);
}

} // namespace
} // namespace isovmaf
