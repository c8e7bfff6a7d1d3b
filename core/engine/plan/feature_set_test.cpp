// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/feature_set.hpp"

#include <gtest/gtest.h>

#include "features/registry.hpp"

namespace isovmaf::feature_set_test {
namespace {

const FeatureDescriptor &motion = *find_feature("motion");

OptionSet options(const OptionTexts &texts) { return *OptionSet::parse("motion", motion.options, texts); }

TEST(FeatureSet, EqualRequestsBecomeOne) {
    FeatureSet set;
    ASSERT_TRUE(set.add(motion, options({})));
    ASSERT_TRUE(set.add(motion, options({{"mmxv", "10000.0"}})));
    ASSERT_TRUE(set.add(motion, options({{"debug", "true"}})));
    ASSERT_TRUE(set.add(motion, options({{"mmxv", "18"}})));
    ASSERT_EQ(set.entries().size(), 1u);
    ASSERT_EQ(set.entries()[0].option_sets.size(), 2u);
    EXPECT_TRUE(set.entries()[0].option_sets[0].flag("debug"));
}

TEST(FeatureSet, PlanNamesColumnsInOrder) {
    FeatureSet set;
    ASSERT_TRUE(set.add(motion, options({})));
    ASSERT_TRUE(set.add(motion, options({{"mffw", "true"}})));
    const auto plan = make_plan(set, {.format = {.width = 64, .height = 64}});
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->features.size(), 1u);
    EXPECT_EQ(plan->features[0].plan.earlier.reference, 2);
    EXPECT_EQ(plan->columns[0], "VMAF_integer_feature_motion_sad_score");
    EXPECT_EQ(plan->columns[plan->features[0].columns[1][1]], "integer_motion2_mffw");
}

TEST(FeatureSet, TooSmallPicturesAreRefusedWithTheMinimum) {
    FeatureSet set;
    ASSERT_TRUE(set.add(motion, options({})));
    const auto plan = make_plan(set, {.format = {.width = 64, .height = 2}});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, ErrorCode::unsupported);
    EXPECT_EQ(plan.error().message, "feature motion needs pictures of at least 3x3, but the video is 64x2");
}

} // namespace
} // namespace isovmaf::feature_set_test
