// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/scoring.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frame/validate.hpp"

namespace isovmaf::diff::scoring_test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;

constexpr VideoFormat large{.width = 240, .height = 240}; // that every feature takes
const std::vector<std::string> every_feature{
    "motion",         "vif",        "adm",           "psnr",     "cambi", "speed_chroma",
    "speed_temporal", "float_ssim", "float_ms_ssim", "psnr_hvs", "ciede", "xpsnr"};

ScoringOptions everything(const VideoFormat &format, Semantics semantics = Semantics::libvmaf_3_2) {
    const Result<ScoringOptions> options = score_everything(format, semantics, false);
    EXPECT_TRUE(options) << options.error().message;
    return options.value_or(ScoringOptions{});
}

/// Names of features that are scored, once each.
std::vector<std::string> features(const ScoringOptions &options) {
    std::vector<std::string> names;
    for (const FeatureRequest &request : options.features)
        if (std::ranges::find(names, request.name) == names.end())
            names.push_back(request.name);
    return names;
}

std::vector<std::string> models(const ScoringOptions &options) {
    std::vector<std::string> versions;
    for (const ModelRequest &request : options.models)
        versions.push_back(request.version);
    return versions;
}

/// Option names of a feature that are not at their defaults somewhere.
std::vector<std::string> special_options(const ScoringOptions &options, std::string_view feature) {
    std::vector<std::string> names;
    for (const FeatureRequest &request : options.features)
        if (request.name == feature)
            for (const auto &[name, value] : request.options)
                names.push_back(name);
    return names;
}

std::vector<std::string> score_names(const VideoFormat &format) {
    const Result<Session> session = Session::create({.format = format, .scoring = everything(format)});
    EXPECT_TRUE(session) << session.error().message;
    return session ? session->score_names() : std::vector<std::string>{};
}

TEST(ScoreEverything, TakesAllThereIs) {
    const ScoringOptions options = everything(large);
    EXPECT_THAT(features(options), UnorderedElementsAreArray(every_feature));
    EXPECT_THAT(special_options(options, "motion"), ElementsAre("motion_five_frame_window"));
    EXPECT_THAT(special_options(options, "vif"), ElementsAre("vif_enhn_gain_limit", "vif_skip_scale0"));
    EXPECT_THAT(special_options(options, "adm"), ElementsAre("adm_csf_mode", "adm_norm_view_dist"));
    EXPECT_THAT(models(options), ElementsAre("vmaf_v0.6.1", "vmaf_v0.6.1neg"));
}

TEST(ScoreEverything, DefaultsAreScoredBesideTheSpecialOptions) {
    const ScoringOptions options = everything(large);
    for (const std::string &name : features(options))
        EXPECT_THAT(options.features, Contains(AllOf(::testing::Field(&FeatureRequest::name, name),
                                                     ::testing::Field(&FeatureRequest::options, IsEmpty()))));
    EXPECT_THAT(score_names(large),
                IsSupersetOf({"integer_motion2", "integer_motion2_mffw", "integer_vif_scale0", "integer_adm2", "psnr_y",
                              "psnr_cb", "psnr_cr", "mse_y", "mse_cb", "mse_cr", "vmaf", "vmaf_neg"}));
}

TEST(ScoreEverything, PsnrComparesChromaWhereThereIsAny) {
    EXPECT_THAT(score_names({.width = 2, .height = 2}), IsSupersetOf({"psnr_y", "psnr_cb", "mse_cr"}));
    EXPECT_THAT(score_names({.width = 1, .height = 1}), UnorderedElementsAre("psnr_y", "mse_y"))
        << "half a sample is none";
    EXPECT_THAT(score_names({.width = 1, .height = 1, .chroma = Chroma::k444}),
                IsSupersetOf({"psnr_y", "psnr_cb", "mse_cr"}));
}

