// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "features/registry.hpp"

namespace isovmaf::placement_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(ParseBackend, TakesADeviceACpuOrBoth) {
    const auto parsed = [](std::string_view text) {
        const Result<BackendWish> wish = parse_backend(text);
        return wish ? wish->device + "+" + wish->cpu : wish.error().message;
    };
    EXPECT_EQ(parsed("auto"), "auto+cpu");
    EXPECT_EQ(parsed("cpu"), "+cpu");
    EXPECT_EQ(parsed("cpu-ref"), "+cpu-ref");
    EXPECT_EQ(parsed("hip"), "hip+");
    EXPECT_EQ(parsed("hip,cpu"), "hip+cpu");
    EXPECT_EQ(parsed("cpu-ref,hip"), "hip+cpu-ref") << "the order says nothing";
}

TEST(ParseBackend, RefusesWhatOneSessionCannotUse) {
    const auto refusal = [](std::string_view text) {
        const Result<BackendWish> wish = parse_backend(text);
        EXPECT_FALSE(wish) << text;
        return wish ? "" : wish.error().message;
    };
    for (const char *text : {"", "hip,", ",cpu", "hip,,cpu"})
        EXPECT_THAT(refusal(text), HasSubstr("a name is missing"));
    for (const char *text : {"auto,cpu", "hip,auto"})
        EXPECT_THAT(refusal(text), HasSubstr("auto stands alone"));
    EXPECT_THAT(refusal("hip,cuda"), HasSubstr("\"hip\" or \"cuda\", not both"));
    EXPECT_THAT(refusal("cpu,cpu-ref"), HasSubstr("\"cpu\" or \"cpu-ref\", not both"));
    EXPECT_THAT(refusal("hip,hip"), HasSubstr("not both"));
}

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
        const Obstacle obstacle = [&](const FeaturePlan &plan) {
            for (const std::size_t e : missing)
                if (&plan == &plan_.features[e].plan)
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
    EXPECT_EQ(placement.error().code, ErrorCode::unsupported);
    EXPECT_EQ(placement.error().message, "backend hip cannot run feature motion: it has no kernels; leave the feature "
                                         "out, or let the CPU run it: backend hip,cpu");
}

TEST_F(Placing, TheCpuMayRunEverything) {
    for (const char *backend : {"auto", "hip,cpu"})
        EXPECT_THAT(place_without(backend, {0, 1, 2})->on_cpu, ElementsAre(0, 1, 2)) << backend;
}

} // namespace
} // namespace isovmaf::placement_test
