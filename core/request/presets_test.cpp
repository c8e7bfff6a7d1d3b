// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "request/scoring_arguments.hpp"

namespace isovmaf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> models_of(const Preset &preset) {
    std::vector<std::string> models;
    for (const ModelRequest &model : preset.models)
        models.push_back(model.name + "=" + model.version);
    return models;
}

std::vector<std::string> features_of(const Preset &preset) {
    std::vector<std::string> features;
    for (const FeatureRequest &feature : preset.features)
        features.push_back(feature.name);
    return features;
}

TEST(Presets, AomScoresWithTheDefaultModelAndNeg) {
    for (const std::string version : {"v1.0", "v2.0"}) {
        const Preset preset = find_preset("aom_ctc", version).value();
        EXPECT_THAT(models_of(preset), ElementsAre("vmaf=vmaf_v0.6.1", "vmaf_neg=vmaf_v0.6.1neg"));
        EXPECT_THAT(features_of(preset), ElementsAre("psnr", "ciede", "float_ssim", "float_ms_ssim", "psnr_hvs"));
    }
    for (const std::string version : {"v3.0", "v4.0", "v5.0", "v6.0", "v7.0"}) {
        const Preset preset = find_preset("aom_ctc", version).value();
        EXPECT_THAT(models_of(preset), ElementsAre("vmaf=vmaf_v0.6.1", "vmaf_neg=vmaf_v0.6.1neg"));
        EXPECT_THAT(features_of(preset),
                    ElementsAre("psnr", "ciede", "float_ssim", "float_ms_ssim", "psnr_hvs", "cambi"));
    }
}

TEST(Presets, NetflixScoresWithTheModelsFor4k) {
    const Preset preset = find_preset("nflx_ctc", "v1.0").value();
    EXPECT_THAT(models_of(preset), ElementsAre("vmaf=vmaf_4k_v0.6.1", "vmaf_neg=vmaf_4k_v0.6.1neg"));
    EXPECT_THAT(features_of(preset), ElementsAre("psnr", "float_ssim", "cambi"));
}

TEST(Presets, OtherVersionsAreRefusedWithAList) {
    for (const std::string version : {"v9.0", "proposed", "", "v1"}) {
        const Result<Preset> preset = find_preset("aom_ctc", version);
        ASSERT_FALSE(preset) << version;
        EXPECT_THAT(preset.error().message, HasSubstr("--aom_ctc takes v1.0, v2.0, v3.0, v4.0, v5.0, v6.0, v7.0, not"));
    }
    EXPECT_FALSE(find_preset("nflx_ctc", "v2.0"));
}

std::vector<std::string> names_of(std::vector<std::string> models, std::string aom_preset = "") {
    ScoringArguments arguments;
    arguments.models = std::move(models);
    arguments.aom_preset = std::move(aom_preset);
    const Result<ScoringOptions> options = parse_scoring(arguments);
    EXPECT_TRUE(options);
    std::vector<std::string> names;
    for (const ModelRequest &model : options->models)
        names.push_back(model.name);
    return names;
}

TEST(ModelNames, AreThoseOfTheModelsWhereSeveralHaveNone) {
    EXPECT_THAT(names_of({}), ElementsAre("vmaf"));
    EXPECT_THAT(names_of({"v1"}), ElementsAre("vmaf"));
    EXPECT_THAT(names_of({"vmaf_v0.6.1", "version=v1"}), ElementsAre("vmaf_v0.6.1", "vmaf_v1"));
    EXPECT_THAT(names_of({"vmaf_v0.6.1", "path=a/mine.json", "v1:name=new"}),
                ElementsAre("vmaf_v0.6.1", "vmaf_mine", "new"));
    EXPECT_THAT(names_of({"v1", "vmaf_v0.6.1neg:name=neg"}), ElementsAre("vmaf", "neg"));
    EXPECT_THAT(names_of({"v1", "vmaf_v0.6.1neg:name=vmaf"}), ElementsAre("vmaf_v1", "vmaf"));
    EXPECT_THAT(names_of({"v1"}, "v1.0"), ElementsAre("vmaf", "vmaf_neg", "vmaf_v1"));
}

} // namespace
} // namespace isovmaf
