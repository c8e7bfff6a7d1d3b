// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/frame_loop.hpp"

#include <string>

#include <gmock/gmock.h>

#include "content/patterns.hpp"

namespace isovmaf::frame_loop_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr VideoFormat tiny{.width = 2, .height = 2, .chroma = Chroma::k400};

Frame frame_number(std::int64_t n) { return constant_frame(tiny, static_cast<std::uint32_t>(n)); }
int number_of(const Frame &frame) { return frame ? *frame.plane(0).row<std::uint8_t>(0) : -1; }

/// Members whose frames are numbered from `opened` on. Member m has the frames before lengths[m]; a failing one has an
/// error in place of its end.
class NumberedSource final : public GroupSource {
  public:
    NumberedSource(std::vector<std::int64_t> lengths, std::int64_t opened = 0, std::optional<std::size_t> failing = {})
        : lengths_(std::move(lengths)), failing_(failing), next_(opened - 1) {}

    [[nodiscard]] std::size_t members() const override { return lengths_.size(); }
    void next_frame() override { reference_ = frame_number(++next_); }
    [[nodiscard]] Result<std::optional<Frame>> read(std::size_t member) override {
        if (next_ < lengths_[member])
            return frame_number(next_ + 100 * static_cast<std::int64_t>(member));
        if (failing_ == member)
            return fail(ErrorCode::corrupt_data, "this video is damaged");
        return std::nullopt;
    }
    [[nodiscard]] const Frame &reference() const override { return reference_; }

    [[nodiscard]] std::int64_t read_to() const { return next_; }

  private:
    std::vector<std::int64_t> lengths_;
    std::optional<std::size_t> failing_;
    std::int64_t next_;
    Frame reference_;
};

/// Writes down what happens: "0: 0 100" for a frame of two members, "end 1" at the end of a member's video, "cut 1"
/// when it ends before that, "fail 1".
class Diary final : public GroupSink {
  public:
    Result<void> push(const Frame &reference, std::span<const Frame> distorted) override {
        std::string line = std::to_string(number_of(reference)) + ":";
        for (const Frame &frame : distorted)
            line += frame ? " " + std::to_string(number_of(frame)) : " -";
        lines.push_back(line);
        return refuses_frames ? isovmaf::fail(ErrorCode::internal, "no room") : Result<void>();
    }
    Result<void> end(std::size_t member, bool ends_video) override {
        lines.push_back((ends_video ? "end " : "cut ") + std::to_string(member));
        return {};
    }
    Result<void> fail(std::size_t member, const Error &error) override {
        lines.push_back("fail " + std::to_string(member));
        return survives_failures ? Result<void>() : GroupSink::fail(member, error);
    }

    std::vector<std::string> lines;
    bool survives_failures = false, refuses_frames = false;
};

Result<VideoEnd> run(NumberedSource source, Diary &diary, const LoopFrames &frames = {},
                     const LoopObserver &observer = {}) {
    return FrameLoop(source, diary, frames, observer).run();
}

TEST(FrameLoop, PushesAVideoToItsEnd) {
    Diary diary;
    EXPECT_EQ(run(NumberedSource({3}), diary).value(), VideoEnd::reached);
    EXPECT_THAT(diary.lines, ElementsAre("0: 0", "1: 1", "2: 2", "end 0"));
    Diary empty;
    EXPECT_EQ(run(NumberedSource({0}), empty).value(), VideoEnd::reached);
    EXPECT_THAT(empty.lines, ElementsAre("end 0"));
}

TEST(FrameLoop, AMemberMayEndEarly) {
    Diary diary;
    EXPECT_TRUE(run(NumberedSource({1, 2}), diary));
    EXPECT_THAT(diary.lines, ElementsAre("0: 0 100", "end 0", "1: - 101", "end 1"));
}

TEST(FrameLoop, AMemberMayFailAlone) {
    Diary diary;
    diary.survives_failures = true;
    EXPECT_TRUE(run(NumberedSource({2, 1}, 0, 1), diary));
    EXPECT_THAT(diary.lines, ElementsAre("0: 0 100", "fail 1", "1: 1 -", "end 0"));
    Diary alone;
    const Result<VideoEnd> end = run(NumberedSource({1}, 0, 0), alone);
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().message, "this video is damaged");
}

