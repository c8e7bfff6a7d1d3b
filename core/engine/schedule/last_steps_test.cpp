// SPDX-License-Identifier: BSD-2-Clause-Patent
// What the CPU does of features whose kernels, played by threads here, flagged a frame or left words to complete.
#include <atomic>
#include <cmath>
#include <stdexcept>

#include <gmock/gmock.h>

#include "base/failure.hpp"
#include "engine/plan/feature_set.hpp"
#include "engine/schedule/cpu_scheduler.hpp"
#include "engine/schedule/split_scheduler.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf::last_steps_test {
namespace {

using ::testing::ElementsAre;

constexpr VideoFormat tiny{.width = 16, .height = 16, .chroma = Chroma::k400};

/// Words: the first sample of the distorted picture, that of the frame before in the reference, and a flag.
constexpr std::size_t sample_word = 0, earlier_word = 1, flag_word = 2, extracted_count = 3;

int first_sample(const std::optional<HostPicture> &picture) {
    return picture ? *picture->plane(0).row<std::uint8_t>(0) : -1;
}

class SampleDefinition final : public Extractor {
  public:
    void extract(const PictureWindow &frames, Workspace &, Words words, Taps) const override {
        words[sample_word] = first_sample(frames.distorted);
        words[earlier_word] = first_sample(frames.earlier_reference[0]);
        words[flag_word] = 0;
    }
};

/// Stands for kernels: as the definition, but a frame whose sample is odd is flagged and left undone.
class FlaggingExtractor final : public Extractor {
  public:
    void extract(const PictureWindow &frames, Workspace &workspace, Words words, Taps taps) const override {
        SampleDefinition().extract(frames, workspace, words, taps);
        if (words[sample_word] % 2 != 0) {
            words[sample_word] = words[earlier_word] = 77;
            words[flag_word] = 1;
        }
    }
};

/// One word of the three: the bits of log2(sample) + earlier.
class LogCompletion final : public Completion {
  public:
    void complete(ConstWords extracted, Words kept) const override {
        kept[0] = word_of(std::log2(static_cast<double>(extracted[sample_word])) +
                          static_cast<double>(extracted[earlier_word]));
    }
};

FeaturePlan plan_with(std::unique_ptr<Completion> completion) {
    FeaturePlan plan;
    plan.definition = std::make_unique<SampleDefinition>();
    plan.flag_word = flag_word;
    const std::vector<WordSpec> words{{"sample"}, {"sample of the frame before"}, {"flag"}};
    if (completion) {
        plan.words = {{"sum of logarithms", WordKind::f64, SumOrder::raster}};
        plan.extracted_words = words;
    } else {
        plan.words = words;
    }
    plan.completion = std::move(completion);
    return plan;
}

/// A feature whose kernels `kernels` plays, and whose frames `code` does that those flag, on two threads.
class LastSteps {
  public:
    LastSteps(const FeaturePlan &plan, const Extractor &kernels, const Extractor &code)
        : scheduler_({extracted_count}, parts(plan, kernels, code), std::make_shared<CpuWorkers>(2)) {}

    /// The next frame, whose sample is one larger than that of the frame before, from 1 on.
    void submit(bool wanted = true) {
        const WritableFrame writable = pool_.take();
        *writable.data[0] = static_cast<std::byte>(submitted_ + 1);
        std::unique_ptr<FrameInFlight> frame = scheduler_.blank();
        EXPECT_EQ(frame->words[0].size(), extracted_count);
        frame->index = submitted_++;
        frame->window = history_.next({writable.frame, writable.frame});
        frame->wanted = {wanted};
        scheduler_.submit(std::move(frame));
    }

    struct Taken {
        std::vector<std::int64_t> words;
        bool flagged;
    };
    Taken take() {
        std::unique_ptr<FrameInFlight> frame = scheduler_.take(Scheduler::Wait::yes);
        EXPECT_EQ(frame->index, taken_++) << "in order, and each frame once";
        const Taken taken{frame->words[0], frame->flagged[0]};
        scheduler_.recycle(std::move(frame));
        return taken;
    }

    SplitScheduler &scheduler() { return scheduler_; }

  private:
    static std::vector<SplitScheduler::Part> parts(const FeaturePlan &plan, const Extractor &kernels,
                                                   const Extractor &code) {
        std::vector<SplitScheduler::Part> parts;
        parts.push_back({std::make_unique<CpuScheduler>(std::vector<CpuFeature>{{&kernels}},
                                                        std::vector<std::size_t>{extracted_count},
                                                        std::make_shared<CpuWorkers>(1), 4),
                         {0},
                         true,
                         {{&code, &plan}}});
        return parts;
    }

