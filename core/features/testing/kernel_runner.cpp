// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/testing/kernel_runner.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "device/testing/kept_device.hpp"
#include "features/frame_window.hpp"
#include "features/gpu_run.hpp"

namespace isovmaf::testing {

namespace {

struct KernelTest {
    FeaturePlan plan;
    VideoFormat format;
    std::string title;

    KernelTest(std::string_view name, const std::vector<OptionTexts> &option_sets, const Frame &picture,
               Semantics semantics)
        : format(picture.format()),
          title(fmt::format("{}, {}x{}, {} bit", name, format.width, format.height, format.bit_depth)) {
        plan = plan_feature(name, option_sets,
                            {.format = format, .semantics = semantics, .chroma_edge = picture.chroma_edge()});
        if (!plan.gpu)
            throw Failure({ErrorCode::unsupported, fmt::format("{} has no kernels", name)});
    }

    /// Calls `check(n, inputs)` for every frame.
    template <class Check>
    void for_each_frame(const std::vector<FramePair> &clip, const Check &check) const {
        FrameHistory history(plan.earlier);
        for (std::size_t n = 0; n < clip.size(); n++) {
            const FrameWindow frame = history.next(clip[n]);
            check(n, frame.pictures());
        }
    }
};

const KeptDevice &test_device = KeptDevice::add();

} // namespace

void expect_reference_sums(std::string_view name, const std::vector<OptionTexts> &option_sets,
                           const std::vector<FramePair> &clip, Semantics semantics) {
    const KernelTest test(name, option_sets, clip.front().reference, semantics);
    const Device &device = test_device.get();
    GpuRun run = value_of(GpuRun::create(device, test.plan, test.format));
    Workspace workspace;
    std::vector<std::int64_t> expected(test.plan.extracted().size());
    test.for_each_frame(clip, [&](std::size_t n, const PictureWindow &inputs) {
        workspace.reset();
        test.plan.definition->extract(inputs, workspace, expected);
        EXPECT_EQ(value_of(run.words(inputs)), expected) << test.title << ", frame " << n;
    });
}

void expect_reference_stages(std::string_view name, const std::vector<OptionTexts> &option_sets,
                             const std::vector<FramePair> &clip, Semantics semantics) {
    const KernelTest test(name, option_sets, clip.front().reference, semantics);
    const Device &device = test_device.get();
    GpuRun run = value_of(GpuRun::create(device, test.plan, test.format));
    const std::vector<Stage> &stages = test.plan.stages;
    ASSERT_FALSE(stages.empty()) << test.title;
    std::vector<bool> filled(stages.size());
    Workspace workspace;
    std::vector<std::int64_t> expected(test.plan.extracted().size());
    test.for_each_frame(clip, [&](std::size_t n, const PictureWindow &inputs) {
        workspace.reset();
        StageMemory memory(stages);
        test.plan.definition->extract(inputs, workspace, expected, memory.taps());
        const GpuRun::Tapped tapped = value_of(run.tapped(inputs));
        EXPECT_EQ(tapped.words, expected) << test.title << ", frame " << n;
        for (std::size_t s = 0; s < stages.size(); s++) {
            const auto want = memory.plane(s), have = tapped.stages.plane(s);
            const auto differs = std::ranges::mismatch(have, want);
            if (std::ranges::any_of(want, [](std::int64_t value) { return value != 0; }))
                filled[s] = true;
            if (differs.in1 == have.end())
                continue;
            const auto at = differs.in1 - have.begin();
            ADD_FAILURE() << test.title << ", frame " << n << ", " << stages[s].name << ", (" << at % stages[s].width
                          << ", " << at / stages[s].width << "): " << *differs.in1 << " for " << *differs.in2;
        }
    });
    for (std::size_t s = 0; s < stages.size(); s++)
        EXPECT_TRUE(filled[s]) << test.title << ": nothing was seen of stage " << stages[s].name;
}

} // namespace isovmaf::testing
