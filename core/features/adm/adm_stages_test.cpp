// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/adm/adm_stages.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace isovmaf::adm_stages_test {
namespace {

constexpr VideoFormat format{.width = 101, .height = 67, .chroma = Chroma::k400};

AdmBandFactors<std::uint32_t> factors(int csf_mode) {
    return adm_csf({.distance = 3, .display_height = 1080, .csf_mode = csf_mode})->fixed;
}

std::string name(const std::vector<Stage> &stages, int number) { return stages[static_cast<std::size_t>(number)].name; }

AdmDemand two_maskings() {
    AdmDemand demand;
    demand.add(100, factors(0), false, true);
    demand.add(1.5, factors(2), true, false);
    return demand;
}

TEST(AdmStages, EveryNumberHasANameOfItsOwn) {
    AdmDemand coarse;
    coarse.add(100, factors(0), false, false);
    for (const AdmDemand &demand : {two_maskings(), coarse}) {
        std::set<std::string> names;
        for (const Stage &stage : describe_adm_stages(format, demand)) {
            EXPECT_GT(stage.width * stage.height, 0) << stage.name;
            EXPECT_TRUE(names.insert(stage.name).second) << stage.name;
        }
    }
}

TEST(AdmStages, NamesTellWhatIsComputed) {
    AdmDemand demand;
    demand.add(100, factors(0), true, true);
    const std::vector<Stage> stages = describe_adm_stages(format, demand);
    const AdmScaleStages finest = adm_stages(demand).scale[0], third = adm_stages(demand).scale[2];
    EXPECT_EQ(name(stages, finest.approximation), "scale 0: approximation of the reference");
    EXPECT_EQ(name(stages, finest.detail + ADM_BAND_D), "scale 0: d band of the reference");
    EXPECT_EQ(name(stages, third.detail + ADM_BAND_COUNT), "scale 2: h band of the distorted picture");
    EXPECT_EQ(name(stages, adm_reference_row_sums_stage(third.reference)), "scale 2: row sums of the cubed reference");
    const AdmMaskingStages masking = third.maskings[0];
    EXPECT_EQ(name(stages, adm_picture_stage(masking, ADM_PART_ADDED, ADM_BAND_V)), "scale 2: added v band");
    EXPECT_EQ(name(stages, adm_weighted_mask_stage(masking, ADM_PART_RESTORED, ADM_BAND_H)),
              "scale 2: contrast-weighted added h band");
    EXPECT_EQ(name(stages, adm_threshold_stage(masking, ADM_PART_ADDED)), "scale 2: threshold of the added picture");
    EXPECT_EQ(name(stages, adm_visible_cube_stage(masking, ADM_PART_RESTORED, ADM_BAND_D)),
              "scale 2: cubed visible restored d band");
    EXPECT_EQ(name(stages, adm_visible_row_sums_stage(masking, ADM_PART_ADDED)),
              "scale 2: row sums of the added picture");
}

TEST(AdmStages, SeveralMaskingsAreToldApart) {
    const std::vector<Stage> stages = describe_adm_stages(format, two_maskings());
    const AdmScaleStages scale = adm_stages(two_maskings()).scale[1];
    EXPECT_EQ(name(stages, adm_threshold_stage(scale.maskings[1], ADM_PART_RESTORED)),
              "scale 1: threshold of the restored picture (masking 2, gain limit 1.5)");
}

TEST(AdmStages, WhatNobodyAsksForIsLeftOut) {
    const AdmDemand demand = two_maskings();
    const std::vector<Stage> stages = describe_adm_stages(format, demand);
    const auto has = [&](const std::string &wanted) {
        return std::ranges::any_of(stages, [&](const Stage &s) { return s.name.find(wanted) != std::string::npos; });
    };
    EXPECT_FALSE(has("scale 3: approximation"));
    EXPECT_FALSE(has("scale 0: restored h band (masking 1"));
    EXPECT_TRUE(has("scale 0: restored h band (masking 2"));
    EXPECT_TRUE(has("scale 1: threshold of the added picture (masking 1"));
    EXPECT_FALSE(has("scale 1: threshold of the added picture (masking 2"));
}

} // namespace
} // namespace isovmaf::adm_stages_test
