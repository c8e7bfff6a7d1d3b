// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/parted_video.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "execution/execution.hpp"
#include "run/testing/raw_files.hpp"

namespace isovmaf::parted_video_test {
namespace {

using ::testing::HasSubstr;
using namespace testing;

constexpr VideoFormat small{.width = 40, .height = 36};
constexpr int frame_count = 12; // fewer than are handed over at a time

/// A pair of raw files that one worker scores on the CPU, with one frame in flight.
class OneWorker : public ::testing::Test {
  protected:
    OneWorker() {
        options_.execution.threads = options_.execution.frames_in_flight = 1;
        execution_ = value_of(open_execution(options_.execution));
    }

    [[nodiscard]] std::unique_ptr<PairSource> open() const {
        return std::move(value_of(open_videos(request_of_part(request_, 1, 0), {})).pairs);
    }

    /// `opened`: see PartedVideo::create.
    [[nodiscard]] std::unique_ptr<PartedVideo> parted(std::unique_ptr<PairSource> opened) const {
        return value_of(
            PartedVideo::create(request_, small, options_.scoring, {{execution_, "here"}}, std::move(opened)));
    }

    Result<VideoEnd> run(PartedVideo &video) {
        return video.run([] { return PartPlan{.frames = frame_count}; },
                         {.scored = [this](FrameScores scores) { scored_.push_back(std::move(scores)); }});
    }

    const TemporaryFolder folder_;
    const VideoRequest request_{
        .reference = {raw_file(folder_, "reference.yuv", small, frame_count, &FramePair::reference), small},
        .distorted = {raw_file(folder_, "distorted.yuv", small, frame_count, &FramePair::distorted), small},
    };
    SessionOptions options_ = on_cpu(small);
    ExecutionHandle execution_;
    std::vector<FrameScores> scored_;
};

TEST_F(OneWorker, OpensNoFileThatIsOpen) {
    const auto expected = score(options_, clip_of(small, frame_count));
    const std::unique_ptr<PartedVideo> other = parted(nullptr), video = parted(open());
    for (const VideoSide *side : {&request_.reference, &request_.distorted})
        std::filesystem::remove(side->path);
    const auto end = run(*video);
    ASSERT_TRUE(end) << end.error().message;
    expect_equal(Outcome{scored_, video->scores().aggregates, {}}, expected);
    EXPECT_EQ(video->readings().front().opened, 0);
    EXPECT_EQ(video->readings().front().frames, frame_count);
    EXPECT_THAT(run(*other).error().message, HasSubstr("there is no file"));
}

/// A worker that gets on slowly does not keep what is done until it has as many frames as are handed over at a time.
TEST_F(OneWorker, HandsOverWhatIsDoneFromTimeToTime) {
    const std::unique_ptr<PartedVideo> video = parted(nullptr);
    int pushed = 0, scored_before_last = 0;
    std::atomic<int> scored = 0;
    const auto end = video->run([] { return PartPlan{.frames = frame_count}; },
                                {.pushed =
                                     [&] {
                                         std::this_thread::sleep_for(std::chrono::milliseconds(40));
                                         if (++pushed == frame_count - 1)
                                             scored_before_last = scored;
                                     },
                                 .scored = [&](const FrameScores &) { scored++; }});
    ASSERT_TRUE(end) << end.error().message;
    EXPECT_EQ(scored, frame_count);
    EXPECT_GT(scored_before_last, 0);
}

} // namespace
} // namespace isovmaf::parted_video_test
