// SPDX-License-Identifier: BSD-2-Clause-Patent
// A feature that reads both earlier pairs: on the CPU, and on the backend that ISOVMAF_TEST_PLUGIN names if there is
// one, with frames in host memory and in memory of the device. Its kernel is PSNR's, launched on pictures of the
// window.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/failure.hpp"
#include "engine/device_clip.hpp"
#include "engine/testing/extracted_words.hpp"
#include "engine/testing/packed_clip.hpp"
#include "engine/testing/session_scores.hpp"
#include "features/registry.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf::window_test {
namespace {

using namespace testing;
using ::testing::HasSubstr;

constexpr VideoFormat format{.width = 37, .height = 35, .chroma = Chroma::k400, .bit_depth = 10};
constexpr std::size_t clip_length = 9;

FeaturePlan luma_psnr() {
    const FeatureDescriptor &psnr = *find_feature("psnr");
    const OptionSet luma = value_of(OptionSet::parse("psnr", psnr.options, {{"enable_chroma", "false"}}));
    return value_of(psnr.plan({format}, {&luma, 1}));
}

/// One word of a window: the squared error of two of its pictures; 0 where there is no such picture.
template <class Window, class Compare>
void for_each_word(const Window &window, const Compare &compare) {
    const auto compare_earlier = [&](std::size_t word, const auto &reference, const auto &distorted) {
        if (reference && distorted)
            compare(word, *reference, *distorted);
    };
    compare_earlier(0, window.earlier_reference[0], window.earlier_distorted[0]);
    compare_earlier(1, window.earlier_reference[1], window.earlier_distorted[1]);
    compare_earlier(2, window.earlier_distorted[0], window.earlier_distorted[1]);
    compare_earlier(3, std::optional(window.distorted), window.earlier_distorted[1]);
    compare_earlier(4, std::optional(window.reference), window.earlier_reference[0]);
}
constexpr std::size_t compared_words = 5, flag_word = 5;

class WindowDefinition final : public Extractor {
  public:
    void extract(const PictureWindow &frames, Workspace &workspace, Words words, Taps) const override {
        std::ranges::fill(words, 0);
        const PictureWindow window{*frames.reference, *frames.distorted, frames.earlier_reference,
                                   frames.earlier_distorted};
        for_each_word(window, [&](std::size_t word, const auto &reference, const auto &distorted) {
            psnr_.definition->extract({picture(reference), picture(distorted)}, workspace, words.subspan(word, 1),
                                      Taps{nullptr});
        });
    }

  private:
    static const HostPicture &picture(const HostPicture &picture) { return picture; }
    static const HostPicture &picture(const std::optional<HostPicture> &picture) { return *picture; }

    FeaturePlan psnr_ = luma_psnr();
};

class WindowGpu final : public GpuExtractor {
  public:
    [[nodiscard]] std::uint64_t scratch_bytes() const override { return ISOVMAF_RANGE_ALIGNMENT; }

    void record(Recorder &recorder, const GpuFrame &frame) const override {
        for_each_word(frame, [&](std::size_t word, const GpuPicture &reference, const GpuPicture &distorted) {
            recorder.fill(frame.scratch, sizeof(std::int64_t), 0);
            psnr_.gpu->record(recorder, {.reference = reference, .distorted = distorted, .words = frame.scratch});
            recorder.copy(frame.scratch, frame.words + word * sizeof(std::int64_t), sizeof(std::int64_t));
        });
    }

  private:
    FeaturePlan psnr_ = luma_psnr();
};

/// Runs a kernel, flags every frame, and leaves it to the definition.
class FlaggingGpu final : public GpuExtractor {
  public:
    void record(Recorder &recorder, const GpuFrame &frame) const override {
        psnr_.gpu->record(recorder, {.reference = frame.reference, .distorted = frame.distorted, .words = frame.words});
        recorder.fill(frame.words + flag_word * sizeof(std::int64_t), sizeof(std::int64_t), 1);
    }

