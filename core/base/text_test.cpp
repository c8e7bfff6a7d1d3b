// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf {

namespace {

using ::testing::ElementsAre;

TEST(Text, QuotesOnlyWhatFitsASentence) {
    EXPECT_EQ(quote("x y"), "\"x y\"");
    EXPECT_EQ(quote(""), "\"\"");
    EXPECT_EQ(quote(std::string(60, 'x')).size(), 62u);
    EXPECT_EQ(quote(std::string(61, 'x')), "a text of 61 bytes");
    EXPECT_EQ(quote("a\nb"), "a text of 3 bytes");
    EXPECT_EQ(quote("\xc3\xa4"), "a text of 2 bytes");
}

TEST(Text, ItemsSplitAtColonsThatAreNotEscaped) {
    EXPECT_THAT(split_items("a:b=c"), ElementsAre("a", "b=c"));
    EXPECT_THAT(split_items("a::"), ElementsAre("a", "", ""));
    EXPECT_THAT(split_items(""), ElementsAre(""));
    EXPECT_THAT(split_items(R"(C\:\dir\\:x)"), ElementsAre(R"(C:\dir\)", "x"));
    EXPECT_THAT(split_items(R"(end\)"), ElementsAre(R"(end\)"));
}

TEST(EscapeControls, WritesControlCharactersAsNumbers) {
    EXPECT_EQ(escape_controls("a\nb\x1b[31m\x7f"), "a\\x0ab\\x1b[31m\\x7f");
    EXPECT_EQ(escape_controls("\xe8\xa7\x86 ü.mkv"), "\xe8\xa7\x86 ü.mkv");
}

TEST(QuoteForShell, LeavesPlainWordsAndQuotesTheRest) {
    EXPECT_EQ(quote_for_shell("/a/b-c_1.y4m"), "/a/b-c_1.y4m");
    EXPECT_EQ(quote_for_shell("two words"), "'two words'");
    EXPECT_EQ(quote_for_shell("it's"), "'it'\\''s'");
    EXPECT_EQ(quote_for_shell("$(rm)"), "'$(rm)'");
    EXPECT_EQ(quote_for_shell(""), "''");
}

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
