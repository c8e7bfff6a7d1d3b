// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/videos.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "base/testing/temporary_folder.hpp"
#include "engine/testing/session_scores.hpp"
#include "run/testing/opened_pair.hpp"
#include "run/testing/raw_files.hpp"

namespace isovmaf {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace testing;

constexpr VideoFormat small{.width = 34, .height = 32};

TEST(Videos, AreOpenedAndScored) {
    const TemporaryFolder folder;
    std::vector<std::string> warnings;
    const VideoRequest request{
        .reference = {raw_file(folder, "reference.yuv", small, 4, &FramePair::reference), small},
        .distorted = {raw_file(folder, "distorted.yuv", small, 5, &FramePair::distorted), small},
    };
    Result<OpenedVideos> videos =
        open_videos(request, [&](Severity, std::string_view sentence) { warnings.emplace_back(sentence); });
    ASSERT_TRUE(videos) << videos.error().message;
    EXPECT_EQ(videos->reference.name, request.reference.path);
    EXPECT_EQ(videos->distorted.container, "raw");
    EXPECT_EQ(videos->pairs->expected_pairs(), 4);

    SessionOptions options{.format = videos->pairs->format(), .scoring = {.features = {{.name = "psnr"}}}};
    Session session = value_of(Session::create(options));
    std::vector<FrameScores> scored;
    const auto end =
        score_opened_videos(*videos, session, {.scored = [&](FrameScores s) { scored.push_back(std::move(s)); }});
    ASSERT_TRUE(end) << end.error().message;
    const auto expected = score(options, clip_of(small, 4));
    ASSERT_THAT(scored, SizeIs(4));
    for (std::size_t n = 0; n < scored.size(); n++)
        EXPECT_EQ(scored[n].scores, expected->frames[n].scores);
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("the 4 frames that both have are scored")));
}

TEST(Videos, OfDifferentRangeAreRefusedConvertedOrAccepted) {
    const TemporaryFolder folder;
    VideoRequest request{.reference = {y4m_file(folder, "r.y4m", "C420mpeg2 XCOLORRANGE=LIMITED")},
                         .distorted = {y4m_file(folder, "d.y4m", "C420mpeg2 XCOLORRANGE=FULL")}};
    const auto names_ranges = AllOf(HasSubstr("colour range limited"), HasSubstr("colour range full"));
    EXPECT_THAT(open(request).error, names_ranges);
    request.colours = ColourPolicy::warn;
    request.pair.strict = true;
    EXPECT_THAT(open(request).warnings, ElementsAre(names_ranges));
    EXPECT_THAT(open(request).notes, IsEmpty());
    request.colours = ColourPolicy::accept;
    EXPECT_THAT(open(request).warnings, IsEmpty());
    EXPECT_THAT(open(request).notes, ElementsAre(names_ranges));

    request.colours = ColourPolicy::refuse;
    request.distorted.convert_range = true;
    const Opened converted = open(request);
    EXPECT_EQ(converted.error, "");
    EXPECT_THAT(converted.notes, IsEmpty());
    EXPECT_THAT(converted.conversions, ElementsAre(HasSubstr("range from full to limited")));
}

