// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/raw_source.hpp"

#include <climits>
#include <span>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/testing/clip_files.hpp"

namespace isovmaf::raw_source_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace testing;
using namespace std::string_literals;

TEST(RawSource, ReadsEveryShapeAndOddSizes) {
    const TemporaryFolder folder;
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
        for (int bits = 8; bits <= 16; bits++)
            for (const auto &[width, height] : {std::pair{8, 6}, std::pair{7, 5}, std::pair{1, 1}}) {
                const VideoFormat format{width, height, chroma, bits};
                const auto frames = clip_frames(format, 3);
                const std::string path = folder.write("a.yuv", raw_bytes(frames));
                expect_frames(path, {.stated = format}, frames);
                EXPECT_EQ((*open_source(path, {.stated = format}))->info().frame_count, 3);
            }
}

/// Beginnings of pictures and videos: JPEG XL, its container, GIF, TIFF, DPX, PNG, BMP, MP4, Matroska, Y4M.
const std::string signatures[] = {
    "\xff\x0a\xfa\x1f\x01\x91\x08\x06"s,
    "\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14"
    "ftypjxl \0\0\0\0jxl "s,
    "GIF89a\x40\0\x30\0\xf7\0\0"s,
    "II*\0\x08\0\0\0"s,
    "SDPX\0\0\x08\0V1.0\0\0\0\0"s,
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"s,
    "BM\x36\x10\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"s,
    "\0\0\0\x20"
    "ftypisom\0\0\2\0isomiso2avc1mp41\0\0\0\x08"
    "free"s,
    "\x1a\x45\xdf\xa3\x9f\x42\x86\x81\1\x42\xf7\x81\1\x42\xf2\x81\4\x42\xf3\x81\x08\x42\x82\x84webm"s,
    "YUV4MPEG2 W16 H10\nFRAME\n"s,
};

TEST(RawSource, AWholeNumberOfFramesIsRawWhateverItBeginsWith) {
    const TemporaryFolder folder;
    const VideoFormat format{.width = 64, .height = 48};
    const std::string clip = raw_bytes(clip_frames(format, 3));
    for (const std::string &signature : signatures) {
        std::string bytes = clip;
        bytes.replace(0, signature.size(), signature);
        const auto source = open_source(folder.write("a.yuv", bytes), {.stated = format});
        ASSERT_TRUE(source) << source.error().message;
        EXPECT_EQ((*source)->info().container, "raw");
        const auto frames = read_all(**source);
        ASSERT_TRUE(frames) << frames.error().message;
        EXPECT_EQ(raw_bytes(*frames), bytes);
    }
}

/// Without a known length, or with a part of a frame at its end, video may begin like a picture.
TEST(RawSource, BeginsLikeAPictureWithAnyLength) {
    const TemporaryFolder folder;
    const VideoFormat format{.width = 64, .height = 48};
    const std::string clip = raw_bytes(clip_frames(format, 3)) + "part";
    for (const std::string &signature : std::span(signatures).first(7)) {
        std::string bytes = clip;
        bytes.replace(0, signature.size(), signature);
        const auto source = open_source(folder.write("a.yuv", bytes), {.stated = format, .allow_partial = true});
        ASSERT_TRUE(source) << source.error().message;
        EXPECT_EQ((*source)->info().container, "raw");
        EXPECT_EQ(read_all(**source)->size(), 3u);
    }
}

TEST(RawSource, PartialFramesAreAnErrorUnlessAllowed) {
    const TemporaryFolder folder;
    const VideoFormat format{.width = 7, .height = 5};
    std::string bytes = raw_bytes(clip_frames(format, 3));
    bytes.resize(bytes.size() - 9);
    const std::string path = folder.write("a.yuv", bytes);
    for (const bool strict : {false, true}) {
        const auto refused = open_source(path, {.stated = format, .allow_partial = strict, .strict = strict});
        ASSERT_FALSE(refused);
        EXPECT_THAT(refused.error().message, HasSubstr("holds 168 bytes, which is no whole number of raw frames of 7x5 "
                                                       "4:2:0 8-bit (59 bytes each; 50 remain after 2 frames)"));
    }
    const auto source = *open_source(path, {.stated = format, .allow_partial = true});
    EXPECT_EQ(source->info().frame_count, 2);
    EXPECT_EQ(read_all(*source)->size(), 2u);
    EXPECT_FALSE(source->read()->has_value());
    EXPECT_EQ(source->end_warning(),
              path + " ends inside frame 2, after 50 of its 59 bytes; the 2 whole frames before it are used");
}

TEST(RawSource, RefusesAbsurdFormats) {
    const TemporaryFolder folder;
    const std::string path = folder.write("a.yuv", std::string(1000, '\0'));
    const struct {
        VideoFormat format;
        const char *message;
    } cases[] = {
        {{0, 16}, "as raw video: the frame width has to be from 1 to 32768, not 0"},
        {{16, -16}, "as raw video: the frame height has to be from 1 to 32768, not -16"},
        {{INT_MAX, INT_MAX}, "as raw video: the frame width has to be from 1 to 32768, not 2147483647"},
        {{16, 16, Chroma::k420, 7}, "as raw video: the bit depth has to be from 8 to 16, not 7"},
        {{16, 16, Chroma::k420, 32}, "as raw video: the bit depth has to be from 8 to 16, not 32"},
        {{32768, 32768, Chroma::k444, 16},
         "holds 1000 bytes, less than one raw frame of 32768x32768 4:4:4 16-bit "
         "(6442450944 bytes); check width, height"},
    };
    for (const auto &c : cases) {
        const auto source = open_source(path, {.stated = c.format});
        ASSERT_FALSE(source) << c.message;
        EXPECT_THAT(source.error().message, HasSubstr(c.message));
    }
}

} // namespace
} // namespace isovmaf::raw_source_test
