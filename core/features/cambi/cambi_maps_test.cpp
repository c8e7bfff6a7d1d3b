// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <gtest/gtest.h>

#include "features/cambi/cambi.hpp"
#include "features/testing/feature_runner.hpp"

namespace isovmaf::cambi_maps_test {
namespace {

constexpr VideoFormat full_hd{.width = 1920, .height = 1080};

/// The maps of the last option set, as texts: file, name and size of the stage, and the value of the largest sample.
std::vector<std::string> maps_of(const std::vector<OptionTexts> &option_sets, const VideoFormat &format = full_hd) {
    const FeaturePlan plan = testing::plan_feature("cambi", option_sets, {.format = format});
    std::vector<std::string> texts;
    for (const StageMap &map : plan.variants.back().maps) {
        const Stage &stage = plan.stages[map.stage];
        EXPECT_EQ(stage.kind, WordKind::f32);
        texts.push_back(map.file + " " + stage.name + " " + std::to_string(stage.width) + "x" +
                        std::to_string(stage.height) + " " + std::to_string(static_cast<int>(map.largest)));
    }
    return texts;
}

const OptionTexts v1{{"hrs", "1080"}, {"cmxv", "17"}, {"vlt", "0.06"}};

TEST(CambiMaps, AreNamedAfterTheEncodesSize) {
    EXPECT_EQ(maps_of({{}}),
              (std::vector<std::string>{"cambi_heatmap_scale_0_1920x1080_16b.gray scale 0: c-values 1920x1080 1089",
                                        "cambi_heatmap_scale_1_960x540_16b.gray scale 1: c-values 960x540 1089",
                                        "cambi_heatmap_scale_2_480x270_16b.gray scale 2: c-values 480x270 1089",
                                        "cambi_heatmap_scale_3_240x135_16b.gray scale 3: c-values 240x135 1089",
                                        "cambi_heatmap_scale_4_120x68_16b.gray scale 4: c-values 120x68 1089"}));
    EXPECT_EQ(maps_of({{{"encw", "1280"}, {"ench", "720"}}})[1],
              "cambi_heatmap_scale_1_640x360_16b.gray scale 1: c-values 640x360 441");
}

TEST(CambiMaps, KeepTheirNamesWhereTheirPicturesAreHalved) {
    EXPECT_EQ(maps_of({v1})[0], "cambi_heatmap_scale_0_1920x1080_16b.gray scale 0: c-values 960x540 289");
    EXPECT_EQ(maps_of({v1})[4], "cambi_heatmap_scale_4_120x68_16b.gray scale 4: c-values 60x34 289");
}

TEST(CambiMaps, ShowTheDistortedPictureOfTheirOwnOptions) {
    const OptionTexts with_source{{"full_ref", "true"}, {"mlc", "4"}};
    EXPECT_EQ(maps_of({{}, with_source, v1})[2],
              "cambi_heatmap_scale_2_480x270_16b.gray scale 2: c-values (3) 240x135 289");
    EXPECT_EQ(maps_of({v1, with_source})[2],
              "cambi_heatmap_scale_2_480x270_16b.gray scale 2: c-values (2) 480x270 2178");
}

} // namespace
} // namespace isovmaf::cambi_maps_test
