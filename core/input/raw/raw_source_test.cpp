// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/raw_source.hpp"

#include <climits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/testing/clip_files.hpp"

namespace isovmaf::raw_source_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace testing;

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
