// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/float_ssim/float_ssim.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/feature_runner.hpp"

namespace isovmaf::float_ssim_test {
namespace {

using namespace testing;
using Values = std::vector<double>;

const OptionTexts with_lcs{{"enable_lcs", "true"}};

Result<FeaturePlan> plan(const VideoFormat &format, const OptionTexts &texts) {
    const auto options = *OptionSet::parse("float_ssim", float_ssim_feature.options, texts);
    return make_feature_plan(float_ssim_feature, {.format = format}, {&options, 1});
}

OptionTexts scaled(int scale) { return {{"scale", std::to_string(scale)}}; }

struct Golden {
    VideoFormat format;
    double score; ///< of frame 1 of the generated clip, from libvmaf 3.2.0's plain C path
};

const Golden golden[] = {
    {{.width = 176, .height = 144}, 0x1.d11a12p-1},
    {{.width = 352, .height = 288}, 0x1.d0ea8cp-1},
    {{.width = 352, .height = 288, .bit_depth = 10}, 0x1.d06502p-1},
    {{.width = 352, .height = 288, .chroma = Chroma::k422, .bit_depth = 12}, 0x1.d06316p-1},
    {{.width = 322, .height = 242, .chroma = Chroma::k444}, 0x1.d0920ep-1},
    {{.width = 321, .height = 183}, 0x1.d0ec1ep-1},
    {{.width = 576, .height = 324}, 0x1.d071a8p-1},
    {{.width = 576, .height = 324, .bit_depth = 10}, 0x1.cfe73p-1},
    {{.width = 256, .height = 256, .bit_depth = 16}, 0x1.d01d7cp-1},
};

TEST(FloatSsim, MatchesTheReferenceBitForBit) {
    for (const auto &[format, want] : golden) {
        const auto scores = run_feature("float_ssim", {{}}, {GeneratedClip(format).frame(1)}).front();
        EXPECT_EQ(scores.frames.at("float_ssim"), Values{want})
            << format.width << "x" << format.height << ", " << format.bit_depth << " bit";
    }
}

TEST(FloatSsim, OptionsChooseTheOutputs) {
    const auto clip = generated_clip({.width = 40, .height = 30}, 2);
    const auto scores = run_feature("float_ssim", {{}, with_lcs}, clip);
    EXPECT_EQ(scores[0].frames.size(), 1u);
    EXPECT_EQ(scores[1].frames.size(), 4u);
    EXPECT_EQ(scores[0].frames.at("float_ssim"), scores[1].frames.at("float_ssim"));
}

TEST(FloatSsim, EqualPicturesScoreOne) {
    for (const int bits : {8, 10, 12, 16}) {
        const VideoFormat format{.width = 40, .height = 30, .bit_depth = bits};
        const auto scores = run_feature("float_ssim", {with_lcs}, {identical_pair(format, 5)}).front();
        for (const auto &[name, values] : scores.frames)
            EXPECT_EQ(values, Values{1}) << name << ", " << bits << " bit";
    }
}

/// 10 log10(255² / (0.5 / (40 · 30))) is 81.9.
TEST(FloatSsim, DecibelsAreCappedWhenAskedFor) {
    const auto pair = identical_pair({.width = 40, .height = 30}, 5);
    const OptionTexts decibels{{"enable_db", "true"}}, clipped{{"enable_db", "true"}, {"clip_db", "true"}};
    EXPECT_EQ(run_feature("float_ssim", {decibels}, {pair}).front().frames.at("float_ssim"), Values{INFINITY});
    EXPECT_EQ(run_feature("float_ssim", {clipped}, {pair}).front().frames.at("float_ssim"), Values{82});
    EXPECT_EQ(run_feature("float_ssim", {{{"clip_db", "true"}}}, {pair}).front().frames.at("float_ssim"), Values{1});
}

/// Planes of equal samples have no variance: contrast and structure are 1, and luminance is a quotient.
TEST(FloatSsim, FlatPicturesDifferInLuminanceAlone) {
    const VideoFormat format{.width = 20, .height = 20};
    const FramePair pair{constant_frame(format, 0), constant_frame(format, 255)};
    const auto scores = run_feature("float_ssim", {with_lcs}, {pair}).front();
    EXPECT_LT(scores.frames.at("float_ssim_l").front(), 0.001);
    EXPECT_GT(scores.frames.at("float_ssim_l").front(), 0);
    EXPECT_EQ(scores.frames.at("float_ssim"), scores.frames.at("float_ssim_l"));
}

TEST(FloatSsim, TheFactorFollowsTheShorterSide) {
    const OptionSet automatic(float_ssim_feature.options);
    for (const auto &[side, factor] :
         {std::pair{11, 1}, {383, 1}, {384, 2}, {639, 2}, {640, 3}, {1080, 4}, {2160, 8}, {4320, 17}, {32768, 128}}) {
        EXPECT_EQ(ssim_factor({.width = side, .height = 32768}, automatic), factor);
        EXPECT_EQ(ssim_factor({.width = 32768, .height = side}, automatic), factor);
    }
    EXPECT_EQ(ssim_factor({.width = 1920, .height = 1080}, *OptionSet::parse("", automatic.specs(), scaled(3))), 3);
}

/// A reduced side is the quotient, and one more if the side is odd.
TEST(FloatSsim, PicturesThatAreTooSmallAreRefused) {
    EXPECT_TRUE(plan({.width = 11, .height = 11}, {}));
    EXPECT_FALSE(plan({.width = 10, .height = 11}, {}));
    EXPECT_FALSE(plan({.width = 11, .height = 10}, {}));
    for (int scale = 2; scale <= SSIM_MOST_REDUCTION; scale++)
        for (int side = 11; side < 11 * scale + 3; side++) {
            const bool fits = side / scale + side % 2 >= 11;
            EXPECT_EQ(bool(plan({.width = side, .height = 200}, scaled(scale))), fits) << side << " by " << scale;
            EXPECT_EQ(bool(plan({.width = 200, .height = side}, scaled(scale))), fits) << side << " by " << scale;
        }
    const auto refused = plan({.width = 20, .height = 40}, scaled(2));
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("smaller scale"), std::string::npos) << refused.error().message;
}

TEST(FloatSsim, OddDepthsAreRefused) {
    for (const int bits : {9, 11, 13, 14, 15})
        EXPECT_FALSE(plan({.width = 16, .height = 16, .bit_depth = bits}, {})) << bits;
}

TEST(FloatSsim, TwoScalesAreRefused) {
    const OptionSet sets[] = {*OptionSet::parse("float_ssim", float_ssim_feature.options, scaled(1)),
                              *OptionSet::parse("float_ssim", float_ssim_feature.options, scaled(2))};
    EXPECT_FALSE(make_feature_plan(float_ssim_feature, {.format = {.width = 99, .height = 99}}, sets));
}

} // namespace
} // namespace isovmaf::float_ssim_test
