// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/model.hpp"

namespace isovmaf {
namespace {

/// Feature values and scores that libvmaf 3.2.0's plain C path gave for three frames of a 576x324 clip: adm2, motion2,
/// vif_scale0..3, plainly and with gain limit 1 (neg).
struct GoldenFrame {
    bool neg;
    std::array<double, 6> features;
    double score;    ///< vmaf_v0.6.1 or vmaf_v0.6.1neg
    double score_4k; ///< vmaf_4k_v0.6.1 or vmaf_4k_v0.6.1neg
};

constexpr GoldenFrame golden_frames[] = {
    {false,
     {0.9620839149029907, 0.0, 0.5057119727134705, 0.8790611624717712, 0.9378732442855835, 0.9643008708953857},
     83.85628400042145,
     90.11107416918722},
    {true,
     {0.9575028277755064, 0.0, 0.5056886076927185, 0.8764451146125793, 0.9339032173156738, 0.9595170021057129},
     82.35034604485676,
     88.93602642569734},
    {false,
     {0.9497659148156563, 4.2143270861464766, 0.41164883971214294, 0.8135404586791992, 0.8945626616477966,
      0.9368787407875061},
     82.63980469307762,
     88.84141274941236},
    {true,
     {0.9431112850278953, 4.2143270861464766, 0.4116343557834625, 0.810669481754303, 0.8899412155151367,
      0.9308601021766663},
     80.61671555118124,
     87.27557169567886},
    {false,
     {0.9434615069247936, 4.2143270861464766, 0.3819071352481842, 0.7992383241653442, 0.8892005681991577,
      0.9365079402923584},
     81.19659095351699,
     87.95120408450039},
    {true,
     {0.9371364870517656, 4.2143270861464766, 0.3819011151790619, 0.795933723449707, 0.8835294842720032,
      0.9285975694656372},
     79.07431248873607,
     86.32122684422028},
};

std::vector<double> scores_of(const ModelRequest &request, const GoldenFrame &frame) {
    const auto model = load_model(request);
    EXPECT_TRUE(model) << model.error().message;
    std::vector<double> scores((*model)->outputs().size());
    (*model)->predict(frame.features, scores);
    return scores;
}

TEST(GoldenModel, ScoresEqualLibvmafInEveryBit) {
    for (const GoldenFrame &frame : golden_frames) {
        const std::string suffix = frame.neg ? "neg" : "";
        EXPECT_EQ(scores_of({.version = "vmaf_v0.6.1" + suffix}, frame).front(), frame.score);
        EXPECT_EQ(scores_of({.version = "vmaf_4k_v0.6.1" + suffix}, frame).front(), frame.score_4k);
    }
}

TEST(GoldenModel, NegReadsGainLimitedFeatures) {
    const auto model = load_model({.version = "vmaf_v0.6.1neg"});
    ASSERT_TRUE(model);
    EXPECT_EQ((*model)->inputs()[0].options, (OptionTexts{{"adm_enhn_gain_limit", "1"}}));
    EXPECT_EQ((*model)->inputs()[1].options, OptionTexts{});
    EXPECT_EQ((*model)->inputs()[5].options, (OptionTexts{{"vif_enhn_gain_limit", "1"}}));
}

/// What libvmaf 3.2.0's plain C path gave for generated clips: cambi, speed_chroma_uv, adm3 and motion3 with the
/// options of vmaf_v1.0.16_3d0h, and its score. The other scores, of the same values, come from an independent program.
struct GoldenV1Frame {
    std::array<double, 4> features;
    double score_3d0h, score_3d0h_2160, score_1d5h_2160;
};

constexpr GoldenV1Frame golden_v1_frames[] = {
    {{0.043259813266854776, 0.0, 0.9358689005052405, 8.879033599237},
     81.58131788133858,
     86.05641610328912,
     81.05641610328912},
    {{0.057313830526900866, 0.0, 0.9288386891715136, 8.858702765570747},
     78.8918415777999,
     83.07703150186936,
     78.07703150186936},
    {{0.09718391509571103, 1.5740796327590942, 0.9362975595669651, 8.854948311014578},
     87.21539453600099,
     92.32936372480847,
     87.32936372480847},
    {{0.13740379846742778, 1.5632232427597046, 0.9293665769878815, 8.854948311014578},
     85.28925961331632,
     90.17997361311872,
     85.17997361311872},
    {{0.0, 2.999725341796875, 0.9361223527140072, 8.835333678948045},
     85.90474404221132,
     90.86624796241881,
     85.86624796241881},
    {{0.0, 2.919271945953369, 0.9300902626448848, 8.826100060315126},
     84.31558699089265,
     89.09536508811348,
     84.09536508811348},
};

TEST(GoldenModel, V1ScoresEqualLibvmafInEveryBit) {
    const auto score = [](const std::string &viewing, std::span<const double> features) {
        const auto model = load_model({.version = "vmaf_v1.0.16_" + viewing});
        EXPECT_TRUE(model) << model.error().message;
        double result = 0;
        (*model)->predict(features, {&result, 1});
        return result;
    };
    for (const GoldenV1Frame &frame : golden_v1_frames) {
        for (const std::string viewing : {"3d0h", "hfr_3d0h", "5d0h", "hfr_5d0h"}) // they differ in what they read
            EXPECT_EQ(score(viewing, frame.features), frame.score_3d0h) << viewing;
        for (const std::string viewing : {"3d0h_2160", "hfr_3d0h_2160"})
            EXPECT_EQ(score(viewing, frame.features), frame.score_3d0h_2160) << viewing;
        for (const std::string viewing : {"1d5h_2160", "hfr_1d5h_2160"})
            EXPECT_EQ(score(viewing, frame.features), frame.score_1d5h_2160) << viewing;
    }
}

TEST(GoldenModel, OneV1ModelScoresAbove100) {
    constexpr std::array<double, 4> perfect{0, 0, 1, 18};
    double score = 0;
    for (const auto &[viewing, most] : {std::pair("3d0h", 100.0), std::pair("3d0h_2160", 110.0)}) {
        (*load_model({.version = fmt::format("vmaf_v1.0.16_{}", viewing)}))->predict(perfect, {&score, 1});
        EXPECT_EQ(score, most) << viewing;
    }
}

// The next two tables come from an independent program written from scores.md §2 and §4.
TEST(GoldenModel, TransformGivesThePhoneScore) {
    constexpr double phone[] = {96.88328344813384, 96.21162483344088, 95.3877054392085};
    for (std::size_t i = 0; i < 3; i++)
        EXPECT_EQ(scores_of({.enable_transform = true}, golden_frames[2 * i]).front(), phone[i]);
}

TEST(GoldenModel, BootstrapScoresAndStatistics) {
    const std::vector<double> plain{
        83.17122503247003, 84.15471302915107, 81.97474641713897, 83.35134095669243, 82.07502375108885,
        85.93076496930406, 80.64234078572767, 81.13784611179616, 84.50510284067424, 81.20833316543104,
        84.57932906248227, 80.00945529914642, 84.695263506352,   82.07624336866458, 84.50608701172438,
        79.67908047076496, 77.86869591442773, 79.91505827907648, 80.26589139965625, 86.4541968746972,
        80.48130781272103, 82.27554105133589, 2.302359069217159, 78.72862857868792, 86.20556671963547};
    const std::vector<double> transformed{
        96.50760733981016, 97.04486739135163, 95.83559837011065,  96.6070216858449,  95.89269500136567,
        97.98052185181001, 95.06347997514135, 95.35354616327717,  97.23298198435842, 95.3945275280028,
        97.27260969316875, 94.68795528972336, 97.33434899003771,  95.8933885629334,  97.23350791952893,
        94.48968175729489, 93.37584972717258, 94.6314602921669,   94.84079336122034, 98.24778549432074,
        94.96846644850285, 96.00644158583074, 1.3027931725535795, 93.91068457294682, 98.12131715672899};
    EXPECT_EQ(scores_of({.version = "vmaf_b_v0.6.3"}, golden_frames[0]), plain);
    EXPECT_EQ(scores_of({.version = "vmaf_b_v0.6.3", .enable_transform = true}, golden_frames[0]), transformed);
}

} // namespace
} // namespace isovmaf
