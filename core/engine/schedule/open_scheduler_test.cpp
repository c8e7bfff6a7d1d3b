// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/open_scheduler.hpp"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/testing/plugin_folder.hpp"
#include "features/registry.hpp"

namespace isovmaf::open_scheduler_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
    std::vector<std::size_t> on_device(plan.features.size());
    std::iota(on_device.begin(), on_device.end(), std::size_t{0});
    return idle_feature(plan, on_device, work, extracted);
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

/// Kernels that compute in f32.
class InF32 final : public GpuExtractor {
  public:
    bool needs_exact_f32() const override { return true; }
    void record(Recorder &, const GpuFrame &) const override {}
};

TEST(OpenScheduler, ADeviceWithoutExactF32LeavesSuchFeaturesToTheCpu) {
    testing::PluginFolder folder;
    folder.add("inexact");
    EnginePlan plan = plan_of({psnr});
    plan.features[0].plan.gpu = std::make_unique<InF32>();
    const auto open = [&](const std::string &backend) {
        return open_scheduler(
            *open_execution({.backend = backend, .backend_folders = {folder.text()}, .threads = 1}).value(), plan);
    };
    const OpenedScheduler opened = open("inexact,cpu").value();
    EXPECT_TRUE(opened.gpus.empty());
    EXPECT_EQ(opened.placement.on_cpu.size(), 1U);
    EXPECT_EQ(opened.execution.backend, "cpu");
    EXPECT_THAT(opened.execution.notices,
                ElementsAre(AllOf(HasSubstr("feature psnr runs on the CPU"), HasSubstr("need exact f32"))));
    EXPECT_THAT(open("inexact").error().message, HasSubstr("cannot run feature psnr"));
}

TEST(IdleFeature, IsOnTheDevice) {
    const EnginePlan plan = plan_of({psnr, motion});
    const std::vector<std::size_t> on_device{1};
    const std::vector<std::int64_t> extracted{5, 4};
    EXPECT_EQ(idle_feature(plan, on_device, {{4, 0}}, extracted), std::nullopt) << "psnr runs on the CPU";
    EXPECT_EQ(idle_feature(plan, on_device, {{0, 0}}, extracted), 1u);
}

} // namespace
} // namespace isovmaf::open_scheduler_test
