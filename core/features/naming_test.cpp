// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/naming.hpp"

#include <gtest/gtest.h>

#include "features/registry.hpp"

namespace isovmaf::naming_test {
namespace {

std::string motion3_name(const OptionTexts &texts) {
    return stored_name("VMAF_integer_feature_motion3_score", "integer_motion3",
                       *OptionSet::parse("motion", find_feature("motion")->options, texts));
}

TEST(Naming, OptionsAtTheirDefaultsLeaveTheBaseName) {
    EXPECT_EQ(motion3_name({}), "VMAF_integer_feature_motion3_score");
    EXPECT_EQ(motion3_name({{"motion_max_val", "10000.0"}, {"debug", "true"}}), "VMAF_integer_feature_motion3_score");
}

TEST(Naming, OtherOptionsAppendAliasAndValueInNameOrder) {
    EXPECT_EQ(motion3_name({{"mmxv", "18.0"}}), "integer_motion3_mmxv_18");
    EXPECT_EQ(motion3_name({{"motion_moving_average", "true"}, {"mmxv", "18"}, {"mffw", "true"}}),
              "integer_motion3_mffw_mmxv_18_mma");
}

TEST(Naming, ReportsPrintTheAlias) {
    EXPECT_EQ(report_name("VMAF_integer_feature_motion2_score"), "integer_motion2");
    EXPECT_EQ(report_name("VMAF_integer_feature_motion_sad_score"), "VMAF_integer_feature_motion_sad_score");
    EXPECT_EQ(report_name("integer_motion3_mmxv_18"), "integer_motion3_mmxv_18");
}

TEST(Registry, FindsFeaturesByNameAndByOutput) {
    EXPECT_EQ(find_feature("nothing"), nullptr);
    EXPECT_EQ(find_feature_of_output("VMAF_integer_feature_motion3_score"), find_feature("motion"));
    EXPECT_EQ(find_feature_of_output("integer_motion3"), find_feature("motion"));
    EXPECT_EQ(find_feature_of_output("speed_chroma"), nullptr);
}

} // namespace
} // namespace isovmaf::naming_test
