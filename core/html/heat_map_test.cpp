// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/heat_map.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf {

namespace {

TEST(HeatScale, GrowsWithDistance) {
    EXPECT_EQ(heat_level(0), 0u);
    EXPECT_EQ(heat_level(1), 1u);
    EXPECT_EQ(heat_level(6), 5u);
    EXPECT_EQ(heat_level(64), 14u);
    EXPECT_EQ(heat_level(65), 15u);
    EXPECT_EQ(heat_label(5), "2⁴");
    EXPECT_EQ(heat_label(1), "1");
}

using testing::HasSubstr;

TEST(HeatMap, ShowsThePlaceAndTheTitle) {
    const HeatMap heat{2, 2, 4, 3, {0, 1, 0, 0}};
    const std::string text = heat_map_html(heat, "<variance>", 5, 1);
    EXPECT_THAT(text, HasSubstr("alt=\"Differences in &lt;variance&gt;\""));
    EXPECT_THAT(text, HasSubstr("left:68.750%;top:25.000%")); // (5.5, 1.5) of 8x6
    EXPECT_THAT(text, HasSubstr("each cell of 4x3 values"));
}

TEST(HeatMap, IsLeftOutWhenCellsAreMissing) { EXPECT_EQ(heat_map_html({2, 2, 1, 1, {0, 1, 0}}, "variance", 0, 0), ""); }

TEST(Bitmap, HasRowsFromTheBottomInWholeWords) {
    const std::vector<std::uint8_t> pixels{1, 2, 3, 4, 5, 6};
    const std::string bytes = heat_bitmap(pixels, 3, 2);
    ASSERT_EQ(bytes.size(), 14u + 40 + 64 + 8);
    EXPECT_EQ(bytes.substr(0, 6), std::string("BM\x7E\0\0\0", 6));
    EXPECT_EQ(bytes.substr(54, 8), std::string("\x30\x22\x1B\0\xF0\x6C\x7A\0", 8));
    EXPECT_EQ(bytes.substr(118), std::string("\x45\x60\0\0\x12\x30\0\0", 8));
}

TEST(Base64, PadsAsTheRfcSays) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("\xFF\xEF\xBE"), "/+++");
}

} // namespace

} // namespace isovmaf
