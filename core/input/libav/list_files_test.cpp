// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/list_files.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "input/testing/clip_files.hpp"

namespace isovmaf::list_files_test {
namespace {

using namespace testing;

constexpr VideoFormat small{.width = 32, .height = 16};
constexpr const char *script = "ffconcat version 1.0\nfile first.nut\nfile second.nut\n";

bool never() { return false; }

std::vector<AvFrame> pictures(int first, int count) {
    std::vector<AvFrame> pictures;
    const std::vector<Frame> frames = clip_frames(small, first + count);
    for (int n = first; n < first + count; n++)
        pictures.push_back(av_frame(frames[static_cast<std::size_t>(n)]));
    return pictures;
}

/// A folder with a list of two files, of two raw pictures each.
class ListFiles : public ::testing::Test {
  protected:
    ListFiles() : path_(folder_.write("list", script)) {
        write("first.nut", 0);
        write("second.nut", 2);
    }

    void write(const std::string &name, int first, std::vector<std::int64_t> times = {}) {
        const std::vector<AvFrame> frames = pictures(first, 2);
        ASSERT_TRUE(
            write_videos(folder_.file(name), "nut", "rawvideo", {{.frames = &frames, .times = std::move(times)}}));
    }

    std::string digest(const std::optional<StreamChoice> &stream = {}) { return digest(path_, stream); }

    static std::string digest(const std::string &path, const std::optional<StreamChoice> &stream = {}) {
        const Result<std::string> digest = digest_of_list(path, stream, never);
        EXPECT_TRUE(digest) << digest.error().message;
        return digest.value_or("");
    }

    TemporaryFolder folder_;
    std::string path_;
};

TEST_F(ListFiles, TheContentSaysWhetherAFileIsAList) {
    EXPECT_TRUE(*is_list_file(path_));
    EXPECT_TRUE(*is_list_file(folder_.write("list.mkv", script)));
    EXPECT_TRUE(*is_list_file(folder_.write("a.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n")));
    EXPECT_TRUE(*is_list_file(folder_.write("b.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n")));
    EXPECT_FALSE(*is_list_file(folder_.file("first.nut")));
    EXPECT_FALSE(*is_list_file(folder_.write("c.m3u8", read_bytes(folder_.file("first.nut")))));
    EXPECT_FALSE(*is_list_file(folder_.write("d.m3u8", "no list at all\n")));
    EXPECT_FALSE(*is_list_file(folder_.write("e.m3u8", "")));
    EXPECT_FALSE(is_list_file(folder_.file("none")));
}

TEST_F(ListFiles, ANameOfNumberedPicturesIsAList) {
    EXPECT_TRUE(*is_list_file(folder_.write("%04d.png", "its bytes are not read")));
    EXPECT_FALSE(*is_list_file(folder_.write("0001.png", "\x89PNG\r\n\x1a\n")));
}

TEST_F(ListFiles, TheDigestIsThatOfThePackets) {
    const std::string before = digest();
    EXPECT_TRUE(is_of_list(before));
    EXPECT_EQ(digest(), before);
    EXPECT_EQ(digest(folder_.write("other", std::string(script) + "# a remark\n")), before);
    write("second.nut", 3);
    const std::string other_pictures = digest();
    EXPECT_NE(other_pictures, before);
    write("second.nut", 2, {0, 2});
    EXPECT_NE(digest(), before) << "the same pictures at other times";
    write("second.nut", 2);
    EXPECT_EQ(digest(), before);
    EXPECT_NE(digest(folder_.write("less", "ffconcat version 1.0\nfile first.nut\n")), before);
    EXPECT_NE(digest(folder_.write("turned", "ffconcat version 1.0\nfile second.nut\nfile first.nut\n")), before);
}

TEST_F(ListFiles, EachStreamHasADigest) {
    const std::vector<AvFrame> first = pictures(0, 2), second = pictures(4, 2), third = pictures(6, 2);
    const std::string list = folder_.write("one", "ffconcat version 1.0\nfile both.nut\n"),
                      both = folder_.file("both.nut");
    ASSERT_TRUE(write_videos(both, "nut", "rawvideo", {{.frames = &first}, {.frames = &second}}));
    const std::string of_first = digest(list, StreamChoice{0}), of_second = digest(list, StreamChoice{1});
    EXPECT_NE(of_first, of_second);
    ASSERT_TRUE(write_videos(both, "nut", "rawvideo", {{.frames = &first}, {.frames = &third}}));
    EXPECT_EQ(digest(list, StreamChoice{0}), of_first);
    EXPECT_NE(digest(list, StreamChoice{1}), of_second);
}

TEST_F(ListFiles, WhatDescribesTheStreamCounts) {
    const auto write_range = [&](AVColorRange range) {
        std::vector<AvFrame> frames = pictures(0, 2);
        for (AvFrame &frame : frames)
            frame->color_range = range;
        return write_video(folder_.file("first.mkv"), "matroska", "ffv1", frames);
    };
    const std::string list = folder_.write("one", "ffconcat version 1.0\nfile first.mkv\n");
    if (!write_range(AVCOL_RANGE_MPEG))
        GTEST_SKIP() << "this libavcodec has no ffv1 encoder";
    const std::string limited = digest(list);
    ASSERT_TRUE(write_range(AVCOL_RANGE_JPEG));
    EXPECT_NE(digest(list), limited);
}

TEST_F(ListFiles, AStopAndALackAreErrors) {
    const auto stopped = digest_of_list(path_, {}, [] { return true; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
    EXPECT_FALSE(digest_of_list(path_, StreamChoice{1}, never)) << "there is no such stream";
    std::filesystem::remove(folder_.file("first.nut"));
    EXPECT_FALSE(digest_of_list(path_, {}, never)) << "without its first file there is no stream";
}

TEST_F(ListFiles, DamageBelongsToTheDigest) {
    const std::string before = digest();
    std::filesystem::remove(folder_.file("second.nut"));
    const std::string without = digest();
    EXPECT_NE(without, before);
    EXPECT_NE(digest(folder_.write("less", "ffconcat version 1.0\nfile first.nut\n")), without)
        << "a file that is missing is no end";
}

} // namespace
} // namespace isovmaf::list_files_test
