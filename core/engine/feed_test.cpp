// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/feed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "engine/testing/session_scores.hpp"

namespace isovmaf::feed_test {
namespace {

using ::testing::ElementsAre;
using namespace testing;

constexpr VideoFormat small{.width = 67, .height = 49};

Session session_of(const char *feature, const VideoFormat &format = small) {
    return value_of(Session::create({.format = format, .scoring = {.features = {{.name = feature}}}}));
}

TEST(Feed, AllSessionsScoreThePairs) {
    std::vector<Session> sessions;
    sessions.push_back(session_of("psnr"));
    sessions.push_back(session_of("motion"));
    std::vector<std::vector<std::int64_t>> frames(2);
    int pushed = 0;
    const auto clip = clip_of(small, 5);
    const auto end =
        feed(sessions, read_clip(clip),
             {.pushed = [&] { pushed++; },
              .scored = [&](std::size_t session, FrameScores scores) { frames[session].push_back(scores.frame); }});
    ASSERT_TRUE(end) << end.error().error.message;
    EXPECT_EQ(*end, VideoEnd::reached);
    EXPECT_EQ(pushed, 5);
    EXPECT_THAT(frames, ElementsAre(ElementsAre(0, 1, 2, 3, 4), ElementsAre(0, 1, 2, 3, 4)));
    EXPECT_TRUE(sessions[0].pooled("psnr_y"));
    EXPECT_TRUE(sessions[1].pooled("integer_motion2"));
}

TEST(Feed, AnErrorNamesItsSession) {
    std::vector<Session> sessions;
    sessions.push_back(session_of("psnr"));
    sessions.push_back(session_of("psnr"));
    ASSERT_TRUE(sessions[1].finish());
    const auto clip = clip_of(small, 2);
    const auto end = feed(sessions, read_clip(clip), {.scored = [](std::size_t, const FrameScores &) {}});
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().session, 1U);
    EXPECT_EQ(end.error().error.message, "frames cannot be pushed after finish");
}

TEST(Feed, AnErrorOfTheReaderNamesNoSession) {
    std::vector<Session> sessions;
    sessions.push_back(session_of("psnr"));
    const auto read = []() -> Result<std::optional<FramePair>> { return fail(ErrorCode::io, "the disk is gone"); };
    const auto end = feed(sessions, read, {.scored = [](std::size_t, const FrameScores &) {}});
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().session, std::nullopt);
    EXPECT_EQ(end.error().error.message, "the disk is gone");
}

} // namespace
} // namespace isovmaf::feed_test
