// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/open_scheduler.hpp"

#include <gtest/gtest.h>

#include "features/registry.hpp"

namespace isovmaf {
namespace {

EnginePlan plan_of(const std::vector<FeatureRequest> &requests) {
    FeatureSet set;
    for (const FeatureRequest &request : requests) {
        const FeatureDescriptor &feature = *find_feature(request.name);
        EXPECT_TRUE(set.add(feature, *OptionSet::parse(request.name, feature.options, request.options)));
    }
    return *make_plan(set, {.format = {.width = 64, .height = 64}});
}

const FeatureRequest psnr{"psnr", {}}, motion{"motion", {}}, no_motion{"motion", {{"motion_force_zero", "true"}}};

std::optional<std::size_t> idle(const EnginePlan &plan, const std::vector<GpuWork> &work,
                                const std::vector<std::int64_t> &extracted) {
    return idle_feature(plan, work, extracted);
}

TEST(IdleFeature, IsOneThatLaunchedNothingBesideOthers) {
    const EnginePlan plan = plan_of({psnr, motion});
    EXPECT_EQ(idle(plan, {{5, 0}, {4, 0}}, {5, 4}), std::nullopt);
    EXPECT_EQ(idle(plan, {{0, 0}, {4, 0}}, {5, 4}), 0u);
    EXPECT_EQ(idle(plan, {{5, 0}, {0, 0}}, {5, 4}), 1u);
}

TEST(IdleFeature, IsNoneThatHadNoFrameWithTheEarlierFramesThatItReads) {
    const EnginePlan plan = plan_of({psnr, motion});
    EXPECT_EQ(idle(plan, {{1, 0}, {0, 0}}, {1, 0}), std::nullopt);
    EXPECT_EQ(idle(plan, {{0, 0}, {0, 0}}, {0, 0}), std::nullopt);
}

TEST(IdleFeature, IsNoneThatHasNothingToComputeUnlessNothingRanAtAll) {
    EXPECT_EQ(idle(plan_of({psnr, no_motion}), {{5, 0}, {0, 0}}, {5, 5}), std::nullopt);
    EXPECT_EQ(idle(plan_of({no_motion}), {{0, 0}}, {5}), 0u);
}

} // namespace
} // namespace isovmaf
