// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/bind_models.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace isovmaf::bind_models_test {
namespace {

constexpr VideoFormat format{.width = 176, .height = 144};

std::vector<std::string> score_names(const SessionOptions &options) {
    const Result<Session> session = Session::create(options);
    EXPECT_TRUE(session) << session.error().message;
    return session ? session->score_names() : std::vector<std::string>{};
}

TEST(BindModels, FeaturesComeFirstThenModels) {
    const auto names =
        score_names({.format = format, .scoring = {.models = {ModelRequest{}}, .features = {{.name = "psnr"}}}});
    EXPECT_EQ(names.back(), "vmaf");
    EXPECT_NE(std::ranges::find(names, "integer_adm2"), names.end());
    EXPECT_LT(std::ranges::find(names, "integer_adm2"), std::ranges::find(names, "psnr_y"));
}

TEST(BindModels, ModelsShareEqualFeatures) {
    const ModelRequest four_k{.version = "vmaf_4k_v0.6.1", .name = "vmaf_4k"};
    const auto one = score_names({.format = format, .scoring = {.models = {ModelRequest{}}}});
    const auto two = score_names({.format = format, .scoring = {.models = {ModelRequest{}, four_k}}});
    EXPECT_EQ(two.size(), one.size() + 1);
}

TEST(BindModels, VmafAndNegRunOnOneExtraction) {
    const ScoringOptions options{.models = {ModelRequest{}, {.version = "vmaf_v0.6.1neg", .name = "neg"}}};
    const auto requested = load_requested(options, format.height);
    ASSERT_TRUE(requested) << requested.error().message;
    EXPECT_EQ(requested->features.entries().size(), 3u);
    const auto plan = make_plan(requested->features, {.format = format});
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->features.size(), 3u); // one extractor each of adm, motion and vif
}

TEST(BindModels, V1IsTheModelForTheRows) {
    const ScoringOptions options{.models = {{.version = "v1"}}};
    EXPECT_EQ(load_requested(options, 1440)->models[0]->origin(), "built in: vmaf_v1.0.16_3d0h");
    EXPECT_EQ(load_requested(options, 1441)->models[0]->origin(), "built in: vmaf_v1.0.16_3d0h_2160");
}

TEST(BindModels, FeatureOptionsOfARequestChangeTheInput) {
    ModelRequest request;
    request.feature_options = {{.name = "vif", .options = {{"vif_enhn_gain_limit", "1.0"}}}};
    const auto names = score_names({.format = format, .scoring = {.models = {request}}});
    EXPECT_NE(std::ranges::find(names, "integer_vif_scale0_egl_1"), names.end());
}

TEST(BindModels, OlderSemanticsServeTheOlderModels) {
    const auto names =
        score_names({.format = format, .scoring = {.models = {ModelRequest{}}, .semantics = Semantics::libvmaf_3_0}});
    EXPECT_NE(std::ranges::find(names, "integer_motion2"), names.end());
    EXPECT_EQ(std::ranges::find(names, "integer_motion3"), names.end());
}

} // namespace
} // namespace isovmaf::bind_models_test
