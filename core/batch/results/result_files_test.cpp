// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/result_files.hpp"

#include <gtest/gtest.h>

namespace isovmaf::result_files_test {

namespace {

using namespace batch;

TEST(CsvText, IsNoFormula) {
    EXPECT_EQ(csv_text("=1+1"), "'=1+1");
    EXPECT_EQ(csv_text("+1"), "'+1");
    EXPECT_EQ(csv_text("-1"), "'-1");
    EXPECT_EQ(csv_text("@a"), "'@a");
    EXPECT_EQ(csv_text("\t=1"), "'\t=1");
    EXPECT_EQ(csv_text("\r=1"), "\"'\r=1\"");
    EXPECT_EQ(csv_text("=HYPERLINK(\"a\", 1)"), "\"'=HYPERLINK(\"\"a\"\", 1)\"");
}

/// Else the original of '=1 could be either of two texts.
TEST(CsvText, ApostrophesInFrontOfAFormulaGetOneMore) {
    EXPECT_EQ(csv_text("'=1"), "''=1");
    EXPECT_EQ(csv_text("''-1"), "'''-1");
}

TEST(CsvText, OtherTextStays) {
    for (const char *const text : {"", "a", "'", "'a'", "a=1", " =1", "1-2", "src/a.y4m"})
        EXPECT_EQ(csv_text(text), text);
    EXPECT_EQ(csv_text("a,b"), "\"a,b\"");
}

} // namespace

} // namespace isovmaf::result_files_test
