// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/stated_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/testing/clip_files.hpp"

namespace isovmaf::stated_format_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using namespace testing;

constexpr VideoFormat small{.width = 16, .height = 10};

std::string open_message(const std::string &path, const StatedFormat &stated) {
    const auto source = open_source(path, {.stated = stated});
    return source ? (*source)->info().container : source.error().message;
}

TEST(StatedFormat, IsParsedAndPrinted) {
    const struct {
        const char *text;
        VideoFormat format;
        std::optional<Rational> rate;
        const char *printed;
    } cases[] = {
        {"1920x1080:420p10@24", {1920, 1080, Chroma::k420, 10}, Rational{24, 1}, "1920x1080:420p10@24"},
        {"8x6:444", {8, 6, Chroma::k444, 8}, {}, "8x6:444p8"},
        {"8x6:400p16@30000/1001", {8, 6, Chroma::k400, 16}, Rational{30000, 1001}, "8x6:400p16@30000/1001"},
        {"raw:8x6:422@23.976", {8, 6, Chroma::k422, 8}, Rational{2997, 125}, "raw:8x6:422p8@2997/125"},
    };
    for (const auto &c : cases) {
        const auto stated = parse_stated_format(c.text);
        ASSERT_TRUE(stated) << stated.error().message;
        EXPECT_EQ(stated->raw_format(), c.format);
        EXPECT_EQ(stated->frame_rate, c.rate);
        EXPECT_EQ(stated_format_text(*stated), c.printed);
        EXPECT_EQ(*parse_stated_format(c.printed), *stated);
    }
    for (const char *text : {"", "8x6", "8x6:421", "8x6:420p7", "8x6:420p17", "8x6:420p", "8:420", "x6:420", "0x6:420",
                             "8x-6:420", "8x6:420@", "8x6:420@0", "8x6:420@1/0", "8x6:420@-5", "8x6:420@1/2/3"})
        EXPECT_FALSE(parse_stated_format(text)) << text;
}

TEST(StatedFormat, ContainersAreReadAsWhatTheyAre) {
    const TemporaryFolder folder;
    const auto frames = clip_frames(small, 4);
    std::vector<AvFrame> pictures;
    for (const Frame &frame : frames)
        pictures.push_back(av_frame(frame));
    const std::string nut = folder.file("named.yuv"); // the extension does not decide
    ASSERT_TRUE(write_video(nut, "nut", "rawvideo", pictures));
    const std::string y4m = folder.write("a.raw", y4m_bytes("YUV4MPEG2 W16 H10 F25:1", frames));

    for (const std::string &path : {nut, y4m}) {
        expect_frames(path, {.stated = small}, frames);
        StatedFormat part;
        part.width = 16;
        EXPECT_THAT(open_message(path, part), ::testing::AnyOf("nut", "y4m"));
        part.width = 18;
        EXPECT_THAT(open_message(path, part), AllOf(HasSubstr(path), HasSubstr("the width 18"), HasSubstr("says 16")));
        EXPECT_THAT(open_message(path, VideoFormat{16, 12}), HasSubstr("the height 12"));
        EXPECT_THAT(open_message(path, VideoFormat{16, 10, Chroma::k444}), HasSubstr("the chroma 4:4:4"));
        EXPECT_THAT(open_message(path, VideoFormat{16, 10, Chroma::k420, 10}), HasSubstr("the bit depth 10"));
        StatedFormat rate = small;
        rate.frame_rate = Rational{50, 1};
        EXPECT_THAT(open_message(path, rate), AllOf(HasSubstr("the frame rate 50"), HasSubstr("says 25")));
    }
    StatedFormat forced = VideoFormat{4, 1, Chroma::k400, 8};
    forced.headerless = true;
    EXPECT_EQ((*open_source(y4m, {.stated = forced, .allow_partial = true}))->info().container, "raw");
}

TEST(StatedFormat, FilesWithoutAHeaderAreRaw) {
    const TemporaryFolder folder;
    const auto frames = clip_frames(small, 2);
    const std::string path = folder.write("named.mp4", raw_bytes(frames));
    expect_frames(path, {.stated = small}, frames);
    StatedFormat rate = small;
    rate.frame_rate = Rational{24, 1};
    EXPECT_EQ((*open_source(path, {.stated = rate}))->info().timing.average_rate, (Rational{24, 1}));
    // Flat pictures of bright values pass for streams of audio codecs.
    for (const int level : {0, 16, 71, 128, 215, 235, 255})
        EXPECT_EQ(open_message(folder.write("flat", std::string(240 * 20, static_cast<char>(level))), small), "raw");

    StatedFormat part;
    part.width = 16;
    EXPECT_THAT(open_message(folder.write("noise.bin", std::string(5000, '\xa7')), part),
                HasSubstr("bit depth given; missing: height, pixel format, bit depth"));
    StatedFormat forced;
    forced.headerless = true;
    forced.width = 16;
    EXPECT_EQ(open_message(path, forced), "cannot read " + path +
                                              " as raw video without its height, pixel format, bit "
                                              "depth");
}

} // namespace
} // namespace isovmaf::stated_format_test
