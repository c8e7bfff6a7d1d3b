// SPDX-License-Identifier: BSD-2-Clause-Patent
// One feature on the CPU, the others on the backend that ISOVMAF_TEST_PLUGIN names.
#include <gmock/gmock.h>

#include "base/failure.hpp"
#include "engine/device_clip.hpp"
#include "engine/extraction.hpp"
#include "engine/schedule/open_scheduler.hpp"
#include "engine/testing/extracted_words.hpp"
#include "engine/testing/session_scores.hpp"
#include "features/frame_window.hpp"
#include "features/registry.hpp"

namespace isovmaf::mixed_placement_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr VideoFormat format{.width = 67, .height = 49};

/// PSNR, motion and VIF; psnr has no kernels.
EnginePlan plan_without_kernels_of_psnr(const VideoFormat &of = format) {
    FeatureSet set;
    for (const char *name : {"psnr", "motion", "vif"}) {
        const FeatureDescriptor &feature = *find_feature(name);
        value_of(set.add(feature, value_of(OptionSet::parse(name, feature.options, {}))));
    }
    EnginePlan plan = value_of(make_plan(set, {.format = of}));
    plan.features[0].plan.gpu.reset();
    return plan;
}

SessionOptions on(const std::string &backend) {
    SessionOptions options = testing::on_device(format);
    options.execution.backend = backend;
    return options;
}

std::string device_backend() { return testing::on_device(format).execution.backend; }

/// The words of every frame of a clip.
std::vector<std::vector<std::vector<std::int64_t>>> words_of(Scheduler &scheduler, const std::vector<FramePair> &clip) {
    FrameHistory history({.reference = 1});
    std::vector<std::vector<std::vector<std::int64_t>>> words;
    const auto take = [&] {
        std::unique_ptr<FrameInFlight> frame = scheduler.take(Scheduler::Wait::yes);
        words.push_back(frame->words);
        scheduler.recycle(std::move(frame));
    };
    for (std::size_t n = 0; n < clip.size(); n++) {
        if (scheduler.full())
            take();
        std::unique_ptr<FrameInFlight> frame = scheduler.blank();
        frame->index = frame->reference = static_cast<std::int64_t>(n);
        frame->pair = clip[n];
        frame->window = history.next(clip[n]);
        frame->wanted = {true, true, true};
        scheduler.submit(std::move(frame));
    }
    while (!scheduler.empty())
        take();
    return words;
}

TEST(MixedPlacement, GivesTheDefinitionsWords) {
    const EnginePlan plan = plan_without_kernels_of_psnr();
    const auto clip = testing::clip_of(format, 25);
    const auto expected = words_of(*testing::scheduler_for(on("cpu-ref"), plan).scheduler, clip);
    for (const int frames_in_flight : {0, 3}) {
        SessionOptions options = on(device_backend() + ",cpu");
        options.execution.frames_in_flight = frames_in_flight;
        const OpenedScheduler mixed = testing::scheduler_for(options, plan);
        EXPECT_EQ(words_of(*mixed.scheduler, clip), expected);
        EXPECT_TRUE(check_work(mixed, plan, std::vector<std::int64_t>{25, 24, 25}));
    }
}

class NoSink final : public WordSink {
  public:
    void take(const WordsOfFrame &) override {}
    void end() override {}
};

/// The CPU alone reads chroma here.
TEST(MixedPlacement, SamplesThatAreFetchedForTheCpuAreChecked) {
    constexpr VideoFormat deep{.width = 67, .height = 49, .bit_depth = 10};
    const EnginePlan plan = plan_without_kernels_of_psnr(deep);
    std::vector<FramePair> clip = testing::clip_of(deep, 2);
    clip[1].distorted = painted_frame(deep, default_poison,
                                      [](int p, int x, int y) { return p == 1 && x == 3 && y == 4 ? 1024U : 1023U; });
    NoSink sink;
    Extraction extraction(testing::scheduler_for(on(device_backend() + ",cpu"), plan), plan, 1, {&sink});
    const std::vector<FramePair> placed = place_on_device(extraction.device(), clip).value();
    EXPECT_TRUE(extraction.push(placed[0]));
    EXPECT_THAT(extraction.push(placed[1]).error().message,
                HasSubstr("frame 1 of the distorted video has samples above 1023 in row 4 of plane 1"));
}

TEST(MixedPlacement, TellsWhereEachFeatureRan) {
    const EnginePlan plan = plan_without_kernels_of_psnr();
    const OpenedScheduler mixed = testing::scheduler_for(on(device_backend() + ",cpu"), plan);
    (void)words_of(*mixed.scheduler, testing::clip_of(format, 5));
    EXPECT_THAT(mixed.placement.on_cpu, ElementsAre(0));
    EXPECT_THAT(mixed.placement.on_device, ElementsAre(1, 2));

    const Execution execution = describe(mixed, plan);
    EXPECT_EQ(execution.backend, device_backend());
    ASSERT_EQ(execution.placement.size(), 3U);
    EXPECT_EQ(execution.placement[0].backend, "cpu");
    EXPECT_EQ(execution.placement[0].code, cpu_level_name(newest_cpu_level()));
    EXPECT_EQ(execution.placement[0].reason, "it has no GPU kernels");
    EXPECT_EQ(execution.placement[2].backend, device_backend());
    EXPECT_EQ(execution.placement[2].code, "kernels");
    ASSERT_EQ(execution.work.size(), 2U);
    EXPECT_EQ(execution.work[0].feature, "motion");
    EXPECT_EQ(execution.work[1].feature, "vif");
    for (const FeatureWork &work : execution.work)
        EXPECT_GT(work.launches, 0) << work.feature;
}

TEST(MixedPlacement, ADeviceAloneIsAnError) {
    const EnginePlan plan = plan_without_kernels_of_psnr();
    const ExecutionHandle execution = open_execution(on(device_backend()).execution).value();
    const Result<OpenedScheduler> opened = open_scheduler(*execution, plan);
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().message, HasSubstr("cannot run feature psnr: it has no GPU kernels"));
}

/// Launches a kernel that no plugin has.
class Unknown final : public GpuExtractor {
  public:
    void record(Recorder &recorder, const GpuFrame &frame) const override {
        recorder.dispatch("sharpness", {1, 1, 1}, {1, 1, 1}, {frame.words});
    }
};

TEST(MixedPlacement, APluginThatLacksAKernelLeavesItsFeatureToTheCpu) {
    EnginePlan plan = plan_without_kernels_of_psnr();
    plan.features[0].plan.gpu = std::make_unique<Unknown>();
    const OpenedScheduler mixed = testing::scheduler_for(on(device_backend() + ",cpu"), plan);
    EXPECT_THAT(mixed.placement.on_cpu, ElementsAre(0));
    EXPECT_THAT(mixed.execution.placement[0].reason, HasSubstr("no kernel sharpness"));
}

} // namespace
} // namespace isovmaf::mixed_placement_test
