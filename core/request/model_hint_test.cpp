// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/model_hint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf {
namespace {

constexpr VideoFormat small{.width = 3840, .height = 2159}, large{.width = 64, .height = 2160};

TEST(ModelHint, NamesTheModelForLargeScreens) {
    EXPECT_EQ(
        model_hint({ModelRequest{}}, large),
        "the pictures have 2160 rows, and vmaf_v0.6.1 was trained for 1080 rows: for viewers of a 4K screen, score "
        "with -m version=vmaf_4k_v0.6.1");
    EXPECT_THAT(model_hint({{.version = "vmaf_v0.6.1neg"}}, large), ::testing::HasSubstr("version=vmaf_4k_v0.6.1neg"));
    EXPECT_THAT(model_hint({{.version = "vmaf_4k_v0.6.1"}, {.version = "vmaf_v0.6.1neg"}}, large),
                ::testing::HasSubstr("version=vmaf_4k_v0.6.1neg"));
    EXPECT_THAT(model_hint({{.version = "vmaf_v1.0.16_hfr_3d0h"}}, large),
                ::testing::HasSubstr("version=vmaf_v1.0.16_hfr_3d0h_2160"));
}

TEST(ModelHint, IsEmptyWhereNoModelFitsBetter) {
    EXPECT_EQ(model_hint({ModelRequest{}}, small), "");
    EXPECT_EQ(model_hint({}, large), "");
    EXPECT_EQ(model_hint({{.version = "vmaf_4k_v0.6.1"}}, large), "");
    EXPECT_EQ(model_hint({{.version = "vmaf_v0.6.1"}, {.version = "vmaf_4k_v0.6.1"}}, large), "");
    EXPECT_EQ(model_hint({{.version = "vmaf_b_v0.6.3"}}, large), ""); // has no twin
    EXPECT_EQ(model_hint({{.version = "vmaf_v1.0.16_5d0h"}}, large), "");
    EXPECT_EQ(model_hint({{.version = "vmaf_v1.0.16_3d0h_2160"}}, large), "");
    EXPECT_EQ(model_hint({{.version = "v1"}}, large), ""); // is the model for large screens already
    EXPECT_EQ(model_hint({{.path = "my_model.json"}}, large), "");
}

} // namespace
} // namespace isovmaf
