// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "isovmaf/score_video.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "engine/feed.hpp"
#include "engine/testing/session_scores.hpp"

namespace isovmaf::score_video_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace testing;

constexpr VideoFormat small{.width = 67, .height = 49};

/// Motion looks at neighbouring frames, and the aggregate of PSNR is a score of the whole video.
Session small_session() {
    return value_of(Session::create(
        {.format = small, .scoring = {.features = {{"motion", {}}, {"psnr", {{"enable_apsnr", "true"}}}}}}));
}

/// What an observer sees.
struct Seen {
    int pushed = 0;
    std::vector<FrameScores> scored;
    int most_waiting = 0; ///< pairs pushed without a score yet

    ScoreObserver observer(std::function<bool()> stop = [] { return false; }) {
        return {.pushed = [this] { pushed++; },
                .scored =
                    [this](FrameScores scores) {
                        scored.push_back(std::move(scores));
                        most_waiting = std::max(most_waiting, pushed - static_cast<int>(scored.size()));
                    },
                .stop = std::move(stop)};
    }
};

/// What a session gives when the caller pushes, takes and finishes by hand.
std::vector<FrameScores> scored_by_hand(const std::vector<FramePair> &clip) {
    Session session = small_session();
    for (const FramePair &pair : clip)
        EXPECT_TRUE(session.push(pair.reference, pair.distorted));
    EXPECT_TRUE(session.finish());
    std::vector<FrameScores> all;
    while (std::optional<FrameScores> scores = session.next_result())
        all.push_back(*std::move(scores));
    return all;
}

TEST(ScoreVideo, HandsOutEveryFrameInOrder) {
    const auto clip = clip_of(small, 9);
    Session session = small_session();
    Seen seen;
    const auto end = score_video(session, read_clip(clip), seen.observer());
    ASSERT_TRUE(end) << end.error().message;
    EXPECT_EQ(*end, VideoEnd::reached);
    EXPECT_EQ(seen.pushed, 9);
    const std::vector<FrameScores> expected = scored_by_hand(clip);
    ASSERT_THAT(seen.scored, SizeIs(9));
    for (std::size_t n = 0; n < expected.size(); n++) {
        EXPECT_EQ(seen.scored[n].frame, static_cast<std::int64_t>(n));
        EXPECT_EQ(seen.scored[n].scores, expected[n].scores);
    }
    EXPECT_TRUE(session.pooled("psnr_y")) << "the session is finished";
    EXPECT_THAT(session.aggregates(), SizeIs(3));
}

TEST(ScoreVideo, ScoresComeWhilePairsAreRead) {
    const auto clip = clip_of(small, 1);
    Session session = small_session();
    Seen seen;
    const auto read = [&, left = 300]() mutable -> Result<std::optional<FramePair>> {
        return left-- > 0 ? std::optional<FramePair>(clip[0]) : std::nullopt;
    };
    ASSERT_TRUE(score_video(session, read, seen.observer()));
    EXPECT_THAT(seen.scored, SizeIs(300));
    EXPECT_LT(seen.most_waiting, 150) << "memory must not grow with the video";
}

TEST(ScoreVideo, AStoppedVideoIsScoredUpToThere) {
    const auto clip = clip_of(small, 9);
    Session session = small_session();
    Seen seen;
    const auto end = score_video(session, read_clip(clip), seen.observer([&] { return seen.pushed == 4; }));
    ASSERT_TRUE(end) << end.error().message;
    EXPECT_EQ(*end, VideoEnd::stopped);
    EXPECT_EQ(seen.pushed, 4);
    EXPECT_THAT(seen.scored, SizeIs(4));
    EXPECT_TRUE(session.pooled("psnr_y")) << "the session is finished";
}

TEST(ScoreVideo, AVideoWithoutPairsHasNoScores) {
    Session session = small_session();
    Seen seen;
    EXPECT_EQ(score_video(session, read_clip({}), seen.observer()).value(), VideoEnd::reached);
    EXPECT_THAT(seen.scored, IsEmpty());
}

TEST(ScoreVideo, AnErrorOfTheReaderEndsTheRun) {
    const auto clip = clip_of(small, 3);
    Session session = small_session();
    Seen seen;
    const auto read = [reader = read_clip(clip)]() -> Result<std::optional<FramePair>> {
        auto pair = reader();
        if (!pair->has_value())
            return fail(ErrorCode::io, "the disk is gone");
        return pair;
    };
    const auto end = score_video(session, read, seen.observer());
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().message, "the disk is gone");
    EXPECT_EQ(seen.pushed, 3);
    EXPECT_FALSE(session.pooled("psnr_y")) << "a video that was not read to its end has no pooled score";
}

TEST(ScoreVideo, AnErrorOfTheSessionEndsTheRun) {
    Session session = small_session();
    Seen seen;
    const auto end = score_video(
        session, []() -> Result<std::optional<FramePair>> { return FramePair{}; }, seen.observer());
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().code, ErrorCode::mismatch) << "empty frames";
    EXPECT_EQ(seen.pushed, 0);
}

TEST(ScoreVideo, AnObserverIsNotNeeded) {
    const auto clip = clip_of(small, 3);
    Session session = small_session();
    ASSERT_TRUE(score_video(session, read_clip(clip)));
    EXPECT_TRUE(session.pooled("psnr_y"));
}

} // namespace
} // namespace isovmaf::score_video_test
