// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "isovmaf/request.hpp"

#include <gmock/gmock.h>

namespace isovmaf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(ModelRequest, DefaultsAndABareVersion) {
    const auto request = ModelRequest::parse("vmaf_4k_v0.6.1");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->version, "vmaf_4k_v0.6.1");
    EXPECT_EQ(request->path, "");
    EXPECT_EQ(request->name, "vmaf");
    EXPECT_FALSE(request->enable_transform);
    EXPECT_FALSE(request->disable_clip);
    EXPECT_EQ(ModelRequest::parse("disable_clip")->version, ModelRequest{}.version);
}

TEST(ModelRequest, EveryKey) {
    const auto request = ModelRequest::parse(
        R"(path=C\:\models\m.json:name=phone:enable_transform:disable_clip=false:vif.egl=1.2:adm.a=1:vif.debug=true)");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->path, R"(C:\models\m.json)");
    EXPECT_EQ(request->name, "phone");
    EXPECT_TRUE(request->enable_transform);
    EXPECT_FALSE(request->disable_clip);
    ASSERT_EQ(request->feature_options.size(), 2u);
    EXPECT_EQ(request->feature_options[0].name, "vif");
    EXPECT_THAT(request->feature_options[0].options, ElementsAre(Pair("egl", "1.2"), Pair("debug", "true")));
    EXPECT_THAT(request->feature_options[1].options, ElementsAre(Pair("a", "1")));
}

TEST(ModelRequest, MistakesAreNamed) {
    const std::pair<const char *, const char *> cases[] = {
        {"", "\"version\" has no value"},
        {"version=", "\"version\" has no value"},
        {"version=a:path=b", "both a version and a path"},
        {"a:b", "\"b\" is not known"},
        {"a:", "empty part"},
        {"a::name=x", "empty part"},
        {"a:name=", "\"name\" has no value"},
        {"a:name=x:name=x", "\"name\" is given twice"},
        {"a:version=b", "\"version\" is given twice"},
        {"a:enable_transform=yes", "enable_transform takes true or false, not \"yes\""},
        {"a:colour=red", "\"colour\" is not known"},
        {"a:vif.=1", "\"vif.\" is no FEATURE.OPTION"},
        {"a:.egl=1", "\".egl\" is no FEATURE.OPTION"},
        {"a:vif.egl=", "\"vif.egl\" has no value"},
        {"a:vif.egl=1:vif.egl=2", "\"vif.egl\" is given twice"},
        {"a:=1", "\"\" is not known"},
    };
    for (const auto &[text, message] : cases) {
        const auto request = ModelRequest::parse(text);
        ASSERT_FALSE(request) << text;
        EXPECT_EQ(request.error().code, ErrorCode::invalid_argument);
        EXPECT_THAT(request.error().message, HasSubstr(message));
    }
}

} // namespace
} // namespace isovmaf