TEST(ScoreEverything, SmallPicturesGetWhatFitsThem) {
    const ScoringOptions options = everything({.width = 4, .height = 4});
    EXPECT_THAT(features(options), UnorderedElementsAre("motion", "psnr", "ciede", "xpsnr"));
    EXPECT_THAT(models(options), IsEmpty());
    EXPECT_THAT(features(everything({.width = 16, .height = 200})),
                UnorderedElementsAre("motion", "psnr", "vif", "float_ssim", "psnr_hvs", "ciede", "xpsnr"));
    EXPECT_THAT(models(everything({.width = 32, .height = 200})), IsEmpty());
    EXPECT_THAT(models(everything({.width = 33, .height = 33})), ElementsAre("vmaf_v0.6.1", "vmaf_v0.6.1neg"));
}

TEST(ScoreEverything, ASingleLumaSampleHasAPsnr) {
    const ScoringOptions options = everything({.width = 1, .height = 1, .chroma = Chroma::k400});
    EXPECT_THAT(features(options), ElementsAre("psnr", "xpsnr"));
    EXPECT_THAT(score_names({.width = 1, .height = 1, .chroma = Chroma::k400}),
                UnorderedElementsAre("psnr_y", "mse_y", "xpsnr_y"));
}

TEST(ScoreEverything, EarlierSemanticsLeaveOutWhatCameLater) {
    const ScoringOptions options = everything(large, Semantics::libvmaf_3_0);
    EXPECT_EQ(options.semantics, Semantics::libvmaf_3_0);
    EXPECT_THAT(special_options(options, "motion"), Not(Contains("motion_five_frame_window")));
    EXPECT_THAT(features(options), UnorderedElementsAreArray(every_feature));
    EXPECT_THAT(models(options), ElementsAre("vmaf_v0.6.1", "vmaf_v0.6.1neg"));
}

TEST(ScoreEverything, GpusGetWhatHasKernels) {
    const ScoringOptions options =
        score_everything({.width = 256, .height = 256}, Semantics::libvmaf_3_2, true).value();
    EXPECT_THAT(features(options),
                UnorderedElementsAre("motion", "vif", "adm", "psnr", "cambi", "speed_chroma", "speed_temporal",
                                     "float_ssim", "float_ms_ssim", "psnr_hvs", "xpsnr"));
    ScoringOptions asked{.models = {{.version = "vmaf_v1.0.16_3d0h"}, {.version = "vmaf_v0.6.1"}},
                         .features = {{.name = "cambi"}, {.name = "ciede"}, {.name = "vif"}}};
    asked = with_kernels(std::move(asked), {.width = 256, .height = 256});
    EXPECT_THAT(features(asked), ElementsAre("cambi", "vif"));
    EXPECT_THAT(models(asked), ElementsAre("vmaf_v1.0.16_3d0h", "vmaf_v0.6.1"));
}

TEST(ScoreEverything, WhatItGivesCanBeScored) {
    for (const Semantics semantics : {Semantics::libvmaf_3_2, Semantics::libvmaf_3_0})
        for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
            for (const int bits : {8, 9, 10, 12, 16})
                for (const int side : {3, 16, 33, 64}) {
                    const VideoFormat format{side, side, chroma, bits};
                    const Result<Session> session =
                        Session::create({.format = format, .scoring = everything(format, semantics)});
                    EXPECT_TRUE(session) << format_text(format) << ": " << session.error().message;
                }
}

TEST(ScoreEverything, PicturesThatNothingTakesAreRefused) {
    const Result<ScoringOptions> none =
        score_everything({.width = 1, .height = 1, .bit_depth = 9}, Semantics::libvmaf_3_2, false);
    ASSERT_FALSE(none) << "psnr knows no 9 bit, and the others want larger pictures";
    EXPECT_EQ(none.error().code, ErrorCode::unsupported);
    EXPECT_THAT(none.error().message, AllOf(HasSubstr("1x1"), HasSubstr("9-bit")));
}

} // namespace
} // namespace isovmaf::diff::scoring_test
