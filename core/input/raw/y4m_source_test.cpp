// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/y4m_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/testing/clip_files.hpp"

namespace isovmaf::y4m_source_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace testing;

TEST(Y4mHeader, KnowsEveryColourSpace) {
    const struct {
        const char *tag;
        Chroma chroma;
        int bit_depth;
    } cases[] = {
        {"", Chroma::k420, 8},
        {" C420", Chroma::k420, 8},
        {" C420jpeg", Chroma::k420, 8},
        {" C420mpeg2", Chroma::k420, 8},
        {" C420paldv", Chroma::k420, 8},
        {" C420p9", Chroma::k420, 9},
        {" C420p10", Chroma::k420, 10},
        {" C420p12", Chroma::k420, 12},
        {" C420p14", Chroma::k420, 14},
        {" C420p16 XYSCSS=420P16", Chroma::k420, 16},
        {" C422", Chroma::k422, 8},
        {" C422p10", Chroma::k422, 10},
        {" C422p16", Chroma::k422, 16},
        {" C444", Chroma::k444, 8},
        {" C444p12", Chroma::k444, 12},
        {" Cmono", Chroma::k400, 8},
        {" Cmono9", Chroma::k400, 9},
        {" Cmono16", Chroma::k400, 16},
        {" XYSCSS=444", Chroma::k444, 8},
        {" XYSCSS=422P10", Chroma::k422, 10},
    };
    for (const auto &c : cases) {
        const auto format = parse_y4m_header(std::string("YUV4MPEG2 W6 H4 F25:1 Ip A1:1") + c.tag, "a.y4m");
        ASSERT_TRUE(format) << format.error().message;
        EXPECT_EQ(format->format, (VideoFormat{6, 4, c.chroma, c.bit_depth})) << c.tag;
    }
}

TEST(Y4mHeader, NamesWhatIsWrong) {
    const struct {
        const char *line;
        const char *message;
    } cases[] = {
        {"YUV4MPEG2X W6 H4", "a.y4m does not start with YUV4MPEG2"},
        {"YUV4MPEG2", "a.y4m: the Y4M header has no width (W)"},
        {"YUV4MPEG2 W6 F25:1", "a.y4m: the Y4M header has no height (H)"},
        {"YUV4MPEG2 W H4", "a.y4m: the Y4M header's width (W) is no integer in range: \"\""},
        {"YUV4MPEG2 W6x H4", "a.y4m: the Y4M header's width (W) is no integer in range: \"6x\""},
        {"YUV4MPEG2 W99999999999999999999 H4",
         "a.y4m: the Y4M header's width (W) is no integer in range: \"99999999999999999999\""},
        {"YUV4MPEG2 W0 H4", "a.y4m: the Y4M header's width (W) has to be from 1 to 32768, not 0"},
        {"YUV4MPEG2 W6 H-4", "a.y4m: the Y4M header's height (H) has to be from 1 to 32768, not -4"},
        {"YUV4MPEG2 W2147483648 H4", "a.y4m: the Y4M header's width (W) has to be from 1 to 32768, not 2147483648"},
        {"YUV4MPEG2 W6 H4 C444alpha", "a.y4m: Y4M colour space \"444alpha\" is not supported"},
        {"YUV4MPEG2 W6 H4 C411", "a.y4m: Y4M colour space \"411\" is not supported"},
        {"YUV4MPEG2 W6 H4 C420p7", "a.y4m: Y4M colour space \"420p7\" is not supported"},
        {"YUV4MPEG2 W6 H4 C420p17", "a.y4m: Y4M colour space \"420p17\" is not supported"},
        {"YUV4MPEG2 W6 H4 C422jpeg", "a.y4m: Y4M colour space \"422jpeg\" is not supported"},
        {"YUV4MPEG2 W6 H4 C", "a.y4m: Y4M colour space \"\" is not supported"},
        {"YUV4MPEG2 W6 H4 C\x01\xff", "a.y4m: Y4M colour space \"??\" is not supported"},
        {"YUV4MPEG2 W6 H4 XYSCSS=411", "a.y4m: Y4M colour space \"411\" is not supported"},
    };
    for (const auto &c : cases) {
        const auto format = parse_y4m_header(c.line, "a.y4m");
        ASSERT_FALSE(format) << c.line;
        EXPECT_THAT(format.error().message, HasSubstr(c.message));
    }
}

struct Shape {
    VideoFormat format;
    std::string header;
};

std::vector<Shape> shapes() {
    std::vector<Shape> all;
    const struct {
        Chroma chroma;
        std::string name, infix;
    } spaces[] = {
        {Chroma::k400, "mono", ""}, {Chroma::k420, "420", "p"}, {Chroma::k422, "422", "p"}, {Chroma::k444, "444", "p"}};
    for (const auto &space : spaces)
        for (int bits = 8; bits <= 16; bits++)
            for (const auto &[width, height] : {std::pair{8, 6}, std::pair{7, 5}, std::pair{7, 6}, std::pair{8, 5}}) {
                const std::string depth = bits == 8 ? "" : space.infix + std::to_string(bits);
                all.push_back({{width, height, space.chroma, bits},
                               "YUV4MPEG2 W" + std::to_string(width) + " H" + std::to_string(height) + " F25:1 C" +
                                   space.name + depth});
            }
    return all;
}

