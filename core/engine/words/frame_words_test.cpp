// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/words/frame_words.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "engine/schedule/cpu_scheduler.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf::frame_words_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

const FeatureDescriptor samples{.name = "samples", .summary = {}, .options = {}, .outputs = {}};

EnginePlan plan_with(std::unique_ptr<Completion> completion) {
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
    EnginePlan engine;
    engine.features.push_back({&samples, std::move(plan), {}});
    return engine;
}

/// Frames whose samples are 1, 2, ..., extracted by `extractor`: calls `check(n, words)` with what is kept of each.
template <class Check>
void run(const Extractor &extractor, int count, FrameWords &frame_words, const Check &check) {
    FramePool pool(tiny);
    CpuScheduler scheduler({&extractor}, {extracted_count}, 2);
    FrameHistory history({.reference = 1});
    for (int n = 0; n < count; n++) {
        const WritableFrame writable = pool.take();
        *writable.data[0] = static_cast<std::byte>(n + 1);
        std::unique_ptr<FrameInFlight> frame = scheduler.blank();
        EXPECT_EQ(frame->words[0].size(), extracted_count);
        frame->index = n;
        frame->window = history.next({writable.frame, writable.frame});
        frame->wanted = {true};
        scheduler.submit(std::move(frame));
        frame = scheduler.take(Scheduler::Wait::yes);
        frame_words.finish(*frame);
        check(n, frame->words[0]);
        scheduler.recycle(std::move(frame));
    }
}

TEST(FrameWords, TheDefinitionDoesFlaggedFrames) {
    const EnginePlan plan = plan_with(nullptr);
    FrameWords frame_words(plan);
    run(FlaggingExtractor(), 5, frame_words, [](int n, const std::vector<std::int64_t> &words) {
        EXPECT_THAT(words, ElementsAre(n + 1, n == 0 ? -1 : n, 0)) << n;
    });
    EXPECT_THAT(frame_words.flagged(), ElementsAre(3));
}

TEST(FrameWords, CompletionsMakeTheWordsThatAreKept) {
    const EnginePlan plan = plan_with(std::make_unique<LogCompletion>());
    for (const bool flags : {false, true}) {
        FrameWords frame_words(plan);
        const SampleDefinition definition;
        const FlaggingExtractor flagging;
        run(flags ? static_cast<const Extractor &>(flagging) : definition, 5, frame_words,
            [](int n, const std::vector<std::int64_t> &words) {
                EXPECT_THAT(words, ElementsAre(word_of(std::log2(n + 1.0) + (n == 0 ? -1 : n)))) << n;
            });
        EXPECT_THAT(frame_words.flagged(), ElementsAre(flags ? 3 : 0));
    }
}

TEST(FrameWords, AFeatureThatIsNotWantedIsLeftAlone) {
    const EnginePlan plan = plan_with(std::make_unique<LogCompletion>());
    FrameWords frame_words(plan);
    FrameInFlight frame;
    frame.wanted = {false};
    frame.words = {{5, 6, 1}};
    frame_words.finish(frame);
    EXPECT_THAT(frame.words[0], ElementsAre(5, 6, 1));
    EXPECT_THAT(frame_words.flagged(), ElementsAre(0));
}

TEST(FrameWords, FlaggedFramesAreReported) {
    const EnginePlan plan = plan_with(nullptr);
    FrameWords frame_words(plan);
    Execution execution;
    execution.work = {{"samples", 4, 0}};
    frame_words.describe(execution);
    EXPECT_TRUE(execution.notices.empty());
    run(FlaggingExtractor(), 4, frame_words, [](int, const auto &) {});
    frame_words.describe(execution);
    EXPECT_EQ(execution.work[0].flagged, 2);
    EXPECT_THAT(execution.notices, ElementsAre(HasSubstr("feature samples left 2 of 4 frames to its definition")));
}

} // namespace
} // namespace isovmaf::frame_words_test
