// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/videos.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "base/testing/temporary_folder.hpp"
#include "engine/testing/session_scores.hpp"

namespace isovmaf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace testing;

constexpr VideoFormat small{.width = 34, .height = 32};

/// Writes one side of a generated clip as raw video.
std::string raw_file(const TemporaryFolder &folder, const std::string &name, int frames, Frame FramePair::*side) {
    const std::string path = folder.file(name);
    std::ofstream file(path, std::ios::binary);
    for (const FramePair &pair : clip_of(small, frames))
        for (int p = 0; p < small.plane_count(); p++) {
            const Plane &plane = (pair.*side).plane(p);
            for (int y = 0; y < plane.height; y++)
                file.write(plane.row<char>(y), plane.width);
        }
    return path;
}

TEST(Videos, AreOpenedAndScored) {
    const TemporaryFolder folder;
    std::vector<std::string> warnings;
    const VideoRequest request{
        .reference = {raw_file(folder, "reference.yuv", 4, &FramePair::reference), small},
        .distorted = {raw_file(folder, "distorted.yuv", 5, &FramePair::distorted), small},
    };
    Result<OpenedVideos> videos =
        open_videos(request, [&](Severity, std::string_view sentence) { warnings.emplace_back(sentence); });
    ASSERT_TRUE(videos) << videos.error().message;
    EXPECT_EQ(videos->reference.name, request.reference.path);
    EXPECT_EQ(videos->distorted.container, "raw");
    EXPECT_EQ(videos->pairs->expected_pairs(), 4);

    SessionOptions options{.format = videos->pairs->format(), .features = {{.name = "psnr"}}};
    Session session = value_of(Session::create(options));
    std::vector<FrameScores> scored;
    const auto end = score_videos(*videos, session, {.scored = [&](FrameScores s) { scored.push_back(std::move(s)); }});
    ASSERT_TRUE(end) << end.error().message;
    const auto expected = score(options, clip_of(small, 4));
    ASSERT_THAT(scored, SizeIs(4));
    for (std::size_t n = 0; n < scored.size(); n++)
        EXPECT_EQ(scored[n].scores, expected->frames[n].scores);
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("the 4 frames that both have are scored")));
}

TEST(Videos, ThatAreMissingAreNamed) {
    const Result<OpenedVideos> videos = open_videos({{"/no/such/file.y4m"}, {"/none"}}, {});
    ASSERT_FALSE(videos);
    EXPECT_EQ(videos.error().code, ErrorCode::not_found);
    EXPECT_THAT(videos.error().message, HasSubstr("/no/such/file.y4m"));
}

} // namespace
} // namespace isovmaf
