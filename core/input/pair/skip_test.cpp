// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/convert/converted_source.hpp"
#include "input/convert/scaled_source.hpp"
#include "input/pair/shared_source.hpp"
#include "input/source.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::skip_test {
namespace {

using ::testing::HasSubstr;
using namespace testing;

constexpr int length = 5;
constexpr VideoFormat small{.width = 7, .height = 5}, large{.width = 320, .height = 240}; // below and above a buffer
const char *const small_header = "YUV4MPEG2 W7 H5 F25:1 C420", *const large_header = "YUV4MPEG2 W320 H240 F25:1 C420";

/// Skips 0 to `length` frames, and expects the others and their times.
void expect_skips(const std::string &path, const SourceOptions &options, const std::vector<Frame> &frames) {
    for (std::size_t skip = 0; skip <= frames.size(); skip++) {
        const auto source = *open_source(path, options), whole = *open_source(path, options);
        EXPECT_EQ(source->skip(static_cast<std::int64_t>(skip)), static_cast<std::int64_t>(skip)) << path;
        for (std::size_t n = 0; n < skip; n++)
            ASSERT_TRUE(whole->read());
        for (std::size_t n = skip; n < frames.size(); n++) {
            const auto frame = source->read();
            ASSERT_TRUE(frame && *frame) << path;
            EXPECT_TRUE(same_frame(**frame, frames[n])) << path << " frame " << n << " after " << skip;
            const auto same = whole->read();
            ASSERT_TRUE(same && *same);
            EXPECT_EQ((*frame)->seconds(), (*same)->seconds());
        }
        EXPECT_EQ(*source->skip(2), 0);
        EXPECT_EQ(*source->read(), std::nullopt);
    }
}

TEST(Skip, FramesAfterSkippedOnesAreThoseOfTheFile) {
    const TemporaryFolder folder;
    for (const VideoFormat &format : {small, large}) {
        const auto frames = clip_frames(format, length);
        const bool is_small = format.width == small.width;
        expect_skips(folder.write("a.y4m", y4m_bytes(is_small ? small_header : large_header, frames)), {}, frames);
        expect_skips(folder.write("a.yuv", raw_bytes(frames)), {.stated = format}, frames);
    }
}

TEST(Skip, FilesOfRawFramesAreReadFromAnyPlaceOn) {
    const TemporaryFolder folder;
    const auto frames = clip_frames(large, length);
    const std::string y4m = folder.write("a.y4m", y4m_bytes(large_header, frames)),
                      raw = folder.write("a.yuv", raw_bytes(frames));
    for (const auto &[path, stated] : {std::pair(y4m, StatedFormat{}), std::pair(raw, StatedFormat(large))})
        for (const int readers : {1, 3}) {
            const auto source = make_luma_source(*open_source(path, {.stated = stated}));
            ASSERT_TRUE(source->can_go_to());
            ASSERT_TRUE(source->prepare({.readers = readers}));
            for (const int first : {0, 3, 1, 4, 5, 0, 2, 2}) {
                EXPECT_EQ(source->go_to(first), true) << path;
                for (std::size_t n = static_cast<std::size_t>(first); n < frames.size(); n++) {
                    const auto frame = source->read();
                    ASSERT_TRUE(frame && *frame) << path << " frame " << n;
                    EXPECT_EQ(*(*frame)->plane(0).row<std::uint8_t>(9), *frames[n].plane(0).row<std::uint8_t>(9));
                }
                EXPECT_EQ(*source->read(), std::nullopt);
            }
            EXPECT_EQ(source->go_to(length + 1), false);
        }
    const std::string hashed = folder.write("b.yuv", raw_bytes(frames));
    EXPECT_FALSE((*open_source(hashed, {.stated = large, .content = std::make_shared<ReadContent>()}))->can_go_to());
}

TEST(Skip, DecodedVideosAreReadForIt) {
    const TemporaryFolder folder;
    const auto frames = clip_frames(large, length);
    std::vector<AvFrame> pictures;
    for (const Frame &frame : frames)
        pictures.push_back(av_frame(frame));
    const std::string path = folder.file("a.mkv");
    if (!write_video(path, "matroska", "ffv1", pictures))
        GTEST_SKIP() << "this libav writes no ffv1 in matroska";
    expect_skips(path, {}, frames);
}

TEST(Skip, ConvertedSourcesSkipToo) {
    const TemporaryFolder folder;
    const auto frames = clip_frames(large, length);
    const std::string path = folder.write("a.y4m", y4m_bytes(large_header, frames));
    const auto deeper = *make_deeper_source(*open_source(path, {}), 10),
               whole = *make_deeper_source(*open_source(path, {}), 10);
    const auto luma = make_luma_source(*open_source(path, {}));
    for (int n = 0; n < 2; n++) {
        EXPECT_EQ(*deeper->skip(1), 1);
        EXPECT_EQ(*luma->skip(1), 1);
        ASSERT_TRUE(*whole->read());
    }
    EXPECT_TRUE(same_frame(**deeper->read(), **whole->read()));
    EXPECT_TRUE(same_frame(
        **luma->read(),
        **make_luma_source(*open_source(folder.write("b.y4m", y4m_bytes(large_header, {frames[2]})), {}))->read()));
}

TEST(Skip, ATruncatedFrameEndsTheVideo) {
    const TemporaryFolder folder;
    std::string bytes = y4m_bytes(large_header, clip_frames(large, 3));
    bytes.resize(bytes.size() - 1000);
    const auto source = *open_source(folder.write("a.y4m", bytes), {});
    EXPECT_EQ(*source->skip(3), 2);
    EXPECT_THAT(source->end_warning(), HasSubstr("ends inside frame 2"));
    EXPECT_EQ(*source->read(), std::nullopt);
}

TEST(Skip, ConvertedAndSharedSourcesTellOfTheEnd) {
    const TemporaryFolder folder;
    std::string bytes = y4m_bytes(large_header, clip_frames(large, 3));
    bytes.resize(bytes.size() - 1000);
    const std::string path = folder.write("a.y4m", bytes);
    std::vector<std::unique_ptr<FrameSource>> sources = *share_source(*open_source(path, {}), 2);
    sources.push_back(*make_deeper_source(*open_source(path, {}), 10));
    sources.push_back(make_luma_source(*open_source(path, {})));
    sources.push_back(*make_scaled_source(*open_source(path, {}), 64, 48, "bicubic"));
    for (int n = 0; n < 2; n++)
        for (const auto &source : sources) {
            ASSERT_TRUE(*source->read());
            EXPECT_EQ(source->end_warning(), "");
        }
    for (const auto &source : sources) {
        EXPECT_EQ(*source->read(), std::nullopt);
        EXPECT_THAT(source->end_warning(), HasSubstr("ends inside frame 2"));
    }
}

TEST(Skip, DamageBetweenFramesIsSeen) {
    const TemporaryFolder folder;
    std::string bytes = y4m_bytes(large_header, clip_frames(large, 3));
    bytes[bytes.rfind("FRAME")] = 'X';
    const auto source = *open_source(folder.write("a.y4m", bytes), {});
    EXPECT_EQ(*source->skip(2), 2);
    const auto damaged = source->skip(1);
    ASSERT_FALSE(damaged);
    EXPECT_THAT(damaged.error().message, HasSubstr("where the header of frame 2 should begin"));
}

/// Frames behind it lie elsewhere than the headers before it tell.
TEST(Skip, FramesBehindAnUnusualHeaderAreFound) {
    const TemporaryFolder folder;
    const auto frames = clip_frames(large, length);
    std::string bytes = y4m_bytes(large_header, frames);
    bytes.insert(bytes.find("FRAME", bytes.find("FRAME") + 1) + 5, " Ip");
    expect_skips(folder.write("a.y4m", bytes), {}, frames);
}

TEST(Skip, CancelEndsIt) {
    const TemporaryFolder folder;
    const auto source = *open_source(folder.write("a.yuv", raw_bytes(clip_frames(large, 3))), {.stated = large});
    source->cancel();
    EXPECT_FALSE(source->skip(1));
}

} // namespace
} // namespace isovmaf::skip_test