  private:
    FeaturePlan psnr_ = luma_psnr();
};

const FeatureDescriptor window_feature{.name = "window", .summary = {}, .options = {}, .outputs = {}};

/// Which kernels the feature has.
enum class Kernels : std::uint8_t { all, none, flagging };

EnginePlan plan_with(Kernels kernels) {
    FeaturePlan window;
    window.definition = std::make_unique<WindowDefinition>();
    if (kernels == Kernels::all)
        window.gpu = std::make_unique<WindowGpu>();
    if (kernels == Kernels::flagging) {
        window.gpu = std::make_unique<FlaggingGpu>();
        window.flag_word = flag_word;
    }
    for (std::size_t word = 0; word < compared_words; word++)
        window.words.push_back({fmt::format("word {}", word)});
    window.words.push_back({"flag"});
    window.earlier = {2, 2};
    EnginePlan plan{.context = {.format = format}};
    plan.features.push_back({&window_feature, std::move(window), {}});
    plan.features.push_back({find_feature("psnr"), luma_psnr(), {}});
    return plan;
}

SessionOptions options_on(const std::string &backend) {
    SessionOptions options = test_plugin().empty() ? on_cpu(format) : on_device(format);
    if (!backend.empty())
        options.execution.backend = backend;
    options.execution.threads = 2;
    return options;
}

std::string device_backend() { return test_plugin().empty() ? "" : on_device(format).execution.backend; }

std::vector<FramePair> clip() { return clip_of(format, clip_length); }

/// Members that are unlike each other; member 0 is the clip's distorted video.
Frame frame_of(const std::vector<FramePair> &clip, std::size_t member, std::size_t n) {
    return clip[(n + member) % clip.size()].distorted;
}

WordsByFrame words_alone(const std::vector<FramePair> &clip, std::size_t member, std::size_t end) {
    const EnginePlan plan = plan_with(Kernels::all);
    WordCollector collector;
    Extraction extraction = extraction_for(options_on("cpu-ref"), plan, collector);
    for (std::size_t n = 0; n < end; n++)
        EXPECT_TRUE(extraction.push({clip[n].reference, frame_of(clip, member, n)}));
    EXPECT_TRUE(extraction.finish());
    return collector.by_frame;
}

TEST(Window, TheDefinitionReadsEveryEarlierPicture) {
    const auto words = words_alone(clip(), 0, clip_length);
    EXPECT_THAT(words.at(0)[0], ::testing::Each(0));
    for (std::size_t n = 2; n < clip_length; n++)
        EXPECT_THAT(std::span(words.at(static_cast<std::int64_t>(n))[0]).first(compared_words),
                    ::testing::Each(::testing::Gt(0)))
            << n;
    EXPECT_EQ(words.at(4)[0][0], words.at(3)[1][0]) << "the pair before";
    EXPECT_EQ(words.at(4)[0][1], words.at(2)[1][0]) << "the pair before that";
}

WordsByFrame extract(const SessionOptions &options, const EnginePlan &plan, const std::vector<FramePair> &clip,
                     std::int64_t first = 0, Execution *execution = nullptr) {
    WordCollector collector;
    Extraction extraction = extraction_for(options, plan, collector, first);
    for (std::int64_t n = first - extraction.lead_in(); n < static_cast<std::int64_t>(clip.size()); n++) {
        const Result<void> pushed = extraction.push(clip[static_cast<std::size_t>(n)]);
        EXPECT_TRUE(pushed) << pushed.error().message;
    }
    const Result<void> finished = extraction.finish();
    EXPECT_TRUE(finished) << finished.error().message;
    if (execution)
        *execution = extraction.execution();
    return collector.by_frame;
}

TEST(Window, FramesInFlightDoNotShow) {
    const auto expected = words_alone(clip(), 0, clip_length);
    for (const int frames : {0, 1, 5, 16}) {
        SessionOptions options = options_on("");
        options.execution.frames_in_flight = frames;
        EXPECT_EQ(extract(options, plan_with(Kernels::all), clip()), expected) << frames;
    }
}

TEST(Window, SegmentsHaveTheWordsOfTheWhole) {
    const auto whole = words_alone(clip(), 0, clip_length);
    for (std::int64_t first = 1; first < static_cast<std::int64_t>(clip_length); first++)
        EXPECT_EQ(extract(options_on(""), plan_with(Kernels::all), clip(), first),
                  WordsByFrame(whole.find(first), whole.end()))
            << first;
}

/// Member 2 ends early, and member 5, as one that cannot be read any more, earlier still.
TEST(Window, EachOfEightMembersHasItsOwn) {
    const auto pairs = clip();
    std::vector<std::size_t> ends(8, clip_length);
    ends[2] = 6;
    ends[5] = 3;
    for (const int frames : {0, 1, 24}) {
        SessionOptions options = options_on("");
        options.execution.frames_in_flight = frames;
        const EnginePlan plan = plan_with(Kernels::all);
        std::vector<WordCollector> collectors(ends.size());
        std::vector<WordSink *> sinks;
        for (WordCollector &collector : collectors)
            sinks.push_back(&collector);
        Extraction extraction(scheduler_for(options, plan, sinks.size()), plan, options.scoring.subsample, sinks);
        for (std::size_t n = 0; n < clip_length; n++) {
            std::vector<Frame> distorted(ends.size());
            for (std::size_t m = 0; m < ends.size(); m++) {
                if (n < ends[m])
                    distorted[m] = frame_of(pairs, m, n);
                if (n == ends[m]) {
                    ASSERT_TRUE(extraction.finish(m));
                }
            }
            ASSERT_TRUE(extraction.push(pairs[n].reference, distorted));
        }
        ASSERT_TRUE(extraction.finish());
        for (std::size_t m = 0; m < ends.size(); m++)
            EXPECT_EQ(collectors[m].by_frame, words_alone(pairs, m, ends[m])) << "member " << m << ", " << frames;
    }
}

class OnDevice : public ::testing::Test {
  protected:
    void SetUp() override {
        if (test_plugin().empty())
            GTEST_SKIP() << "ISOVMAF_TEST_PLUGIN names no backend";
        device_ = std::make_shared<const Device>(value_of(Device::open(value_of(Plugin::open(test_plugin())), 0)));
    }

