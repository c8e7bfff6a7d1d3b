// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "features/registry.hpp"

namespace isovmaf::placement_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Placing : public ::testing::Test {
  protected:
    Placing() {
        FeatureSet set;
        for (const char *name : {"psnr", "motion", "vif"}) {
            const FeatureDescriptor &feature = *find_feature(name);
            EXPECT_TRUE(set.add(feature, *OptionSet::parse(name, feature.options, {})));
        }
        plan_ = *make_plan(set, {.format = {.width = 64, .height = 64}});
    }

    /// Places the plan on a device that has no kernels for some of its features.
    Result<Placement> place_without(const char *backend, const std::vector<std::size_t> &missing) const {
        const Obstacle obstacle = [&](const PlannedFeature &planned) {
            for (const std::size_t e : missing)
                if (&planned == &plan_.features[e])
                    return "it has no kernels";
            return "";
        };
        return place(plan_, *parse_backend(backend), obstacle);
    }

    EnginePlan plan_;
};

TEST_F(Placing, OneBackendRunsEverything) {
    for (const char *backend : {"auto", "hip", "hip,cpu"}) {
        EXPECT_THAT(place_without(backend, {})->on_device, ElementsAre(0, 1, 2)) << backend;
        EXPECT_THAT(place_without(backend, {})->on_cpu, IsEmpty()) << backend;
    }
    for (const char *backend : {"cpu", "cpu-ref"})
        EXPECT_THAT(place_without(backend, {1})->on_cpu, ElementsAre(0, 1, 2)) << backend;
}

TEST_F(Placing, TheCpuRunsWhatTheDeviceCannot) {
    for (const char *backend : {"auto", "hip,cpu", "hip,cpu-ref"}) {
        const Result<Placement> placement = place_without(backend, {1});
        ASSERT_TRUE(placement) << backend;
        EXPECT_THAT(placement->on_device, ElementsAre(0, 2));
        EXPECT_THAT(placement->on_cpu, ElementsAre(1));
        EXPECT_THAT(placement->obstacles, ElementsAre("", "it has no kernels", ""));
    }
}

TEST_F(Placing, ADeviceAloneThatLacksAFeatureIsAnErrorThatNamesIt) {
    const Result<Placement> placement = place_without("hip", {1, 2});
    ASSERT_FALSE(placement);
    EXPECT_EQ(placement.error().code, ErrorCode::unavailable);
    EXPECT_EQ(placement.error().message, "backend hip cannot run feature motion: it has no kernels; leave the feature "
                                         "out, or let the CPU run it: backend hip,cpu");
}

TEST_F(Placing, TheCpuMayRunEverything) {
    for (const char *backend : {"auto", "hip,cpu"})
        EXPECT_THAT(place_without(backend, {0, 1, 2})->on_cpu, ElementsAre(0, 1, 2)) << backend;
}

} // namespace
} // namespace isovmaf::placement_test