TEST(Y4mSource, ReadsEveryShapeAndOddSizes) {
    const TemporaryFolder folder;
    for (const Shape &shape : shapes()) {
        SCOPED_TRACE(shape.header);
        const auto frames = clip_frames(shape.format, 3);
        expect_frames(folder.write("a.y4m", y4m_bytes(shape.header, frames)), {}, frames);
    }
}

constexpr VideoFormat small{.width = 7, .height = 5, .chroma = Chroma::k420, .bit_depth = 8};
const std::string small_header = "YUV4MPEG2 W7 H5 F25:1 C420";

TEST(Y4mSource, TellsWhatItIs) {
    const TemporaryFolder folder;
    const auto source = *open_source(folder.write("a.y4m", y4m_bytes(small_header, clip_frames(small, 3))), {});
    EXPECT_EQ(source->info().container, "y4m");
    EXPECT_EQ(source->info().codec, "rawvideo");
    EXPECT_EQ(source->info().name, folder.file("a.y4m"));
    EXPECT_EQ(source->info().frame_count, 3);
}

/// A file that ends early gives the frames before, a warning, and stays at its end.
TEST(Y4mSource, ScoresWhatIsWholeOfATruncatedFile) {
    const auto frames = clip_frames(small, 3);
    const std::string whole = y4m_bytes(small_header, frames);
    const struct {
        std::size_t dropped;
        const char *warning;
    } cases[] = {
        {1, "a.y4m ends inside frame 2, after 58 of its 59 bytes; the 2 whole frames before it are used"},
        {59, "a.y4m ends inside frame 2, after 0 of its 59 bytes; the 2 whole frames before it are used"},
        {60, "a.y4m ends inside the header of frame 2; the 2 whole frames before it are used"},
        {64, "a.y4m ends inside the header of frame 2; the 2 whole frames before it are used"},
    };
    for (const auto &c : cases) {
        const std::string cut = whole.substr(0, whole.size() - c.dropped);
        const auto source = *open_y4m(std::make_unique<ByteReader>("a.y4m", std::as_bytes(std::span(cut))), {});
        EXPECT_EQ(source->end_warning(), "");
        const auto read = read_all(*source);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->size(), 2u) << c.dropped;
        EXPECT_FALSE(source->read()->has_value());
        EXPECT_EQ(source->end_warning(), c.warning);
        const auto strict =
            *open_y4m(std::make_unique<ByteReader>("a.y4m", std::as_bytes(std::span(cut))), {.strict = true});
        EXPECT_THAT(read_all(*strict).error().message, HasSubstr("check that the file is complete"));
    }
}

TEST(Y4mSource, EndsSilentlyAfterTheLastFrame) {
    const TemporaryFolder folder;
    const auto source = *open_source(folder.write("a.y4m", y4m_bytes(small_header, clip_frames(small, 2))), {});
    EXPECT_EQ(read_all(*source)->size(), 2u);
    EXPECT_EQ(source->end_warning(), "");
}

TEST(Y4mSource, RefusesDamageBetweenFrames) {
    const TemporaryFolder folder;
    std::string bytes = y4m_bytes(small_header, clip_frames(small, 3));
    bytes[bytes.rfind("FRAME")] = 'G';
    const auto source = *open_source(folder.write("a.y4m", bytes), {});
    const auto read = read_all(*source);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::corrupt_data);
    EXPECT_THAT(read.error().message, HasSubstr("\"GRAME\" stands where the header of frame 2 should begin"));
}

TEST(Y4mSource, RefusesFilesWithoutAWholeFrame) {
    const TemporaryFolder folder;
    const struct {
        std::string bytes;
        const char *message;
    } cases[] = {
        {"YUV4MPEG2 W32768 H32768 C444p16\nFRAME\n0123", "holds no whole frame: 10 bytes follow its header"},
        {small_header + "\n", "holds no whole frame: 0 bytes follow its header"},
        {small_header, "header does not end within 26 bytes"},
        {"YUV4MPEG2 X" + std::string(100'000, 'x'), "header does not end within 4096 bytes"},
    };
    for (const auto &c : cases) {
        const auto source = open_source(folder.write("a.y4m", c.bytes), {});
        ASSERT_FALSE(source) << c.message;
        EXPECT_THAT(source.error().message, HasSubstr(c.message));
    }
}

TEST(Y4mSource, RefusesSamplesAboveTheBitDepth) {
    const TemporaryFolder folder;
    const VideoFormat format{.width = 7, .height = 5, .bit_depth = 14};
    const std::string bytes = y4m_bytes("YUV4MPEG2 W7 H5 C420p10", clip_frames(format, 1));
    const auto read = (*open_source(folder.write("a.y4m", bytes), {}))->read();
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message, HasSubstr("has samples above 1023 in row 0 of plane 0, too large for 10 bit"));
}

} // namespace
} // namespace isovmaf::y4m_source_test