    DeviceHandle device_;
};

using DeviceWindow = OnDevice;

TEST_F(DeviceWindow, FramesOnTheDeviceHaveTheSameWords) {
    const std::vector<FramePair> placed = place_on_device(device_, clip()).value();
    Execution execution;
    EXPECT_EQ(extract(options_on(""), plan_with(Kernels::all), placed, 0, &execution),
              words_alone(clip(), 0, clip_length));
    EXPECT_EQ(execution.fetched, 0);
    EXPECT_EQ(extract(options_on(""), plan_with(Kernels::all), placed, 4),
              extract(options_on(""), plan_with(Kernels::all), clip(), 4));
}

TEST_F(DeviceWindow, FramesOnTheHostAndOnTheDeviceMayTakeTurns) {
    const std::vector<FramePair> placed = place_on_device(device_, clip()).value();
    const std::vector<FramePair> packed = place_packed(device_, clip());
    for (const auto *frames : {&placed, &packed}) {
        auto mixed = clip();
        for (std::size_t n = 0; n < mixed.size(); n++) {
            if (n % 3 != 0)
                mixed[n].reference = (*frames)[n].reference;
            if (n % 2 != 0)
                mixed[n].distorted = (*frames)[n].distorted;
        }
        for (const Kernels kernels : {Kernels::all, Kernels::flagging})
            EXPECT_EQ(extract(options_on(""), plan_with(kernels), mixed), words_alone(clip(), 0, clip_length));
        EXPECT_EQ(extract(options_on(device_backend() + ",cpu"), plan_with(Kernels::none), mixed),
                  words_alone(clip(), 0, clip_length));
    }
}

/// A device that shares the host's memory reads the earlier pictures of both sides where they lie, too.
TEST_F(DeviceWindow, FramesInMemoryOfTheSessionAndOthersMayTakeTurns) {
    for (const int frames : {0, 1, 3}) {
        SessionOptions options = options_on("");
        options.execution.frames_in_flight = frames;
        const EnginePlan plan = plan_with(Kernels::all);
        WordCollector collector;
        Extraction extraction = extraction_for(options, plan, collector);
        FramePool pool(format, ChromaEdge::absent, 1, extraction.frame_memory());
        const auto pairs = clip();
        for (std::size_t n = 0; n < pairs.size(); n++)
            ASSERT_TRUE(extraction.push({n % 3 != 0 ? pool.copy(pairs[n].reference, 1) : pairs[n].reference,
                                         n % 4 != 0 ? pool.copy(pairs[n].distorted, 1) : pairs[n].distorted}));
        ASSERT_TRUE(extraction.finish());
        EXPECT_EQ(collector.by_frame, words_alone(pairs, 0, clip_length)) << frames;
    }
}

TEST_F(DeviceWindow, AFeatureOnTheCpuGetsFetchedFrames) {
    const std::vector<FramePair> placed = place_on_device(device_, clip()).value();
    Execution execution;
    EXPECT_EQ(extract(options_on(device_backend() + ",cpu"), plan_with(Kernels::none), placed, 0, &execution),
              words_alone(clip(), 0, clip_length));
    EXPECT_EQ(execution.fetched, 2 * static_cast<std::int64_t>(clip_length));
    EXPECT_THAT(execution.notices, ::testing::Not(::testing::Contains(HasSubstr("copied"))))
        << "a user can do nothing about it";
}

/// Sums the samples of the planes that it reads.
class SumDefinition final : public Extractor {
  public:
    explicit SumDefinition(int plane_count) : plane_count_(plane_count) {}

