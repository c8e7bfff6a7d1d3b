// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/text.hpp"

#include <gmock/gmock.h>

namespace isovmaf {
namespace {

using testing::ElementsAre;

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

} // namespace
} // namespace isovmaf
