// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/motion/motion.hpp"

#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/feature_runner.hpp"
#include "features/testing/mixed_semantics.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf::motion_test {
namespace {

using testing::generated_clip;
using testing::mixed_semantics;
using testing::run_feature;
using Values = std::vector<double>;

const std::string sad = "VMAF_integer_feature_motion_sad_score";
const std::string motion2 = "VMAF_integer_feature_motion2_score";
const std::string motion3 = "VMAF_integer_feature_motion3_score";

constexpr VideoFormat small{.width = 176, .height = 144};

TEST(Motion, StillPicturesDoNotMove) {
    const FramePair pair = generated_clip(small, 1).front();
    const auto scores = run_feature("motion", {{}}, {pair, pair, pair}).front();
    for (const auto &[name, values] : scores.frames)
        EXPECT_EQ(values, (Values{0, 0, 0})) << name;
}

TEST(Motion, OneFrameHasNoMotion) {
    const auto scores = run_feature("motion", {{}}, generated_clip(small, 1)).front();
    for (const auto &[name, values] : scores.frames)
        EXPECT_EQ(values, Values{0}) << name;
}

/// A uniform step of d has |blurred difference| = 256 d in every sample, edges included.
TEST(Motion, UniformStepIsItsHeight) {
    for (const int bits : {8, 10, 12, 16}) {
        const VideoFormat format{.width = 5, .height = 3, .chroma = Chroma::k400, .bit_depth = bits};
        FramePool pool(format);
        std::vector<FramePair> clip;
        for (const int level : {20, 27, 20}) {
            const WritableFrame frame = pool.take();
            for (int y = 0; y < 3; y++)
                for (int x = 0; x < 5; x++) {
                    std::byte *at = frame.data[0] + y * frame.stride_bytes[0];
                    if (bits == 8)
                        reinterpret_cast<std::uint8_t *>(at)[x] = static_cast<std::uint8_t>(level);
                    else
                        reinterpret_cast<std::uint16_t *>(at)[x] = static_cast<std::uint16_t>(level << (bits - 8));
                }
            clip.push_back({frame.frame, frame.frame});
        }
        const auto scores = run_feature("motion", {{}}, clip).front();
        EXPECT_EQ(scores.frames.at(sad), (Values{0, 7, 7})) << bits;
    }
}

TEST(Motion, BytesBetweenRowsAreNotRead) {
    for (const int bits : {8, 10}) {
        const VideoFormat format{.width = 33, .height = 17, .bit_depth = bits};
        const auto scores = [&](std::uint8_t poison) {
            return run_feature("motion", {{}}, {noise_pair(format, 1, poison), noise_pair(format, 2, poison)}).front();
        };
        EXPECT_EQ(scores(0x00).frames, scores(0xff).frames) << bits;
    }
}

TEST(Motion, MatchesTheReferenceBitForBit) {
    const auto scores = run_feature("motion", {{}, {{"mffw", "true"}, {"mma", "true"}}}, generated_clip(small, 4));
    EXPECT_EQ(scores[0].frames.at(sad),
              (Values{0x0p+0, 0x1.178a4afd6a053p+3, 0x1.184977eb50296p+3, 0x1.19742c9b26c9bp+3}));
    EXPECT_EQ(scores[0].frames.at(motion2),
              (Values{0x0p+0, 0x1.178a4afd6a053p+3, 0x1.184977eb50296p+3, 0x1.19742c9b26c9bp+3}));
    EXPECT_EQ(scores[0].frames.at(motion3),
              (Values{0x1.178a4afd6a053p+3, 0x1.178a4afd6a053p+3, 0x1.184977eb50296p+3, 0x1.19742c9b26c9bp+3}));
    EXPECT_EQ(scores[1].frames.at("integer_motion2_mffw_mma"),
              (Values{0x0p+0, 0x0p+0, 0x1.d73a1b79890cfp+3, 0x1.d73a1b79890cfp+3}));
    EXPECT_EQ(scores[1].frames.at("integer_motion3_mffw_mma"),
              (Values{0x1.d5ef2fd6a052cp+3, 0x1.d5ef2fd6a052cp+3, 0x1.d694a5a814afep+3, 0x1.d73a1b79890cfp+3}));
}

TEST(Motion, OlderReleasesAreReproduced) {
    const auto scores = run_feature("motion", {{}}, generated_clip(small, 4), Semantics::libvmaf_3_0).front();
    EXPECT_EQ(scores.frames.at("VMAF_integer_feature_motion_score"),
              (Values{0x0p+0, 0x1.179f4p+3, 0x1.185074p+3, 0x1.1992aap+3}));
    EXPECT_EQ(scores.frames.at(motion2), (Values{0x0p+0, 0x1.179f4p+3, 0x1.185074p+3, 0x1.1992aap+3}));
}

TEST(Motion, OptionsUnknownToOlderReleasesAreRefused) {
    const auto options = *OptionSet::parse("motion", motion_feature.options, {{"mmxv", "18"}});
    const auto plan = motion_feature.plan({small, Semantics::libvmaf_3_0}, {&options, 1});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().message, "option motion_max_val of feature motion does not exist in libvmaf 3.0: leave it "
                                    "out, or leave out --compat");
}

/// Each choice by itself: the sums of 3.0, the scores and options of 3.2.
TEST(Motion, ChoicesOfSeveralReleasesAreCombined) {
    const std::vector<FramePair> clip = generated_clip(small, 4);
    const auto older = run_feature("motion", {{}}, clip, Semantics::libvmaf_3_0).front();
    const auto mixed = run_feature("motion", {{}, {{"mffw", "true"}, {"mma", "true"}}}, clip, mixed_semantics);
    const Values &rounded = older.frames.at("VMAF_integer_feature_motion_score");
    const Values &exact = mixed[0].frames.at(sad);
    for (std::size_t n = 0; n < clip.size(); n++)
        EXPECT_EQ(static_cast<float>(exact[n]), static_cast<float>(rounded[n])) << n;
    EXPECT_NE(exact, rounded); // 3.0 divides in f32
    EXPECT_EQ(mixed[0].frames.at(motion3), (Values{exact[1], exact[1], exact[2], exact[3]}));
    EXPECT_EQ(mixed[0].frames.size(), 3u);
    EXPECT_EQ(mixed[1].frames.at("integer_motion2_mffw_mma")[1], 0);
    EXPECT_GT(mixed[1].frames.at("integer_motion2_mffw_mma")[2], exact[2]); // two frames apart
}

TEST(Motion, BlendAndCapActOnMotion3) {
    const auto scores = run_feature("motion",
                                    {{{"mbf", "0.5"}, {"mbo", "0"}},
                                     {{"force_0", "true"}},
                                     {{"mmxv", "1"}},
                                     {{"mbf", "0.5"}, {"mbo", "0"}, {"mmxv", "2"}}},
                                    generated_clip(small, 3));
    const Values &blended2 = scores[0].frames.at("integer_motion2_mbf_0.5_mbo_0");
    const Values &blended3 = scores[0].frames.at("integer_motion3_mbf_0.5_mbo_0");
    EXPECT_EQ(blended3[1], blended2[1] * 0.5);
    EXPECT_EQ(scores[1].frames.at("integer_motion3_force_0"), (Values{0, 0, 0}));
    EXPECT_EQ(scores[2].frames.at("integer_motion3_mmxv_1"), (Values{1, 1, 1}));
    EXPECT_EQ(scores[3].frames.at("integer_motion3_mbf_0.5_mbo_0_mmxv_2"), (Values{1, 1, 1})); // capped, then blended
}

} // namespace
} // namespace isovmaf::motion_test
