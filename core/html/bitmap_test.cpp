// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/bitmap.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

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
