// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/planar_source.hpp"

#include <gtest/gtest.h>

#include "input/testing/clip_files.hpp"

namespace isovmaf::planar_source_test {
namespace {

using namespace testing;

constexpr VideoFormat format{.width = 8, .height = 6, .bit_depth = 10};

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