    void extract(const PictureWindow &frames, Workspace &, Words words, Taps) const override {
        std::ranges::fill(words, 0);
        for (int p = 0; p < plane_count_; p++) {
            const Plane &plane = frames.distorted->plane(p);
            for (int y = 0; y < plane.height; y++)
                words[0] += std::reduce(plane.row<std::uint16_t>(y), plane.row<std::uint16_t>(y) + plane.width, 0);
        }
    }

  private:
    int plane_count_;
};

FeaturePlan sum_plan(PlaneUse planes, Kernels kernels) {
    FeaturePlan sum;
    sum.definition = std::make_unique<SumDefinition>(planes == PlaneUse::all ? 3 : 1);
    sum.planes = planes;
    for (std::size_t word = 0; word < flag_word; word++)
        sum.words.push_back({fmt::format("word {}", word)});
    sum.words.push_back({"flag"});
    if (kernels == Kernels::flagging) {
        sum.gpu = std::make_unique<FlaggingGpu>();
        sum.flag_word = flag_word;
    }
    return sum;
}

TEST_F(DeviceWindow, AFeatureThatReadsChromaGetsItBehindOneThatDoesNot) {
    const VideoFormat with_chroma{.width = 37, .height = 35, .chroma = Chroma::k420, .bit_depth = 10};
    const auto plan_of = [&](Kernels luma) {
        EnginePlan plan{.context = {.format = with_chroma}};
        plan.features.push_back({&window_feature, sum_plan(PlaneUse::luma, luma), {}});
        plan.features.push_back({&window_feature, sum_plan(PlaneUse::all, Kernels::flagging), {}});
        return plan;
    };
    const auto pairs = clip_of(with_chroma, 3);
    const std::vector<FramePair> placed = place_packed(device_, pairs);
    SessionOptions device = on_device(with_chroma), cpu = on_cpu(with_chroma);
    const WordsByFrame expected = extract(cpu, plan_of(Kernels::none), pairs);
    EXPECT_EQ(extract(device, plan_of(Kernels::flagging), placed), expected) << "both are flagged";
    device.execution.backend += ",cpu";
    EXPECT_EQ(extract(device, plan_of(Kernels::none), placed), expected) << "one is on the CPU";
}

TEST_F(DeviceWindow, FlaggedFramesAreFetched) {
    const std::vector<FramePair> placed = place_on_device(device_, clip()).value();
    Execution execution;
    EXPECT_EQ(extract(options_on(""), plan_with(Kernels::flagging), placed, 0, &execution),
              words_alone(clip(), 0, clip_length));
    EXPECT_EQ(execution.fetched, 2 * static_cast<std::int64_t>(clip_length)) << "each frame once";
    EXPECT_EQ(execution.work[0].flagged, static_cast<std::int64_t>(clip_length));
}

/// A decoder fills a frame again when its owner is gone. With as many frames as the extraction says it holds, and one
/// to decode into, it never runs out.
TEST_F(DeviceWindow, HoldsNoMoreFramesThanItSays) {
    const std::vector<FramePair> placed = place_on_device(device_, clip_of(format, 40)).value();
    for (const Kernels kernels : {Kernels::all, Kernels::flagging}) {
        const EnginePlan plan = plan_with(kernels);
        WordCollector collector;
        Extraction extraction = extraction_for(options_on(""), plan, collector);
        std::vector<std::weak_ptr<int>> owners;
        std::size_t most = 0;
        for (const FramePair &pair : placed) {
            const auto owner = std::make_shared<int>();
            owners.push_back(owner);
            const auto owned = [&](const Frame &frame) {
                return Frame::on_device(device_, format, owner, {frame.address(0)},
                                        {static_cast<std::uint64_t>(frame.stride_bytes(0))});
            };
            ASSERT_TRUE(extraction.push({owned(pair.reference), owned(pair.distorted)}));
            most = std::max(most, static_cast<std::size_t>(
                                      std::ranges::count_if(owners, [](const auto &held) { return !held.expired(); })));
        }
        EXPECT_LE(most, extraction.most_held() + 1) << "the last frame has an owner here, too";
        ASSERT_TRUE(extraction.finish());
        EXPECT_TRUE(std::ranges::all_of(owners, [](const auto &held) { return held.expired(); }));
    }
}

} // namespace
} // namespace isovmaf::window_test