    FramePool pool_{tiny};
    FrameHistory history_{{.reference = 1}};
    SplitScheduler scheduler_;
    int submitted_ = 0, taken_ = 0;
};

TEST(LastSteps, TheCpuDoesFlaggedFrames) {
    const FeaturePlan plan = plan_with(nullptr);
    const FlaggingExtractor kernels;
    LastSteps steps(plan, kernels, *plan.definition);
    for (int n = 0; n < 9; n++) {
        steps.submit();
        if (n < 3)
            continue; // four frames are in flight from here on
        const auto [words, flagged] = steps.take();
        const int sample = n - 3 + 1;
        EXPECT_THAT(words, ElementsAre(sample, sample == 1 ? -1 : sample - 1, 0)) << n;
        EXPECT_EQ(flagged, sample % 2 != 0) << n;
    }
}

TEST(LastSteps, CompletionsMakeTheWordsThatAreKept) {
    const FeaturePlan plan = plan_with(std::make_unique<LogCompletion>());
    const SampleDefinition definition;
    const FlaggingExtractor flagging;
    for (const Extractor *const kernels :
         {static_cast<const Extractor *>(&definition), static_cast<const Extractor *>(&flagging)}) {
        LastSteps steps(plan, *kernels, *plan.definition);
        for (int n = 0; n < 5; n++) {
            steps.submit();
            const auto [words, flagged] = steps.take();
            EXPECT_THAT(words, ElementsAre(word_of(std::log2(n + 1.0) + (n == 0 ? -1 : n)))) << n;
            EXPECT_EQ(flagged, kernels == &flagging && n % 2 == 0) << n;
        }
    }
}

TEST(LastSteps, ThreadsThatExtractCompleteToo) {
    const FeaturePlan plan = plan_with(std::make_unique<LogCompletion>());
    FramePool pool(tiny);
    const WritableFrame writable = pool.take();
    *writable.data[0] = std::byte{8};
    CpuScheduler scheduler({{plan.definition.get(), &plan}}, {extracted_count}, std::make_shared<CpuWorkers>(2));
    std::unique_ptr<FrameInFlight> frame = scheduler.blank();
    frame->window.pair = {writable.frame, writable.frame};
    frame->wanted = {true};
    scheduler.submit(std::move(frame));
    EXPECT_THAT(scheduler.take(Scheduler::Wait::yes)->words[0], ElementsAre(word_of(3.0 - 1)));
}

TEST(LastSteps, AFeatureThatIsNotWantedIsLeftAlone) {
    const FeaturePlan plan = plan_with(std::make_unique<LogCompletion>());
    const FlaggingExtractor kernels;
    LastSteps steps(plan, kernels, *plan.definition);
    steps.submit(false);
    const auto [words, flagged] = steps.take();
    EXPECT_EQ(words.size(), extracted_count);
    EXPECT_FALSE(flagged);
}

/// Goes on when it has run on two frames at a time.
class MeetingDefinition final : public Extractor {
  public:
    void extract(const PictureWindow &frames, Workspace &workspace, Words words, Taps taps) const override {
        if (++running_ == 2)
            running_.notify_all();
        for (int now = running_; now < 2; now = running_)
            running_.wait(now);
        SampleDefinition().extract(frames, workspace, words, taps);
    }

  private:
    mutable std::atomic<int> running_ = 0;
};

TEST(LastSteps, SeveralFlaggedFramesAreDoneSideBySide) {
    const FeaturePlan plan = plan_with(nullptr);
    const FlaggingExtractor kernels;
    const MeetingDefinition code;
    LastSteps steps(plan, kernels, code);
    for (int n = 0; n < 4; n++)
        steps.submit();
    for (int n = 0; n < 4; n++)
        EXPECT_EQ(steps.take().words[0], n + 1);
}

TEST(LastSteps, NoMoreFramesAreHeldThanTheKernelsHave) {
    const FeaturePlan plan = plan_with(nullptr);
    const FlaggingExtractor kernels;
    LastSteps steps(plan, kernels, *plan.definition);
    EXPECT_EQ(steps.scheduler().max_in_flight(), 4U);
    for (int n = 0; n < 4; n++)
        steps.submit();
    EXPECT_TRUE(steps.scheduler().full());
    (void)steps.take();
    EXPECT_FALSE(steps.scheduler().full());
}

/// Cannot do frame 3, whose sample is 3.
class FailingDefinition final : public Extractor {
  public:
    void extract(const PictureWindow &frames, Workspace &workspace, Words words, Taps taps) const override {
        SampleDefinition().extract(frames, workspace, words, taps);
        if (words[sample_word] == 3)
            throw std::runtime_error("planted");
    }
};

/// Whether the CPU fails on what kernels flagged or kernels themselves do, the frames before come back.
TEST(LastSteps, WhatGoesWrongIsThrownWithItsFrame) {
    const FeaturePlan plan = plan_with(nullptr);
    const FlaggingExtractor flagging;
    const SampleDefinition definition;
    const FailingDefinition failing;
    for (const auto &[kernels, code] : {std::pair<const Extractor &, const Extractor &>(flagging, failing),
                                        std::pair<const Extractor &, const Extractor &>(failing, definition)}) {
        LastSteps steps(plan, kernels, code);
        for (int n = 0; n < 4; n++)
            steps.submit();
        EXPECT_EQ(steps.take().words[0], 1);
        EXPECT_EQ(steps.take().words[0], 2);
        EXPECT_THROW(steps.take(), std::runtime_error);
    }
}

TEST(LastSteps, CodeOfTheCpuFlagsNothing) {
    const FeaturePlan plan = plan_with(nullptr);
    const FlaggingExtractor flagging;
    LastSteps steps(plan, flagging, flagging);
    steps.submit();
    EXPECT_THROW(steps.take(), Failure);
}

TEST(LastSteps, CanGoWithFramesInFlight) {
    const FeaturePlan plan = plan_with(nullptr);
    const FlaggingExtractor kernels;
    LastSteps steps(plan, kernels, *plan.definition);
    for (int n = 0; n < 4; n++)
        steps.submit();
}

} // namespace
} // namespace isovmaf::last_steps_test