TEST(Videos, OfWhichOneHasNoRangeAreJudgedByTheirPictures) {
    const TemporaryFolder folder; // flat pictures say nothing
    VideoRequest request{.reference = {y4m_file(folder, "r.y4m", "C420mpeg2")},
                         .distorted = {y4m_file(folder, "d.y4m", "C420mpeg2 XCOLORRANGE=FULL")}};
    const auto names_ranges = AllOf(HasSubstr("an unspecified colour range"), HasSubstr("colour range full"));
    const auto read = [&](OpenedVideos &videos) {
        EXPECT_TRUE(value_of(videos.pairs->read()));
        return videos.pairs->read(); // the end
    };
    for (const ColourPolicy policy : {ColourPolicy::refuse, ColourPolicy::warn}) {
        request.colours = policy;
        EXPECT_THAT(open(request).warnings, IsEmpty());
        OpenedVideos videos = value_of(open_videos(request, {}));
        EXPECT_THAT(videos.notes, IsEmpty());
        EXPECT_TRUE(read(videos));
        ASSERT_THAT(videos.pairs->warnings(), SizeIs(1));
        EXPECT_EQ(videos.pairs->warnings()[0].kind, PairWarning::colours);
        EXPECT_THAT(videos.pairs->warnings()[0].sentence, names_ranges);
    }
    request.pair.strict = true;
    OpenedVideos strict = value_of(open_videos(request, {}));
    EXPECT_THAT(read(strict).error().message, names_ranges);
    request.colours = ColourPolicy::accept;
    OpenedVideos accepted = value_of(open_videos(request, {}));
    EXPECT_TRUE(read(accepted));
    EXPECT_THAT(accepted.notes, ElementsAre(names_ranges));
    EXPECT_THAT(accepted.pairs->warnings(), IsEmpty());
}

TEST(Videos, ThatAreOneFileAreNoted) {
    const TemporaryFolder folder;
    const std::string path = y4m_file(folder, "r.y4m", ""), link = folder.file("link.y4m");
    std::filesystem::create_symlink(path, link);
    const OpenedVideos same = value_of(open_videos({{path}, {link}}, {}));
    EXPECT_EQ(same.same_file, "reference and distorted are the same file: " + path);
    EXPECT_THAT(same.notes, ElementsAre(same.same_file));
    const OpenedVideos others = value_of(open_videos({{path}, {y4m_file(folder, "d.y4m", "")}}, {}));
    EXPECT_EQ(others.same_file, "");
}

TEST(Videos, WarningsAreErrorsWhenStrict) {
    const TemporaryFolder folder;
    VideoRequest request{.reference = {y4m_file(folder, "r.y4m", "It")}, .distorted = {y4m_file(folder, "d.y4m", "")}};
    EXPECT_THAT(open(request).warnings, ElementsAre(HasSubstr("r.y4m is interlaced (top field first)")));
    request.pair.strict = true;
    EXPECT_THAT(open(request).error, HasSubstr("r.y4m is interlaced (top field first)"));
}

TEST(Videos, AreCroppedAndThenScaled) {
    const TemporaryFolder folder;
    const std::string path = raw_file(folder, "it's.yuv", small, 1, &FramePair::distorted);
    VideoRequest request{.reference = {y4m_file(folder, "r.y4m", "")}, .distorted = {path, small}};
    request.distorted.crop = Crop{20, 16, 4, 8};
    EXPECT_THAT(open(request).error, HasSubstr("20x16 4:2:0 8-bit; use --resize dis"));
    request.resize = Resize{.flags = "lanczos"};
    const Opened scaled = open(request);
    EXPECT_EQ(scaled.format, small);
    EXPECT_THAT(scaled.conversions, ElementsAre(HasSubstr("cropped from 34x32"), HasSubstr("scaled from 20x16")));
    EXPECT_EQ(scaled.command, "ffmpeg -f rawvideo -pixel_format yuv420p -video_size 34x32 -i '" + folder.file("it") +
                                  "'\\''s.yuv' -map 0:v:0 -vf crop=20:16:4:8,scale=34:32:flags=lanczos -fps_mode "
                                  "passthrough -f rawvideo -");
    EXPECT_THAT(scaled.notes, ::testing::Contains(HasSubstr("--resize dis:lanczos+exact")));
    request.resize = Resize{.reference = true, .flags = "bicubic+accurate_rnd+bitexact"};
    const Opened other_side = open(request);
    EXPECT_EQ(other_side.format, (VideoFormat{.width = 20, .height = 16}));
    EXPECT_THAT(other_side.notes, ::testing::Not(::testing::Contains(HasSubstr("processor"))));
    request.distorted.convert_bit_depth = 10;
    EXPECT_THAT(open(request).command, HasSubstr(" -vf crop=20:16:4:8,format=yuv420p10le -fps_mode"));
    request.distorted.convert_bit_depth = 11;
    EXPECT_EQ(open(request).command, ""); // ffmpeg has no such format
    request.reference.crop = Crop{34, 32, 2, 0};
    EXPECT_THAT(open(request).error, HasSubstr("r.y4m: a crop of 34x32 at (2, 0) does not lie"));
}

