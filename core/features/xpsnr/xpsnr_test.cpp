// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/xpsnr/xpsnr.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/feature_runner.hpp"
#include "math/math.hpp"

namespace isovmaf::xpsnr_test {
namespace {

using ::testing::HasSubstr;
using testing::plan_feature;
using testing::run_feature;
using Values = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();
const OptionTexts first_order{{"frame_rate", "24"}}, second_order{{"frame_rate", "60"}};

struct Golden {
    VideoFormat format;
    Values first, second; ///< xpsnr_v of the generated clip (4:0:0: xpsnr_y) at 24 and at 60 frames a second
};

// From FFmpeg 8.1.2's filter.
const Golden golden[] = {
    {{.width = 176, .height = 144},
     {0x1.f0da36401d667p+4, 0x1.abd402ee16031p+4, 0x1.ab48cd0e773fp+4, 0x1.a97669a081ee8p+4},
     {0x1.f0da36401d667p+4, 0x1.00a4d765cff2fp+5, 0x1.b26576982c95ep+4, 0x1.b2caf90795bfep+4}},
    {{.width = 352, .height = 288, .chroma = Chroma::k422, .bit_depth = 12},
     {0x1.06f733a1538cp+5, 0x1.c3923a9d424d6p+4, 0x1.c189c40fd45e8p+4},
     {0x1.06f733a1538cp+5, 0x1.0bc773df4a24p+5, 0x1.cfbdc84b54e24p+4}},
    {{.width = 321, .height = 183},
     {0x1.fc0b3699e3148p+4, 0x1.b2d9064cb4636p+4, 0x1.b24a0b0370322p+4, 0x1.b27a3f57fdd27p+4},
     {0x1.fc0b3699e3148p+4, 0x1.042860afec23fp+5, 0x1.bc8961fed8b5p+4, 0x1.bf0df6b464c52p+4}},
    {{.width = 45, .height = 45},
     {0x1.6789cd74c8c9bp+4, 0x1.5f651fcebe0d8p+4, 0x1.30a41f14e3e4ep+4, 0x1.45c7f8dc6b1ap+4},
     {0x1.6789cd74c8c9bp+4, 0x1.77125165b9852p+4, 0x1.2f44baa1b56abp+4, 0x1.461a53df1925fp+4}},
    {{.width = 256, .height = 256, .bit_depth = 16},
     {0x1.fec73986ae19bp+4, 0x1.b5fa9b9fa0f45p+4, 0x1.b4ad3f0328baap+4},
     {0x1.fec73986ae19bp+4, 0x1.05371e742d043p+5, 0x1.bfb139882f9fbp+4}},
    {{.width = 641, .height = 479, .bit_depth = 10},
     {0x1.0a6db15beaap+5, 0x1.c4f7f720ca6e4p+4, 0x1.c546fc20c4eap+4},
     {0x1.0a6db15beaap+5, 0x1.0dd6460169cdp+5, 0x1.d4a84b904b91cp+4}},
    {{.width = 640, .height = 482, .bit_depth = 12},
     {0x1.09a39253a5406p+5, 0x1.c123000bda795p+4, 0x1.c0fa29d07adep+4},
     {0x1.09a39253a5406p+5, 0x1.0d3f0e5bd2018p+5, 0x1.ce9347cc5e87ep+4}},
    {{.width = 2048, .height = 1154},
     {0x1.1cc4a2cfd31aap+5, 0x1.d39c73eb0fe6ap+4},
     {0x1.1cc4a2cfd31aap+5, 0x1.1af1c0292941fp+5}},
};

TEST(Xpsnr, MatchesFFmpegBitForBit) {
    for (const Golden &want : golden) {
        GeneratedClip generator(want.format, ChromaEdge::present);
        std::vector<FramePair> clip;
        for (std::uint32_t n = 0; n < want.first.size(); n++)
            clip.push_back(generator.frame(n));
        const std::string name = want.format.chroma == Chroma::k400 ? "xpsnr_y" : "xpsnr_v";
        const std::string title = std::to_string(want.format.width) + "x" + std::to_string(want.format.height);
        EXPECT_EQ(run_feature("xpsnr", {first_order}, clip).front().frames.at(name), want.first) << title;
        EXPECT_EQ(run_feature("xpsnr", {second_order}, clip).front().frames.at(name), want.second) << title;
    }
}

TEST(Xpsnr, TheOrderIsSecondFrom32FramesASecondOn) {
    for (const double rate : {0.0, 1.0, 24000 / 1001., 31.0, 31.99, 32000 / 1001.})
        EXPECT_EQ(xpsnr_order(rate), XpsnrOrder::first) << rate;
    for (const double rate : {32.0, 50.0, 60000 / 1001., 1000.0})
        EXPECT_EQ(xpsnr_order(rate), XpsnrOrder::second) << rate;
}

TEST(Xpsnr, EarlierFramesAreReadAsTheOrderSays) {
    const PlanContext context{{.width = 64, .height = 64}};
    EXPECT_EQ(plan_feature("xpsnr", {first_order}, context).earlier.reference, 1);
    EXPECT_EQ(plan_feature("xpsnr", {second_order}, context).earlier.reference, 2);
    EXPECT_EQ(plan_feature("xpsnr", {second_order}, context).earlier.distorted, 0);
    EXPECT_EQ(plan_feature("xpsnr", {second_order}, {{.width = 44, .height = 46}}).earlier.reference, 0);
}

TEST(Xpsnr, IdenticalPicturesAreInfinitelyGood) {
    const VideoFormat format{.width = 64, .height = 64};
    const auto scores = run_feature("xpsnr", {first_order}, {identical_pair(format, 1), identical_pair(format, 2)})[0];
    for (const std::string plane : {"y", "u", "v"}) {
        EXPECT_EQ(scores.frames.at("xpsnr_" + plane), (Values{infinity, infinity}));
        EXPECT_EQ(scores.aggregates.at("axpsnr_" + plane), infinity);
    }
    EXPECT_EQ(scores.aggregates.at("axpsnr_min"), infinity);
}

/// The average is that of roots, and needs as many as there are frames.
TEST(Xpsnr, AVideoWithOneSmallErrorIsInfinitelyGood) {
    const VideoFormat format{.width = 64, .height = 64, .chroma = Chroma::k400};
    const Frame grey = constant_frame(format, 100);
    const Frame changed =
        painted_frame(format, default_poison, [](int, int x, int y) { return x == 9 && y == 9 ? 101 : 100; });
    std::vector<FramePair> clip{{grey, changed}};
    for (int i = 0; i < 300; i++)
        clip.push_back({grey, grey});
    const auto scores = run_feature("xpsnr", {first_order}, clip).front();
    EXPECT_LT(scores.frames.at("xpsnr_y")[0], 100);
    EXPECT_EQ(scores.aggregates.at("axpsnr_y"), infinity);
}

TEST(Xpsnr, PicturesWithoutBlocksHaveAPlainPsnr) {
    const VideoFormat format{.width = 44, .height = 46, .chroma = Chroma::k400};
    const auto scores =
        run_feature("xpsnr", {first_order}, {{constant_frame(format, 10), constant_frame(format, 13)}}).front();
    const double root = std::sqrt(9.0 * 44 * 46);
    EXPECT_EQ(scores.frames.at("xpsnr_y"), Values{10 * math::log10(44 * 46 * 65025.0 / (root * root))});
}

TEST(Xpsnr, AveragesAreOfRoots) {
    const VideoFormat format{.width = 64, .height = 64};
    const auto clip = testing::generated_clip(format, 3);
    const auto scores = run_feature("xpsnr", {first_order}, clip).front();
    double sum = 0;
    for (const double score : scores.frames.at("xpsnr_y"))
        sum += std::pow(10, -score / 20);
    EXPECT_NEAR(scores.aggregates.at("axpsnr_y"), -20 * std::log10(sum / 3), 1e-9);
    EXPECT_EQ(scores.aggregates.at("axpsnr_min"),
              std::min({scores.aggregates.at("axpsnr_y"), scores.aggregates.at("axpsnr_u"),
                        scores.aggregates.at("axpsnr_v")}));
}

TEST(Xpsnr, ChromaIsOptional) {
    const auto clip = testing::generated_clip({.width = 64, .height = 64}, 2);
    const OptionTexts luma{{"frame_rate", "24"}, {"enable_chroma", "false"}};
    const auto both = run_feature("xpsnr", {first_order, luma}, clip);
    EXPECT_EQ(both[0].frames.size(), 3u);
    EXPECT_EQ(both[1].frames.size(), 1u);
    EXPECT_EQ(both[0].frames.at("xpsnr_y"), both[1].frames.at("xpsnr_y"));
    EXPECT_EQ(both[0].frames.at("xpsnr_y"), run_feature("xpsnr", {luma}, clip).front().frames.at("xpsnr_y"));
    EXPECT_EQ(both[1].aggregates.at("axpsnr_min"), both[1].aggregates.at("axpsnr_y"));
}

/// Errors of 16-bit samples take all bits of a word, and samples are unsigned.
TEST(Xpsnr, BlackAgainstWhiteIsBelowZero) {
    for (const int bits : {8, 16}) {
        const VideoFormat format{.width = 64, .height = 64, .bit_depth = bits};
        const auto scores = run_feature("xpsnr", {first_order}, {black_and_white(format)}).front();
        EXPECT_LT(scores.frames.at("xpsnr_y")[0], 0) << bits;
        EXPECT_GT(scores.frames.at("xpsnr_y")[0], -30) << bits;
    }
}

TEST(Xpsnr, OneRunHasOneOrder) {
    const std::vector<OptionSet> sets{*OptionSet::parse("xpsnr", xpsnr_feature.options, first_order),
                                      *OptionSet::parse("xpsnr", xpsnr_feature.options, second_order)};
    const auto plan = make_feature_plan(xpsnr_feature, {{.width = 64, .height = 64}}, sets);
    ASSERT_FALSE(plan);
    EXPECT_THAT(plan.error().message, HasSubstr("one rate at a time"));
}

TEST(Xpsnr, OneBlockIsNotEnough) {
    const OptionSet defaults(xpsnr_feature.options);
    EXPECT_TRUE(make_feature_plan(xpsnr_feature, {{.width = 45, .height = 45}}, {&defaults, 1}));
    for (const VideoFormat &narrow : {VideoFormat{.width = 4, .height = 600}, VideoFormat{.width = 600, .height = 4}}) {
        const auto plan = make_feature_plan(xpsnr_feature, {narrow}, {&defaults, 1});
        ASSERT_FALSE(plan);
        EXPECT_THAT(plan.error().message, HasSubstr("blocks of 4x4"));
    }
}

} // namespace
} // namespace isovmaf::xpsnr_test
