// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/float_ms_ssim/float_ms_ssim.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/feature_runner.hpp"

namespace isovmaf::float_ms_ssim_test {
namespace {

using namespace testing;
using Values = std::vector<double>;

const OptionTexts with_lcs{{"enable_lcs", "true"}};
constexpr VideoFormat smallest{.width = 176, .height = 176};

Result<FeaturePlan> plan(const VideoFormat &format) {
    const OptionSet options(float_ms_ssim_feature.options);
    return make_feature_plan(float_ms_ssim_feature, {.format = format}, {&options, 1});
}

struct Golden {
    VideoFormat format;
    double score; ///< of frame 1 of the generated clip, from libvmaf 3.2.0's plain C path
};

const Golden golden[] = {
    {{.width = 352, .height = 288}, 0x1.fa44a960527b5p-1},
    {{.width = 352, .height = 288, .bit_depth = 10}, 0x1.fa372cccc18a9p-1},
    {{.width = 352, .height = 288, .chroma = Chroma::k422, .bit_depth = 12}, 0x1.fa3938fc050dp-1},
    {{.width = 322, .height = 242, .chroma = Chroma::k444}, 0x1.fa45e5a042498p-1},
    {{.width = 321, .height = 183}, 0x1.fa54a49c773fap-1},
    {{.width = 576, .height = 324}, 0x1.fa3e488b0ff8cp-1},
    {{.width = 576, .height = 324, .bit_depth = 10}, 0x1.fa2f16b5c7f39p-1},
    {{.width = 256, .height = 256, .bit_depth = 16}, 0x1.fa3da5934472bp-1},
};

TEST(FloatMsSsim, MatchesTheReferenceBitForBit) {
    for (const auto &[format, want] : golden) {
        const auto scores = run_feature("float_ms_ssim", {{}}, {GeneratedClip(format).frame(1)}).front();
        EXPECT_EQ(scores.frames.at("float_ms_ssim"), Values{want})
            << format.width << "x" << format.height << ", " << format.bit_depth << " bit";
    }
}

TEST(FloatMsSsim, OptionsChooseTheOutputs) {
    const auto scores = run_feature("float_ms_ssim", {{}, with_lcs}, {noise_pair(smallest, 3)});
    EXPECT_EQ(scores[0].frames.size(), 1u);
    EXPECT_EQ(scores[1].frames.size(), 16u);
    EXPECT_EQ(scores[0].frames.at("float_ms_ssim"), scores[1].frames.at("float_ms_ssim"));
}

/// The finest scale is SSIM's without a reduction.
TEST(FloatMsSsim, TheFirstScaleIsSsims) {
    const std::vector<FramePair> clip{noise_pair(smallest, 4)};
    const auto multi = run_feature("float_ms_ssim", {with_lcs}, clip).front();
    const auto single = run_feature("float_ssim", {{{"enable_lcs", "true"}, {"scale", "1"}}}, clip).front();
    for (const char factor : {'l', 'c', 's'})
        EXPECT_EQ(multi.frames.at(fmt::format("float_ms_ssim_{}_scale0", factor)),
                  single.frames.at(fmt::format("float_ssim_{}", factor)));
}

FramePair black_pair(const VideoFormat &format) { return {constant_frame(format, 0), constant_frame(format, 0)}; }

/// Elsewhere numerators and denominators are rounded differently.
TEST(FloatMsSsim, BlackPicturesScoreOne) {
    for (const int bits : {8, 16}) {
        const VideoFormat format{.width = 176, .height = 176, .bit_depth = bits};
        const auto scores = run_feature("float_ms_ssim", {with_lcs}, {black_pair(format)}).front();
        for (const auto &[name, values] : scores.frames)
            EXPECT_EQ(values, Values{1}) << name << ", " << bits << " bit";
    }
}

/// 10 log10(255² / (0.5 / 176²)) is 96.03.
TEST(FloatMsSsim, DecibelsAreCappedWhenAskedFor) {
    const OptionTexts decibels{{"enable_db", "true"}}, clipped{{"enable_db", "true"}, {"clip_db", "true"}};
    const auto scores = run_feature("float_ms_ssim", {decibels, clipped}, {black_pair(smallest)});
    EXPECT_EQ(scores[0].frames.at("float_ms_ssim"), Values{INFINITY});
    EXPECT_EQ(scores[1].frames.at("float_ms_ssim"), Values{97});
}

/// The power of a negative mean is no number, and its decibels are the most. libvmaf 3.2.0 has these scores too.
TEST(FloatMsSsim, OppositePicturesHaveNoScore) {
    const auto checkers = [](std::uint32_t first) {
        return painted_frame(smallest, default_poison,
                             [=](int, int x, int y) { return (x + y) % 2 ? first : 255 - first; });
    };
    const OptionTexts decibels{{"enable_db", "true"}}, clipped{{"enable_db", "true"}, {"clip_db", "true"}};
    const auto scores = run_feature("float_ms_ssim", {with_lcs, decibels, clipped}, {{checkers(0), checkers(255)}});
    EXPECT_EQ(scores[0].frames.at("float_ms_ssim_s_scale0"), Values{-0x1.fe2a02p-1});
    EXPECT_TRUE(std::isnan(scores[0].frames.at("float_ms_ssim").front()));
    EXPECT_EQ(scores[1].frames.at("float_ms_ssim"), Values{INFINITY});
    EXPECT_EQ(scores[2].frames.at("float_ms_ssim"), Values{97});
}

TEST(FloatMsSsim, PicturesThatAreTooSmallAreRefused) {
    EXPECT_TRUE(plan(smallest));
    EXPECT_FALSE(plan({.width = 175, .height = 176}));
    EXPECT_FALSE(plan({.width = 176, .height = 175}));
    EXPECT_FALSE(plan({.width = 176, .height = 176, .bit_depth = 9}));
}

} // namespace
} // namespace isovmaf::float_ms_ssim_test