TEST(Videos, AreComparedInShapeAfterCropping) {
    const TemporaryFolder folder;
    VideoRequest request{.reference = {y4m_file(folder, "r.y4m", "")}, .distorted = {y4m_file(folder, "d.y4m", "")}};
    request.resize = Resize{};
    request.reference.crop = Crop{34, 16, 0, 8}; // black bars
    EXPECT_THAT(open(request).warnings, ElementsAre(HasSubstr("scaling changes the shape")));
    request.distorted.crop = Crop{34, 16, 0, 8};
    EXPECT_THAT(open(request).warnings, IsEmpty());
}

/// A picture of one colour as PPM.
std::string red_picture(const TemporaryFolder &folder, const std::string &name) {
    std::string pixels;
    for (int i = 0; i < 34 * 32; i++)
        pixels += {'\xff', '\0', '\0'};
    return folder.write(name, "P6 34 32 255\n" + pixels);
}

TEST(Videos, OfRgbBecomeYCbCrWithTheMatrixAskedFor) {
    const TemporaryFolder folder;
    VideoRequest request{.reference = {y4m_file(folder, "r.y4m", "")}, .distorted = {red_picture(folder, "d.ppm")}};
    EXPECT_THAT(open(request).conversions, ElementsAre(HasSubstr("rgb24 to yuv420p, matrix bt709")));
    EXPECT_THAT(open(request).warnings, ElementsAre(AllOf(HasSubstr("r.y4m does not say which matrix it has"),
                                                          HasSubstr("--convert dis:bt601"))));
    request.distorted.convert_matrix = "smpte170m";
    EXPECT_THAT(open(request).warnings, IsEmpty());
    EXPECT_THAT(open(request).conversions, ElementsAre(HasSubstr("rgb24 to yuv420p, matrix smpte170m")));
    request.reference.path = red_picture(folder, "r.ppm"); // takes the same matrix
    EXPECT_THAT(open(request).notes, IsEmpty());
    EXPECT_THAT(open(request).conversions, ElementsAre(HasSubstr("rgb24 to yuv444p, matrix smpte170m")));
    request.reference = {y4m_file(folder, "r.y4m", ""), {}, {}, false, {}, "bt2020nc"};
    EXPECT_THAT(open(request).error, AllOf(HasSubstr("--convert ref:bt2020"), HasSubstr("r.y4m is not R'G'B'")));
}

TEST(Videos, AreTurnedAsTheirFilesSay) {
    const TemporaryFolder folder;
    VideoRequest request{.reference = {y4m_file(folder, "r.y4m", "")}, .distorted = {y4m_file(folder, "d.y4m", "")}};
    request.reference.rotate = request.distorted.rotate = true; // upright pictures stay as they are
    const Opened opened = open(request);
    EXPECT_EQ(opened.error, "");
    EXPECT_THAT(opened.conversions, IsEmpty());
}

TEST(Videos, ThatAreMissingAreNamed) {
    const Result<OpenedVideos> videos = open_videos({{"/no/such/file.y4m"}, {"/none"}}, {});
    ASSERT_FALSE(videos);
    EXPECT_EQ(videos.error().code, ErrorCode::not_found);
    EXPECT_THAT(videos.error().message, HasSubstr("/no/such/file.y4m"));
}

} // namespace
} // namespace isovmaf
