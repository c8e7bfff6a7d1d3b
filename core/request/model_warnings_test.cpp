// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/model_warnings.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf::model_warnings_test {
namespace {

constexpr VideoFormat small{.width = 3840, .height = 2159}, large{.width = 64, .height = 2160};

/// The sentences, one a line.
std::string sentences(const std::vector<ModelRequest> &models, const VideoFormat &format, double rate = 0) {
    std::string text;
    for (const PairWarning &warning : model_warnings(models, format, rate)) {
        EXPECT_EQ(warning.kind, "model");
        text += (text.empty() ? "" : "\n") + warning.sentence;
    }
    return text;
}

TEST(ModelWarnings, NameTheModelForLargeScreens) {
    EXPECT_EQ(
        sentences({ModelRequest{}}, large),
        "the pictures have 2160 rows, and vmaf_v0.6.1 was trained for 1080 rows: for viewers of a 4K screen, score "
        "with -m version=vmaf_4k_v0.6.1");
    EXPECT_EQ(sentences({ModelRequest{}}, large, 59.94), sentences({ModelRequest{}}, large)) << "has no rate";
    EXPECT_THAT(sentences({{.version = "vmaf_v0.6.1neg"}}, large), ::testing::EndsWith("version=vmaf_4k_v0.6.1neg"));
    EXPECT_THAT(sentences({{.version = "vmaf_4k_v0.6.1"}, {.version = "vmaf_v0.6.1neg"}}, large),
                ::testing::EndsWith("version=vmaf_4k_v0.6.1neg"));
    EXPECT_THAT(sentences({{.version = "vmaf_v1.0.16_hfr_3d0h"}}, large, 50),
                ::testing::EndsWith("version=vmaf_v1.0.16_hfr_3d0h_2160"));
    EXPECT_EQ(model_warnings({ModelRequest{}, {.version = "vmaf_v0.6.1neg"}}, large, 0).size(), 2u);
}

TEST(ModelWarnings, NameTheModelForTheRate) {
    EXPECT_EQ(sentences({{.version = "v1"}}, small, 60000.0 / 1001),
              "the videos have 59.94 frames per second, and vmaf_v1.0.16_3d0h_2160 is for about 25: score with -m "
              "version=vmaf_v1.0.16_hfr_3d0h_2160");
    EXPECT_EQ(sentences({{.version = "vmaf_v1.0.16_hfr_5d0h"}}, {.width = 64, .height = 64}, 24),
              "the videos have 24 frames per second, and vmaf_v1.0.16_hfr_5d0h is for about 50 or 60: score with -m "
              "version=vmaf_v1.0.16_5d0h");
    EXPECT_THAT(sentences({{.version = "vmaf_v1.0.16_5d0h"}}, large, 50),
                ::testing::EndsWith("version=vmaf_v1.0.16_hfr_5d0h"));
    EXPECT_EQ(sentences({{.version = "vmaf_v1.0.16_3d0h"}}, large, 50),
              "the pictures have 2160 rows at 50 frames per second, and vmaf_v1.0.16_3d0h was trained for 1080 rows at "
              "about 25: for viewers of a 4K screen, score with -m version=vmaf_v1.0.16_hfr_3d0h_2160");
}

TEST(ModelWarnings, ThereAreNoneWhereNoModelFitsBetter) {
    EXPECT_EQ(sentences({ModelRequest{}}, small), "");
    EXPECT_EQ(sentences({ModelRequest{}}, small, 60), "");
    EXPECT_EQ(sentences({}, large, 60), "");
    EXPECT_EQ(sentences({{.version = "vmaf_4k_v0.6.1"}}, large, 60), "");
    EXPECT_EQ(sentences({{.version = "vmaf_v0.6.1"}, {.version = "vmaf_4k_v0.6.1"}}, large), "");
    EXPECT_EQ(sentences({{.version = "vmaf_b_v0.6.3"}}, large), ""); // has no twin
    EXPECT_EQ(sentences({{.version = "vmaf_v1.0.16_5d0h"}}, large), "");
    EXPECT_EQ(sentences({{.version = "vmaf_v1.0.16_3d0h_2160"}}, large, 30), "");
    EXPECT_EQ(sentences({{.version = "v1"}}, large), ""); // is the model for large screens already
    EXPECT_EQ(sentences({{.version = "v1"}}, small, 30), "");
    EXPECT_EQ(sentences({{.version = "v1"}, {.version = "vmaf_v1.0.16_hfr_3d0h_2160"}}, small, 50), "")
        << "both are asked for";
    EXPECT_EQ(sentences({{.version = "vmaf_v1.0.16_hfr_3d0h"}}, small, 48), "");
    EXPECT_EQ(sentences({{.path = "my_model.json"}}, large, 60), "");
}

} // namespace
} // namespace isovmaf::model_warnings_test
