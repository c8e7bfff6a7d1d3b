// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/model_choice.hpp"

#include <gmock/gmock.h>

#include "model/model.hpp"

namespace isovmaf {
namespace {

std::string chosen_version(const std::string &version, int rows) {
    return chosen_request({.version = version}, rows).version;
}

TEST(ModelChoice, V1DependsOnTheRowsOfThePictures) {
    for (const int rows : {1, 1080, most_rows_of_hd})
        EXPECT_EQ(chosen_version("v1", rows), "vmaf_v1.0.16_3d0h") << rows;
    for (const int rows : {most_rows_of_hd + 1, 2160, 4320})
        EXPECT_EQ(chosen_version("v1", rows), "vmaf_v1.0.16_3d0h_2160") << rows;
    EXPECT_TRUE(depends_on_rows({.version = "v1"}));
}

TEST(ModelChoice, OtherRequestsStayAsTheyAre) {
    for (const std::string_view version : builtin_model_versions()) {
        EXPECT_EQ(chosen_version(std::string(version), 2160), version);
        EXPECT_FALSE(depends_on_rows({.version = std::string(version)}));
    }
    EXPECT_EQ(chosen_version("mine", 2160), "mine");
    EXPECT_EQ(chosen_request({.version = "v1", .path = "v1.json"}, 2160).version, "v1"); // which counts for nothing
    EXPECT_FALSE(depends_on_rows({.version = "v1", .path = "v1.json"}));
    const ModelRequest named = chosen_request({.version = "v1", .name = "new", .disable_clip = true}, 1080);
    EXPECT_EQ(named.name, "new");
    EXPECT_TRUE(named.disable_clip);
}

TEST(ModelChoice, EveryBuiltInModelHasAPurpose) {
    const auto versions = builtin_model_versions();
    const auto purposes = model_purposes();
    ASSERT_EQ(purposes.size(), versions.size() + 1);
    for (std::size_t i = 0; i < versions.size(); i++)
        EXPECT_EQ(purposes[i].version, versions[i]);
    EXPECT_EQ(purposes.back().version, "v1");
}

TEST(ModelChoice, LibvmafsVersionsDoNotHaveTheChoice) {
    const auto model = load_model({.version = "v1"});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::not_found);
}

} // namespace
} // namespace isovmaf
