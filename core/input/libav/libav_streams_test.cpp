// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <gmock/gmock.h>
#include <gtest/gtest.h>

extern "C" {
#include <libavformat/avformat.h>
}

#include "input/libav/describe_file.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::libav_streams_test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace testing;

constexpr VideoFormat small{.width = 64, .height = 48}, large{.width = 96, .height = 80};

std::vector<AvFrame> pictures(const VideoFormat &format, int count) {
    std::vector<AvFrame> all;
    for (const Frame &frame : clip_frames(format, count))
        all.push_back(av_frame(frame));
    return all;
}

/// The size of the stream that is scored, or the error.
std::string size_read(const std::string &path, const char *stream = "") {
    SourceOptions options;
    if (*stream)
        options.stream = *parse_stream_choice(stream);
    const auto source = open_source(path, options);
    return source ? std::to_string((*source)->info().format.width) : source.error().message;
}

TEST(LibavStreams, TakesTheStreamThatFfmpegTakes) {
    const TemporaryFolder folder;
    const auto small_pictures = pictures(small, 2), large_pictures = pictures(large, 2);
    const std::string path = folder.file("a.nut");
    const auto write = [&](int small_disposition, int large_disposition) {
        ASSERT_TRUE(write_videos(path, "matroska", "ffv1",
                                 {{&small_pictures, small_disposition}, {&large_pictures, large_disposition}}));
    };
    write(0, 0);
    EXPECT_EQ(size_read(path), "96"); // the largest
    EXPECT_EQ(size_read(path, "v:0"), "64");
    EXPECT_EQ(size_read(path, "1"), "96");
    EXPECT_THAT(size_read(path, "v:2"), HasSubstr("has no video stream v:2; it has v:0 ffv1 64x48, v:1 ffv1 96x80"));
    const auto source = *open_source(path, {});
    EXPECT_EQ(source->info().stream, 1);
    EXPECT_EQ(source->info().video_streams, 2);
    write(AV_DISPOSITION_DEFAULT, 0);
    EXPECT_EQ(size_read(path), "64"); // the default before the largest
    EXPECT_EQ(size_read(path, "v:1"), "96");
}

TEST(LibavStreams, CoversAreNotVideo) {
    const TemporaryFolder folder;
    const auto small_pictures = pictures(small, 3), large_pictures = pictures(large, 1);
    const std::string path = folder.file("a.mp4");
    if (!write_videos(path, "mp4", "mjpeg", {{&small_pictures, 0}, {&large_pictures, AV_DISPOSITION_ATTACHED_PIC}}))
        GTEST_SKIP() << "this libav writes no mjpeg in mp4";
    const auto file = describe_file(path);
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_THAT(file->streams, SizeIs(2));
    EXPECT_TRUE(file->streams[0].chosen);
    EXPECT_TRUE(file->streams[1].cover);
    EXPECT_EQ(size_read(path), "64");
}

TEST(LibavColour, IsReadFromCodecAndContainer) {
    const TemporaryFolder folder;
    auto coloured = pictures(small, 2);
    AVFrame &first = *coloured.front();
    first.color_range = AVCOL_RANGE_JPEG;
    first.colorspace = AVCOL_SPC_BT2020_NCL;
    first.color_trc = AVCOL_TRC_SMPTE2084;
    first.color_primaries = AVCOL_PRI_BT2020;
    first.sample_aspect_ratio = {4, 3};
    const std::string path = folder.file("a.mov");
    if (!write_videos(path, "mov", "mpeg4", {{.frames = &coloured, .rotation = 90}}))
        GTEST_SKIP() << "this libav writes no mpeg4 in mov";
    const auto source = open_source(path, {});
    ASSERT_TRUE(source) << source.error().message;
    const ColourDescription &colour = (*source)->info().colour;
    EXPECT_EQ(colour.matrix, "bt2020nc");
    EXPECT_EQ(colour.transfer, "smpte2084");
    EXPECT_EQ(colour.primaries, "bt2020");
    EXPECT_EQ(colour.sample_aspect_ratio, (Rational{4, 3}));
    EXPECT_EQ(rotation_text(colour), "90 degrees");
    EXPECT_EQ((*source)->info().stored_pixels, "yuv420p");
    EXPECT_EQ(rotation_text(describe_file(path)->streams.at(0).colour), "90 degrees");

    const std::string mkv = folder.file("a.mkv");
    ASSERT_TRUE(write_videos(mkv, "matroska", "ffv1", {{.frames = &coloured}}));
    EXPECT_EQ((*open_source(mkv, {}))->info().colour.range, "full");
}

TEST(DescribeFile, SaysWhatTheHeadersSay) {
    const TemporaryFolder folder;
    const auto file = describe_file(
        folder.write("a.y4m", y4m_bytes("YUV4MPEG2 W64 H48 F30000:1001 It A16:15 C420mpeg2 XCOLORRANGE=FULL",
                                        clip_frames(small, 3))));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->container, "y4m");
    const StreamDescription &stream = file->streams.at(0);
    EXPECT_EQ(stream.pixels, "yuv420p");
    EXPECT_EQ(stream.colour.range, "full");
    EXPECT_EQ(stream.colour.field_order, "top field first");
    EXPECT_EQ(stream.colour.chroma_location, "left");
    EXPECT_EQ(stream.colour.sample_aspect_ratio, (Rational{16, 15}));
    EXPECT_EQ(stream.timing.average_rate, (Rational{30000, 1001}));
    EXPECT_EQ(stream.frame_count, 3);
    EXPECT_THAT(describe_file(folder.file("none")).error().message, HasSubstr("there is no file"));
    EXPECT_EQ(describe_file("/dev/null").error().message, "/dev/null is empty");
}

TEST(StreamChoice, IsParsed) {
    EXPECT_EQ(parse_stream_choice("v:1"), (StreamChoice{1, true}));
    EXPECT_EQ(parse_stream_choice("3"), (StreamChoice{3, false}));
    EXPECT_EQ(stream_choice_text({1, true}), "v:1");
    for (const char *text : {"", "v:", "v", "a:0", "-1", "v:-1", "v:1x"})
        EXPECT_FALSE(parse_stream_choice(text)) << text;
}

} // namespace
} // namespace isovmaf::libav_streams_test
