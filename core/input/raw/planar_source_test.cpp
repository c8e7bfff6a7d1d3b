// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/planar_source.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "input/testing/clip_files.hpp"

namespace isovmaf::planar_source_test {
namespace {

using namespace testing;

constexpr VideoFormat format{.width = 8, .height = 6, .bit_depth = 10};
constexpr VideoFormat large_format{.width = 512, .height = 600, .bit_depth = 10}; ///< rows are read many at once

/// The frames as raw video and as Y4M, both with 25 frames per second.
std::vector<std::unique_ptr<FrameSource>> sources_of(const TemporaryFolder &folder, const std::vector<Frame> &frames) {
    StatedFormat stated = format;
    stated.frame_rate = Rational{25, 1};
    std::vector<std::unique_ptr<FrameSource>> sources;
    sources.push_back(*open_source(folder.write("a.yuv", raw_bytes(frames)), {.stated = stated}));
    sources.push_back(*open_source(folder.write("a.y4m", y4m_bytes("YUV4MPEG2 W8 H6 F25:1 C420p10", frames)), {}));
    return sources;
}

TEST(PlanarSource, TimesFramesByTheirNumber) {
    const TemporaryFolder folder;
    for (const auto &source : sources_of(folder, clip_frames(format, 4))) {
        EXPECT_EQ((**source->read()).seconds(), 0.0);
        EXPECT_EQ(*source->skip(2), 2);
        EXPECT_EQ((**source->read()).seconds(), 3 / 25.0);
        EXPECT_FALSE(source->read()->has_value());
        EXPECT_EQ(*source->skip(1), 0);
    }
}

TEST(PlanarSource, ReadsRowsThatFollowEachOther) {
    const TemporaryFolder folder;
    SourceOptions options;
    options.stated = large_format;
    const auto frames = clip_frames(large_format, 3);
    expect_frames(folder.write("a.yuv", raw_bytes(frames)), options, frames);
    expect_frames(folder.write("a.y4m", y4m_bytes("YUV4MPEG2 W512 H600 F25:1 C420p10", frames)), {}, frames);
}

/// Wherever it is, and though rows are looked at many at once.
TEST(PlanarSource, NamesTheRowOfALargeSample) {
    const TemporaryFolder folder;
    SourceOptions options;
    options.stated = large_format;
    for (const auto &[plane, row] : {std::pair{0, 0}, {0, 255}, {0, 256}, {0, 599}, {1, 0}, {2, 299}}) {
        const Frame frame = stored_frame(large_format, [plane = plane, row = row](int p, int x, int y) {
            return p == plane && x == 255 && y >= row ? 1024 : 1023;
        });
        const auto read = (*open_source(folder.write("a.yuv", raw_bytes({frame})), options))->read();
        ASSERT_FALSE(read);
        const std::string place = fmt::format("in row {} of plane {},", row, plane);
        EXPECT_NE(read.error().message.find(place), std::string::npos) << read.error().message;
    }
}

/// A frame that is cut short is not looked at.
TEST(PlanarSource, LooksAtWholeFrames) {
    const TemporaryFolder folder;
    const auto good = clip_frames(large_format, 1);
    const Frame bad = stored_frame(large_format, [](int, int, int) { return 1024; });
    std::string bytes = y4m_bytes("YUV4MPEG2 W512 H600 F25:1 C420p10", {good.front(), bad});
    bytes.pop_back();
    expect_frames(folder.write("a.y4m", bytes), {}, good);
}

TEST(PlanarSource, ReadsNoMoreAfterAnError) {
    const TemporaryFolder folder;
    const Frame good = clip_frames(format, 1).front();
    const Frame bad = stored_frame(format, [](int, int, int) { return 1024; });
    for (const auto &source : sources_of(folder, {bad, good})) {
        EXPECT_FALSE(source->read());
        EXPECT_FALSE(source->read()->has_value());
        EXPECT_EQ(*source->skip(1), 0);
    }
}

} // namespace
} // namespace isovmaf::planar_source_test
