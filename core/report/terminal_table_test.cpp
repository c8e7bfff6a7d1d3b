// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/terminal.hpp"

#include <limits>
#include <sstream>

#include <gmock/gmock.h>

namespace isovmaf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t widest_line(const std::string &text) {
    std::istringstream lines(text);
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);)
        widest = std::max(widest, line.size());
    return widest;
}

Report two_frames() {
    Report report;
    report.scores = {{"VMAF_integer_feature_motion_sad_score", "integer_adm2", "mse_y", "vmaf"},
                     {{0, {0, 1, 1048575, 75.5}}, {1, {3, 0.5, 1048575, 100}}},
                     {{"apsnr_y", 40}},
                     {"motion", "adm", "psnr", "vmaf"}};
    return report;
}

TEST(Terminal, TheScoreComesFirstAndLinesFit) {
    const std::string text = terminal_summary(two_frames(), {.first_model = 3});
    EXPECT_EQ(text, &R"(
vmaf 87.750000

2 frames       mean      min      max harmonic      1 %      5 %     10 %
-------------------------------------------------------------------------
vmaf        87.7500  75.5000 100.0000  86.0592  75.7450  76.7250  77.9500
-------------------------------------------------------------------------
apsnr_y     40.0000
-------------------------------------------------------------------------
motion_sad   1.5000   0.0000   3.0000   0.6000   0.0300   0.1500   0.3000
adm2         0.7500   0.5000   1.0000   0.7143   0.5050   0.5250   0.5500
mse_y       1048575  1048575  1048575  1048575  1048575  1048575  1048575
)"[1]);
    Report wide = two_frames();
    wide.scores.names[1] = "integer_score_of_another_feature_1.2";
    EXPECT_EQ(widest_line(terminal_summary(wide, {.first_model = 3})), 80U);
}

TEST(Terminal, TheScoreNamesItsModel) {
    Report report = two_frames();
    report.models = {{"vmaf", "version=vmaf_v1.0.16_3d0h"}};
    EXPECT_THAT(terminal_summary(report, {.first_model = 3}),
                ::testing::StartsWith("vmaf 87.750000 (model vmaf_v1.0.16_3d0h)\n\n"));
    report.models = {{"vmaf", "path=my/mo\ndel.json"}};
    EXPECT_THAT(terminal_summary(report, {.first_model = 3, .styled = true}),
                ::testing::StartsWith("\x1b[1mvmaf 87.750000\x1b[0m (model my/mo\\x0adel.json)\n"));
    report.models = {{"vmaf_v0.6.1", "version=vmaf_v0.6.1"}};
    report.scores.names[3] = report.scores.sources[3] = "vmaf_v0.6.1";
    EXPECT_THAT(terminal_summary(report, {.first_model = 3}), ::testing::StartsWith("vmaf_v0.6.1 87.750000\n\n"));
    EXPECT_EQ(model_of(report, 0), "");
}

TEST(Terminal, OnlyATerminalGetsStyles) {
    EXPECT_THAT(terminal_summary(two_frames(), {.first_model = 3}), Not(HasSubstr("\x1b")));
    EXPECT_THAT(terminal_summary(two_frames(), {.first_model = 3, .styled = true}),
                ::testing::StartsWith("\x1b[1mvmaf 87.750000\x1b[0m\n"));
}

TEST(Terminal, FeaturesAloneHaveNoHeadline) {
    Report report;
    report.scores = {{"psnr_y"}, {{0, {std::numeric_limits<double>::infinity()}}}, {}, {"psnr"}};
    EXPECT_EQ(terminal_summary(report, {.first_model = 1}), &R"(
1 frame     mean      min      max harmonic      1 %      5 %     10 %
----------------------------------------------------------------------
psnr_y       inf      inf      inf      inf      inf      inf      inf
)"[1]);
}

TEST(Terminal, MembersOfABootstrapModelHaveNoRow) {
    const ScoreTable scores{{"b", "b_0001", "b_bagging"}, {{0, {1, 2, 3}}}, {}, {"b", "b", "b"}};
    EXPECT_THAT(pooled_table(scores, 0), Not(HasSubstr("b_0001")));
    EXPECT_THAT(pooled_table(scores, 0), HasSubstr("\nb_bagging "));
    EXPECT_EQ(plain_scores(scores, 0, Precision::legacy), "1.000000\n");
}

