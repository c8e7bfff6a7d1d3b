// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/psnr/psnr.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/feature_runner.hpp"
#include "math/math.hpp"

namespace isovmaf::psnr_test {
namespace {

using testing::generated_clip;
using testing::run_feature;
using Values = std::vector<double>;

const OptionTexts no_chroma{{"enable_chroma", "false"}}, with_mse{{"enable_mse", "true"}},
    with_apsnr{{"enable_apsnr", "true"}};

constexpr VideoFormat small{.width = 176, .height = 144};

Result<FeaturePlan> plan(const VideoFormat &format, const OptionTexts &texts) {
    const auto options = *OptionSet::parse("psnr", psnr_feature.options, texts);
    return make_feature_plan(psnr_feature, {.format = format}, {&options, 1});
}

struct Golden {
    VideoFormat format;
    double y, cb, cr; ///< of frame 1 of the generated clip, from libvmaf 3.2.0's plain C path
};

const Golden golden[] = {
    {small, 0x1.039d0dd7dcf8ap+5, 0x1.d974d491d1e68p+4, 0x1.d7afbf8863b82p+4},
    {{.width = 321, .height = 183}, 0x1.0311219ad6931p+5, 0x1.d7cb3d88c9302p+4, 0x1.d722f0ef8cb8bp+4},
    {{.width = 322, .height = 242, .chroma = Chroma::k444},
     0x1.02959b1306fcap+5,
     0x1.023e804b4db54p+5,
     0x1.021b62cde44cfp+5},
    {{.width = 352, .height = 288, .bit_depth = 10}, 0x1.0322a26b99ef4p+5, 0x1.d7f60ecdbc79bp+4, 0x1.d792c786131bep+4},
    {{.width = 352, .height = 288, .chroma = Chroma::k422, .bit_depth = 12},
     0x1.0338d5b13455p+5,
     0x1.df1355464688ep+4,
     0x1.ded47c73471a2p+4},
    {{.width = 256, .height = 256, .bit_depth = 16}, 0x1.02e3439a62b6p+5, 0x1.d77f840d295d6p+4, 0x1.d75e0ced34617p+4},
};

TEST(Psnr, MatchesTheReferenceBitForBit) {
    for (const Golden &want : golden) {
        const auto scores = run_feature("psnr", {{}}, {GeneratedClip(want.format).frame(1)}).front();
        EXPECT_EQ(scores.frames.at("psnr_y"), Values{want.y}) << want.format.bit_depth;
        EXPECT_EQ(scores.frames.at("psnr_cb"), Values{want.cb}) << want.format.bit_depth;
        EXPECT_EQ(scores.frames.at("psnr_cr"), Values{want.cr}) << want.format.bit_depth;
    }
}

TEST(Psnr, EqualPicturesGetTheCap) {
    for (const auto &[bits, cap] : {std::pair{8, 60.0}, {10, 72.0}, {12, 84.0}, {16, 108.0}}) {
        const VideoFormat format{.width = 20, .height = 10, .bit_depth = bits};
        const Frame black = constant_frame(format, 0);
        const auto scores =
            run_feature("psnr", {with_apsnr, {{"min_sse", "0.5"}}}, {identical_pair(format, 1), {black, black}});
        EXPECT_EQ(scores[0].frames.at("psnr_y"), (Values{cap, cap})) << bits;
        EXPECT_EQ(scores[0].frames.at("psnr_cr"), (Values{cap, cap})) << bits;
        // ⌈10 log10(peak² / (sse / pixels))⌉ with half an error in 200 and in 50 samples, in 400 and 100 altogether
        const int steps = (bits - 8) * 6;
        EXPECT_EQ(scores[1].frames.at("psnr_y")[0], 75 + steps) << bits;
        EXPECT_EQ(scores[1].frames.at("psnr_cb")[0], 69 + steps) << bits;
        EXPECT_EQ(scores[0].aggregates.at("apsnr_y"), 78 + steps) << bits;
        EXPECT_EQ(scores[0].aggregates.at("apsnr_cb"), 72 + steps) << bits;
    }
}

TEST(Psnr, EqualPicturesStayFiniteWithoutACap) {
    const VideoFormat format{.width = 8, .height = 8, .chroma = Chroma::k400};
    const auto scores = run_feature("psnr", {{{"min_sse", "1e-30"}}}, {identical_pair(format, 2)}).front();
    EXPECT_EQ(scores.frames.at("psnr_y"), Values{10 * math::log10(65025 / 1e-16)});
}

TEST(Psnr, BlackAgainstWhiteIsZero) {
    for (const int bits : {8, 10, 12, 16}) {
        const VideoFormat format{.width = 35, .height = 19, .chroma = Chroma::k422, .bit_depth = bits};
        const auto scores =
            run_feature("psnr", {{{"enable_mse", "true"}, {"enable_apsnr", "true"}}}, {black_and_white(format)})
                .front();
        const double peak = largest_sample(format);
        for (const std::string plane : {"y", "cb", "cr"}) {
            EXPECT_EQ(scores.frames.at("psnr_" + plane), Values{0}) << plane << bits;
            EXPECT_EQ(scores.frames.at("mse_" + plane), Values{peak * peak}) << plane << bits;
            EXPECT_NEAR(scores.aggregates.at("apsnr_" + plane), 0, 1e-12) << plane << bits;
        }
    }
}

TEST(Psnr, ErrorsAreCountedExactly) {
    for (const int bits : {8, 10, 16}) {
        const VideoFormat format{.width = 37, .height = 5, .chroma = Chroma::k400, .bit_depth = bits};
        const FramePair pair = noise_pair(format, 11);
        double sse = 0;
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < 37; x++) {
                const auto sample = [&](const Frame &frame) -> double {
                    const Plane &plane = frame.plane(0);
                    return bits == 8 ? plane.row<std::uint8_t>(y)[x] : plane.row<std::uint16_t>(y)[x];
                };
                const double difference = sample(pair.reference) - sample(pair.distorted);
                sse += difference * difference;
            }
        EXPECT_EQ(run_feature("psnr", {with_mse}, {pair}).front().frames.at("mse_y"), Values{sse / (37 * 5)}) << bits;
    }
}

TEST(Psnr, WholeVideoAddsErrorsBeforeTheLogarithm) {
    const VideoFormat format{.width = 4, .height = 4, .chroma = Chroma::k400};
    const Frame black = constant_frame(format, 0);
    const auto scores = run_feature("psnr", {with_apsnr, {}}, {{black, constant_frame(format, 3)}, {black, black}});
    EXPECT_NEAR(scores[0].aggregates.at("apsnr_y"), 10 * math::log10(65025 / 4.5), 1e-12);
    EXPECT_TRUE(scores[1].aggregates.empty());
}

TEST(Psnr, PeakCanBeThatOf8Bit) {
    for (const int bits : {8, 10}) {
        const VideoFormat format{.width = 4, .height = 4, .chroma = Chroma::k400, .bit_depth = bits};
        const std::uint32_t level = 255u << (bits - 8);
        const FramePair pair{constant_frame(format, 0), constant_frame(format, level)};
        const auto scores = run_feature("psnr", {{{"reduced_hbd_peak", "true"}}}, {pair}).front();
        EXPECT_EQ(scores.frames.at("psnr_y"), Values{0}) << bits;
    }
}

TEST(Psnr, ChromaIsOptional) {
    const VideoFormat grey{.width = 1, .height = 1, .chroma = Chroma::k400};
    EXPECT_EQ(run_feature("psnr", {{}}, {black_and_white(grey)}).front().frames.size(), 1u);
    const auto clip = generated_clip(small, 1);
    const auto both = run_feature("psnr", {no_chroma, {{"enable_mse", "true"}, {"enable_apsnr", "true"}}}, clip);
    EXPECT_EQ(both[0].frames.size(), 1u);
    EXPECT_EQ(both[0].frames.at("psnr_y"), both[1].frames.at("psnr_y"));
    EXPECT_EQ(both[1].frames.size(), 6u);
    EXPECT_EQ(both[1].aggregates.size(), 3u);
}

TEST(Psnr, BytesBetweenRowsAreNotRead) {
    for (const int bits : {8, 10}) {
        const VideoFormat format{.width = 33, .height = 17, .bit_depth = bits};
        EXPECT_EQ(run_feature("psnr", {{}}, {noise_pair(format, 1, 0x00)}).front().frames,
                  run_feature("psnr", {{}}, {noise_pair(format, 1, 0xff)}).front().frames);
    }
}

TEST(Psnr, EmptyChromaIsRefused) {
    const auto refused = plan({.width = 1, .height = 8, .chroma = Chroma::k422}, {});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("2x1"), std::string::npos) << refused.error().message;
    EXPECT_FALSE(plan({.width = 2, .height = 1}, {}));
    EXPECT_TRUE(plan({.width = 2, .height = 2}, {}));
    EXPECT_TRUE(plan({.width = 1, .height = 1}, no_chroma));
    EXPECT_TRUE(plan({.width = 1, .height = 1, .chroma = Chroma::k444}, {}));
}

TEST(Psnr, OddDepthsAreRefused) {
    for (const int bits : {9, 11, 13, 14, 15}) {
        const auto refused = plan({.width = 16, .height = 16, .bit_depth = bits}, {});
        ASSERT_FALSE(refused);
        EXPECT_NE(refused.error().message.find(std::to_string(bits) + " bit"), std::string::npos);
    }
}

} // namespace
} // namespace isovmaf::psnr_test
