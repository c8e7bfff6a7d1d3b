// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/number.hpp"

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

TEST(Number, IntegersFillTheWholeText) {
    EXPECT_EQ(parse_integer("2160"), 2160);
    EXPECT_EQ(parse_integer("-1"), -1);
    for (const char *text : {"", " 1", "1 ", "1.0", "0x10", "+", "9223372036854775808"})
        EXPECT_EQ(parse_integer(text), std::nullopt) << text;
}

TEST(Number, DoublesAreFiniteAndFillTheWholeText) {
    EXPECT_EQ(parse_double("0.03125"), 0.03125);
    EXPECT_EQ(parse_double("-1e-3"), -1e-3);
    EXPECT_EQ(parse_double("+2"), 2.0);
    for (const char *text : {"", "nan", "inf", "1e999", "1,5", "1 ", "--1"})
        EXPECT_EQ(parse_double(text), std::nullopt) << text;
}

TEST(Number, FormatGKeepsSixSignificantDigits) {
    EXPECT_EQ(format_g(17.0), "17");
    EXPECT_EQ(format_g(0.06), "0.06");
    EXPECT_EQ(format_g(1.23456789), "1.23457");
    EXPECT_EQ(format_g(1e-7), "1e-07");
}

} // namespace
} // namespace isovmaf
