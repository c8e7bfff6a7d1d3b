// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/black_bars.hpp"

#include <functional>
#include <memory>

#include <gtest/gtest.h>

namespace isovmaf::black_bars_test {
namespace {

/// A picture of luma whose samples are `sample(x, y)`.
Frame picture(const VideoFormat &format, const std::function<int(int, int)> &sample) {
    auto samples = std::make_shared<std::vector<std::uint16_t>>();
    auto bytes = std::make_shared<std::vector<std::uint8_t>>();
    for (int y = 0; y < format.height; y++)
        for (int x = 0; x < format.width; x++) {
            samples->push_back(static_cast<std::uint16_t>(sample(x, y)));
            bytes->push_back(static_cast<std::uint8_t>(sample(x, y)));
        }
    if (format.bit_depth == 8)
        return Frame(format, bytes, {bytes->data()}, {format.width});
    return Frame(format, samples, {samples->data()}, {2 * format.width});
}

/// A grey picture with black rows at the top and bottom.
Frame letterbox(const VideoFormat &format, int top, int bottom, int black, int grey) {
    return picture(format, [=](int, int y) { return y < top || y >= format.height - bottom ? black : grey; });
}

TEST(BlackBars, RowsAndColumnsOfEveryDepth) {
    for (const int depth : {8, 10, 12, 16})
        for (const bool full : {false, true}) {
            const VideoFormat format{37, 21, Chroma::k400, depth};
            const int scale = 1 << (depth - 8), black = full ? 0 : 16 * scale;
            BlackBars bars(format, full);
            bars.see(letterbox(format, 3, 5, black, 100 * scale));
            EXPECT_EQ(bars.rows().before, 3);
            EXPECT_EQ(bars.rows().after, 5);
            EXPECT_TRUE(bars.rows().clear);
            EXPECT_EQ(bars.columns().before, 0);
            EXPECT_EQ(bars.columns().after, 0);
            bars.see(picture(format, [&](int x, int) { return x < 2 || x == 36 ? black : 200 * scale; }));
            EXPECT_EQ(bars.rows().before, 0); // another frame has a picture there
            EXPECT_EQ(bars.frames(), 2);
            EXPECT_EQ(bars.lit_frames(), 2);
        }
    const VideoFormat format{40, 30, Chroma::k400, 8};
    BlackBars columns(format, false);
    columns.see(picture(format, [](int x, int) { return x < 6 || x >= 37 ? 18 : 90; }));
    EXPECT_EQ(columns.columns().before, 6);
    EXPECT_EQ(columns.columns().after, 3);
}

TEST(BlackBars, DarkPicturesSayNothing) {
    const VideoFormat format{32, 20, Chroma::k400, 8};
    BlackBars bars(format, false);
    bars.see(letterbox(format, 8, 8, 16, 40)); // its mean is below 24
    EXPECT_EQ(bars.frames(), 1);
    EXPECT_EQ(bars.lit_frames(), 0);
    EXPECT_FALSE(bars.rows().clear);
    bars.see(letterbox(format, 2, 2, 16, 40));
    EXPECT_EQ(bars.lit_frames(), 1);
    EXPECT_EQ(bars.rows().before, 2);
}

TEST(BlackBars, ABarThatFadesIntoThePictureIsNotClear) {
    const VideoFormat format{32, 20, Chroma::k400, 8};
    BlackBars bars(format, false);
    bars.see(picture(format, [](int, int y) { return y < 4 ? 16 : y == 4 ? 25 : 120; }));
    EXPECT_EQ(bars.rows().before, 4);
    EXPECT_FALSE(bars.rows().clear);
    bars.see(picture(format, [](int, int y) { return y < 4 ? 20 : 120; }));
    EXPECT_EQ(bars.rows().before, 4); // 20 is black as an encoder makes it
    EXPECT_TRUE(bars.rows().clear);
    bars.see(picture(format, [](int, int y) { return y < 3 ? 20 : y == 3 ? 21 : 120; }));
    EXPECT_EQ(bars.rows().before, 3);
}

} // namespace
} // namespace isovmaf::black_bars_test