TEST(FrameLoop, FramesBeforeTheFirstArePassedOver) {
    Diary diary;
    EXPECT_TRUE(run(NumberedSource({6}, 2), diary, {.opened = 2, .first = 4}));
    EXPECT_THAT(diary.lines, ElementsAre("4: 4", "5: 5", "end 0"));
    Diary shorter;
    EXPECT_TRUE(run(NumberedSource({3}, 2), shorter, {.opened = 2, .first = 4}));
    EXPECT_THAT(shorter.lines, ElementsAre("end 0"));
}

TEST(FrameLoop, OneFrameBehindTheEndShowsWhetherTheVideoEndsToo) {
    Diary diary;
    EXPECT_EQ(run(NumberedSource({2, 3, 2}), diary, {.end = 2}).value(), VideoEnd::reached);
    EXPECT_THAT(diary.lines, ElementsAre("0: 0 100 200", "1: 1 101 201", "end 0", "end 2", "cut 1"));
    NumberedSource source({9});
    Diary cut;
    EXPECT_TRUE(FrameLoop(source, cut, {.end = 2}, LoopObserver{}).run());
    EXPECT_EQ(source.read_to(), 2) << "it reads no further";
}

TEST(FrameLoop, TheObserverMayEndTheVideosAtAFrame) {
    Diary diary;
    std::int64_t end = 9;
    const LoopObserver observer{.pushed = [&] { end = 3; }, .ends = [&](std::int64_t frame) { return frame == end; }};
    EXPECT_EQ(run(NumberedSource({9, 3}), diary, {.first = 1}, observer).value(), VideoEnd::reached);
    EXPECT_THAT(diary.lines, ElementsAre("1: 1 101", "2: 2 102", "end 1", "cut 0"));
}

TEST(FrameLoop, StopKeepsWhatWasPushed) {
    Diary diary;
    int pushed = 0;
    const LoopObserver observer{.pushed = [&] { pushed++; }, .stop = [&] { return pushed == 2; }};
    EXPECT_EQ(run(NumberedSource({5}), diary, {}, observer).value(), VideoEnd::stopped);
    EXPECT_THAT(diary.lines, ElementsAre("0: 0", "1: 1", "cut 0"));
}

/// A source that was told to give up fails; the video ends there.
TEST(FrameLoop, AStopMayMakeTheSourceFail) {
    Diary diary;
    int asked = 0;
    const LoopObserver observer{.stop = [&] { return ++asked > 2; }}; // once a frame, and when the second read failed
    EXPECT_EQ(run(NumberedSource({1}, 0, 0), diary, {}, observer).value(), VideoEnd::stopped);
    EXPECT_THAT(diary.lines, ElementsAre("0: 0", "cut 0"));
}

TEST(FrameLoop, CancelIsAnError) {
    Diary diary;
    const LoopObserver observer{.cancel = [&] { return diary.lines.size() == 2; }};
    const Result<VideoEnd> end = run(NumberedSource({5}), diary, {}, observer);
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().code, ErrorCode::interrupted);
    EXPECT_THAT(diary.lines, ElementsAre("0: 0", "1: 1")) << "no member ends";
    Diary skipping;
    EXPECT_FALSE(run(NumberedSource({5}), skipping, {.first = 3}, {.cancel = [] { return true; }}));
    EXPECT_THAT(skipping.lines, IsEmpty());
}

TEST(FrameLoop, AnErrorOfTheSinkEndsIt) {
    Diary diary;
    diary.refuses_frames = true;
    const Result<VideoEnd> end = run(NumberedSource({5}), diary);
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().message, "no room");
    EXPECT_THAT(diary.lines, ElementsAre("0: 0"));
}

TEST(FrameLoop, ItsTimesAreThoseOfItsThread) {
    NumberedSource source({3});
    Diary diary;
    FrameLoop loop(source, diary, {}, LoopObserver{});
    EXPECT_EQ(loop.times().reading, 0);
    ASSERT_TRUE(loop.run());
    EXPECT_GT(loop.times().reading, 0);
    EXPECT_GT(loop.times().pushing, 0);
    EXPECT_EQ(loop.next_frame(), 3);
}

} // namespace
} // namespace isovmaf::frame_loop_test
