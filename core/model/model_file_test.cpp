// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/model_file.hpp"

#include <gmock/gmock.h>

#include "model/testing/model_text.hpp"

namespace isovmaf {
namespace {

using testing::ElementsAre;
using testing::Pair;

double score_of(const nlohmann::json &file, const ModelRequest &request, std::vector<double> features = {1, 1}) {
    const auto model = parse_model(file.dump(), request, "test.json");
    EXPECT_TRUE(model) << model.error().message;
    double score = 0;
    (*model)->predict(features, {&score, 1});
    return score;
}

TEST(ModelFile, DescribesItsInputsAndItsOutput) {
    nlohmann::json file = small_model();
    file["model_dict"]["feature_opts_dicts"][1] = {{"a", 1.23456789}, {"b", 3}, {"c", "17.0"}, {"d", false}};
    const auto model = parse_model(file.dump(), {.name = "mine"}, "test.json");
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ((*model)->name(), "mine");
    EXPECT_EQ((*model)->origin(), "test.json");
    EXPECT_THAT((*model)->outputs(), ElementsAre("mine"));
    ASSERT_EQ((*model)->inputs().size(), 2u);
    EXPECT_EQ((*model)->inputs()[0].base_name, "VMAF_integer_feature_motion2_score");
    EXPECT_THAT((*model)->inputs()[0].options, ElementsAre(Pair("debug", "true"), Pair("motion_max_val", "18")));
    EXPECT_THAT((*model)->inputs()[1].options,
                ElementsAre(Pair("a", "1.23457"), Pair("b", "3"), Pair("c", "17.0"), Pair("d", "false")));
}

// With gamma 0 every support vector counts with its coefficient: 4 - 0.25 + 1.5 = 5.25, and (5.25 - 0.25) / 0.5 = 10.
TEST(ModelFile, ScoresPassTransformAndClipAsAskedFor) {
    nlohmann::json file = small_model();
    EXPECT_EQ(score_of(file, {}), 10);
    EXPECT_EQ(score_of(file, {.enable_transform = true}), 21);
    file["model_dict"]["score_transform"]["enabled"] = true;
    EXPECT_EQ(score_of(file, {}), 21);
    file["model_dict"]["score_clip"] = {0, 20};
    EXPECT_EQ(score_of(file, {}), 20);
    EXPECT_EQ(score_of(file, {.disable_clip = true}), 21);
    file["model_dict"].erase("score_transform");
    file["model_dict"].erase("score_clip");
    EXPECT_EQ(score_of(file, {.enable_transform = true}), 10);
}

TEST(ModelFile, NoneLeavesScoresUnscaled) {
    nlohmann::json file = small_model();
    file["model_dict"]["norm_type"] = "none";
    file["model_dict"].erase("slopes");
    file["model_dict"].erase("intercepts");
    EXPECT_EQ(score_of(file, {}), 5.25);
}

TEST(ModelFile, OtherKeysAreSkipped) {
    nlohmann::json file = small_model();
    file["model_dict"]["feature_dict"] = {{"VMAF_integer_feature", {"motion2"}}};
    file["comment"] = nullptr;
    file["model_dict"].erase("feature_opts_dicts");
    EXPECT_EQ(score_of(file, {}), 10);
}

// One support vector at the origin makes the distance visible: q = z_0^2 + z_1^2.
TEST(ModelFile, ZeroChromaIsGuessedFromAdm3) {
    nlohmann::json file = small_model();
    nlohmann::json &dict = file["model_dict"];
    dict["feature_names"] = {"Speed_chroma_feature_speed_chroma_uv_score", "VMAF_integer_feature_adm3_score"};
    dict["slopes"] = {1, 0.5, 2};
    dict["intercepts"] = {0, 0.25, 1};
    dict["chroma_correction_parameter"] = 120;
    dict["model"] = "svm_type nu_svr kernel_type rbf gamma 0.001 nr_class 2 rho 0 total_sv 1\nSV\n100\n";
    const auto expected = [](double chroma, double adm3) {
        const double z0 = 0.5 * chroma + 0.25, z1 = 2 * adm3 + 1;
        return 100 * std::exp(-0.001 * (z0 * z0 + z1 * z1));
    };
    EXPECT_EQ(score_of(file, {}, {3, 0.75}), expected(3, 0.75));
    EXPECT_EQ(score_of(file, {}, {0, 0.75}), expected(120 - 120 * 0.75, 0.75));
    dict["chroma_correction_parameter"] = 0; // off
    EXPECT_EQ(score_of(file, {}, {0, 0.75}), expected(0, 0.75));
}

TEST(ModelFile, AScoreNeedsAName) { EXPECT_FALSE(parse_model(small_model().dump(), {.name = ""}, "test.json")); }

} // namespace
} // namespace isovmaf
