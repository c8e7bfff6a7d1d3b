// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/feature_options.hpp"

#include <gmock/gmock.h>

namespace isovmaf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

std::vector<ModelInput> some_inputs() {
    return {{"VMAF_integer_feature_motion2_score", {{"motion_max_val", "18"}, {"debug", "true"}}},
            {"integer_motion3", {}},
            {"Other_feature_imaginary_scale0_score", {{"limit", "1"}}}};
}

TEST(FeatureOptions, LieOverThoseOfTheModelInEveryInputOfTheFeature) {
    std::vector<ModelInput> inputs = some_inputs();
    ASSERT_TRUE(overlay_feature_options(inputs, std::vector<FeatureRequest>{{"motion", {{"mmxv", "20"}}}}, "x"));
    EXPECT_THAT(inputs[0].options, ElementsAre(Pair("debug", "true"), Pair("mmxv", "20")));
    EXPECT_THAT(inputs[1].options, ElementsAre(Pair("mmxv", "20")));
    EXPECT_THAT(inputs[2].options, ElementsAre(Pair("limit", "1")));
}

TEST(FeatureOptions, FeaturesThatThisBuildLacksAreMatchedByName) {
    std::vector<ModelInput> inputs = some_inputs();
    const std::vector<FeatureRequest> requests{{"imaginary", {{"limit", "2"}, {"other", "3"}}}};
    ASSERT_TRUE(overlay_feature_options(inputs, requests, "x"));
    EXPECT_THAT(inputs[1].options, IsEmpty());
    EXPECT_THAT(inputs[2].options, ElementsAre(Pair("limit", "2"), Pair("other", "3")));
}

TEST(FeatureOptions, MistakesAreNamed) {
    const std::pair<FeatureRequest, const char *> cases[] = {
        {{"nothing", {{"a", "1"}}},
         "x: options are given for feature \"nothing\", but the model reads only "
         "VMAF_integer_feature_motion2_score, integer_motion3, Other_feature_imaginary_scale0_score"},
        {{"", {{"a", "1"}}}, "options are given for feature \"\""},
        {{"motion", {{"colour", "1"}}}, "x: feature motion has no option \"colour\""},
        {{"motion", {{"mmxv", "-1"}}}, "x: option motion_max_val of feature motion takes"},
        {{"motion", {{"mmxv", "1"}, {"motion_max_val", "2"}}}, "is given twice"},
    };
    for (const auto &[request, message] : cases) {
        std::vector<ModelInput> inputs = some_inputs();
        const auto done = overlay_feature_options(inputs, std::vector<FeatureRequest>{request}, "x");
        ASSERT_FALSE(done) << message;
        EXPECT_THAT(done.error().message, HasSubstr(message));
    }
}

} // namespace
} // namespace isovmaf