TEST(Terminal, PlainScoresEndWithThoseOfTheWholeVideo) {
    const double infinite = std::numeric_limits<double>::infinity();
    ScoreTable scores{
        {"y", "u"}, {{0, {1, infinite}}, {1, {2, infinite}}}, {{"of_y", 1.25}, {"least", infinite}}, {"x", "x"}};
    EXPECT_EQ(plain_scores(scores, 2, Precision::legacy), "y 1.500000\nu inf\nof_y 1.250000\nleast inf\n");
    EXPECT_EQ(plain_scores(scores, 2, Precision::max, "a.mkv"),
              "y 1.5  a.mkv\nu inf  a.mkv\nof_y 1.25  a.mkv\nleast inf  a.mkv\n");
    EXPECT_EQ(plain_scores(scores, 1, Precision::legacy), "inf\n") << "the score of a model stands alone";
    scores = {{"y"}, {{0, {1}}}, {{"of_y", 1.25}}, {"x"}};
    EXPECT_EQ(plain_scores(scores, 1, Precision::legacy), "y 1.000000\nof_y 1.250000\n");
}

TEST(Terminal, TheWorstFramesComeWithTheirTimes) {
    Report report = two_frames();
    report.scores.frames.push_back({4'000'000, {0, 0, 0, 75}});
    const std::array<std::int64_t, 3> frames{4'000'000, 0, 1};
    EXPECT_EQ(worst_frames_text(report, 3, {.frames = std::span(frames).first(2)}), &R"(
worst frames            time  vmaf
     4000000               -  75.000000
           0               -  75.500000
)"[1]);
    report.video_rate = 25;
    report.first_frame = 2;
    EXPECT_EQ(worst_frames_text(report, 3, {.frames = frames, .distance = 12}), &R"(
worst frames            time  vmaf
     4000000    44:26:40.080  75.000000
           0     0:00:00.080  75.500000
           1     0:00:00.120  100.000000
of frames less than 12 frames apart only the worst is listed
)"[1]);
}

TEST(ShortNames, AreShortAndDistinct) {
    EXPECT_THAT(
        short_names(
            {"integer_adm_scale0_egl_1", "VMAF_feature_adm2_score", "psnr_y", "integer_motion2_motion_max_val_18"}, 17),
        ElementsAre("adm_scale0_egl_1", "adm2", "psnr_y", "motion2_.._val_18"));
    EXPECT_THAT(short_names({"integer_motion2", "motion2", "x"}, 17), ElementsAre("integer_motion2", "motion2", "x"));
}

TEST(ShortNames, OfFeaturesLoseTheirOptionsWhereTheyStayDistinct) {
    const std::vector<std::string> v1{"cambi_hrs_1080_cmxv_17_vlt_0.06",
                                      "speed_chroma_uv_mxv_45_nnf_0.1_snn_0.19_wvm_5",
                                      "integer_adm2_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02",
                                      "VMAF_integer_feature_motion_sad_score_mmxv_18",
                                      "psnr_hvs_y",
                                      "psnr_y_x"};
    EXPECT_THAT(short_names(v1, 17, 5),
                ElementsAre("cambi", "speed_chroma_uv", "adm2", "motion_sad", "psnr_hvs_y", "psnr_y_x"));
    EXPECT_THAT(short_names({"integer_adm2", "integer_adm2_egl_1", "integer_motion2_mmxv_18"}, 17, 3),
                ElementsAre("adm2", "adm2_egl_1", "motion2"));
    EXPECT_THAT(short_names({"integer_adm_scale0", "integer_adm_scale1", "integer_adm_scale0_csf_2_dlmw_0.7_nw_0.02",
                             "integer_adm_scale1_csf_2_dlmw_0.7_nw_0.02"},
                            17, 4),
                ElementsAre("adm_scale0", "adm_scale1", "adm_scale0.._0.02", "adm_scale1.._0.02"));
}

TEST(FitName, CountsCharactersAndCutsNone) {
    EXPECT_EQ(fit_name("Zürich.mp4", 10), "Zürich.mp4");
    EXPECT_EQ(fit_name("ÄÖÜßäöü.mp4", 10), "ÄÖÜß...mp4");
    EXPECT_EQ(fit_name("日本語日本語日本語", 6), "日本..本語");
    EXPECT_EQ(fit_name("", 6), "");
}

} // namespace
} // namespace isovmaf
