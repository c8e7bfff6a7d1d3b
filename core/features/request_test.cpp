// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "isovmaf/request.hpp"

#include <gmock/gmock.h>

namespace isovmaf::request_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(FeatureRequest, NameAndOptionsInTheOrderGiven) {
    const auto request = FeatureRequest::parse("motion:mmxv=18.0:debug=true");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->name, "motion");
    EXPECT_THAT(request->options, ElementsAre(Pair("mmxv", "18.0"), Pair("debug", "true")));
    EXPECT_TRUE(FeatureRequest::parse("psnr")->options.empty());
}

TEST(FeatureRequest, LibvmafsSpellingMeansTheSame) {
    const auto request = FeatureRequest::parse("motion=mmxv=18.0:debug=true");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->name, "motion");
    EXPECT_EQ(request->options, FeatureRequest::parse("motion:mmxv=18.0:debug=true")->options);
}

TEST(FeatureRequest, ValuesMayHoldEqualsSignsAndEscapedColons) {
    EXPECT_THAT(FeatureRequest::parse(R"(cambi:heatmaps=/a\:b=c)")->options, ElementsAre(Pair("heatmaps", "/a:b=c")));
}

TEST(FeatureRequest, MistakesAreNamed) {
    const std::pair<const char *, const char *> cases[] = {
        {"", "no feature name"},
        {":x=1", "no feature name"},
        {"=x=1", "no feature name"},
        {"x=1", "\"1\" is no OPTION=VALUE"},
        {"psnr=", "\"\" is no OPTION=VALUE"},
        {"vif:", "\"\" is no OPTION=VALUE"},
        {"vif:debug", "\"debug\" is no OPTION=VALUE"},
        {"vif:=1", "\"=1\" is no OPTION=VALUE"},
        {"vif:debug=", "\"debug=\" is no OPTION=VALUE"},
        {"vif:a=1::b=2", "\"\" is no OPTION=VALUE"},
    };
    for (const auto &[text, message] : cases) {
        const auto request = FeatureRequest::parse(text);
        ASSERT_FALSE(request) << text;
        EXPECT_EQ(request.error().code, ErrorCode::invalid_argument);
        EXPECT_THAT(request.error().message, HasSubstr(message));
    }
}

} // namespace
} // namespace isovmaf::request_test
