// SPDX-License-Identifier: BSD-2-Clause-Patent
// Sessions that a process inherits when it is forked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/forked.hpp"
#include "content/patterns.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf::forked_session_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr VideoFormat format{.width = 176, .height = 144};
constexpr const char *refusal = "cannot use the session, which process";

Session open_session(int threads = 2) {
    return Session::create({.format = format,
                            .scoring = {.features = {{"vif", {}}, {"motion", {}}}},
                            .execution = {.threads = threads}})
        .value();
}

std::string push(Session &session, std::uint32_t n) {
    const FramePair pair = GeneratedClip(format).frame(n);
    const Result<void> pushed = session.push(pair.reference, pair.distorted);
    return pushed ? "pushed" : pushed.error().message;
}

std::string finish(Session &session) {
    const Result<void> finished = session.finish();
    return finished ? "finished" : finished.error().message;
}

TEST(ForkedSession, FailsAtOnceWithFramesInFlight) {
    Session session = open_session();
    for (std::uint32_t n = 0; n < 4; n++)
        ASSERT_EQ(push(session, n), "pushed");
    EXPECT_THAT(testing::in_forked_process([&] { return push(session, 4); }), HasSubstr(refusal));
    EXPECT_THAT(testing::in_forked_process([&] { return finish(session); }), HasSubstr(refusal));
    EXPECT_EQ(finish(session), "finished") << "the fork does not disturb the process that made the session";
}

TEST(ForkedSession, DoesNotWaitForResultsOfFramesInFlight) {
    Session session = open_session(1);
    for (std::uint32_t n = 0; n < 3; n++)
        ASSERT_EQ(push(session, n), "pushed");
    EXPECT_EQ(testing::in_forked_process([&] {
                  while (session.next_result()) { // those that were ready before
                  }
                  return "at the end";
              }),
              "at the end");
}

TEST(ForkedSession, IsClosedWithoutItsThreads) {
    Session session = open_session(), replaced = open_session();
    for (std::uint32_t n = 0; n < 4; n++)
        ASSERT_EQ(push(session, n), "pushed");
    EXPECT_EQ(testing::in_forked_process([&] {
                  replaced = std::move(session);
                  const Session closed = std::move(replaced);
                  return "closed";
              }),
              "closed");
}

TEST(ForkedSession, LeavesNewSessionsAlone) {
    if (!testing::forked_may_start_threads)
        GTEST_SKIP() << "ThreadSanitizer ends forked processes that start threads";
    const auto score = [](Session session) {
        for (std::uint32_t n = 0; n < 3; n++)
            EXPECT_EQ(push(session, n), "pushed");
        if (const std::string end = finish(session); end != "finished")
            return end;
        return std::to_string(session.pooled(session.score_names().front())->mean);
    };
    Session inherited = open_session();
    ASSERT_EQ(push(inherited, 0), "pushed");
    const std::string expected = score(open_session());
    EXPECT_THAT(expected, StartsWith("0."));
    EXPECT_EQ(testing::in_forked_process([&] { return score(open_session()); }), expected);
}

} // namespace
} // namespace isovmaf::forked_session_test
