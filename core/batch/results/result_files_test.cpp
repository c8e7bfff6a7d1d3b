// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/result_files.hpp"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/testing/temporary_folder.hpp"

namespace isovmaf::testing::result_files_test {

namespace {

using namespace batch;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// An encode of src.y4m.
Row encode(const std::string &label, double bit_rate) {
    return {.line = 2, .reference = "src.y4m", .distorted = label + ".mp4", .label = label, .bit_rate = bit_rate};
}

WordScores scored(double score) { return {{{"vmaf"}, {{0, {score}}, {1, {score}}}, {}, {"vmaf_v0.6.1"}}, 0, {}}; }

std::string text_of(const TemporaryFolder &folder, const std::string &name) { return *read_file(folder.path() / name); }

TEST(ResultFiles, HaveBdRatesOfAllCurvesButAnchors) {
    const TemporaryFolder folder;
    ResultFiles files = *ResultFiles::create(folder.path());
    for (const auto &[rate, score] : {std::pair{4000., 90.}, {500., 40.}, {1000., 62.}, {2000., 78.}}) {
        ASSERT_TRUE(files.add(encode("slow", rate), scored(score), {}));
        ASSERT_TRUE(files.add(encode("=fast", rate * 1.25), scored(score), {}));
        if (rate < 900) {
            ASSERT_TRUE(files.add(encode("one", rate), scored(score), {}));
        }
    }
    ASSERT_TRUE(files.complete());
    ASSERT_TRUE(files.commit());
    EXPECT_EQ(text_of(folder, "bd_rates.csv"), "reference,score,anchor,label,bd_rate,missing\n"
                                               "src.y4m,vmaf,slow,'=fast,25.0000,\n"
                                               "src.y4m,vmaf,slow,one,,\"the curve has 1 point, and 4 are needed\"\n");
}

TEST(ResultFiles, OptionsThatWereDecidedStandBehindThoseOfTheRow) {
    const Fields asked{{"convert", {"dis:10"}}, {"fit", {"true"}}, {"offset", {"auto"}}};
    EXPECT_EQ(with_settled(asked, {}), asked);
    EXPECT_EQ(with_settled(asked, {{"convert", {"ref:420p8", "dis:range"}}, {"offset", {"2"}}, {"resize", {"dis"}}}),
              (Fields{{"convert", {"dis:10", "ref:420p8", "dis:range"}},
                      {"fit", {"true"}},
                      {"offset", {"2"}},
                      {"resize", {"dis"}}}));
}

TEST(ResultFiles, RowsSayWhatWasScoredAndWhatIsWrong) {
    const TemporaryFolder folder;
    ResultFiles files = *ResultFiles::create(folder.path());
    Row row = encode("a", 100);
    row.options = {{"feature", {"psnr", "vif"}}, {"model", {"path=my model.json"}}};
    ASSERT_TRUE(files.add(row, scored(50),
                          {1,
                           {{"vmaf", "my model.json"}},
                           {{PairWarning::lengths, "src.y4m has \"9\" frames"}, {PairWarning::colours, "=no"}}}));
    ASSERT_TRUE(files.complete());
    ASSERT_TRUE(files.commit());
    EXPECT_THAT(text_of(folder, "results.csv"),
                StartsWith("line,reference,distorted,label,bit_rate,models,options,warnings,frames,vmaf_min,"));
    EXPECT_THAT(
        text_of(folder, "results.csv"),
        HasSubstr("2,src.y4m,a.mp4,a,100.0,'vmaf=my model.json',feature=psnr feature=vif 'model=path=my model.json',"
                  "\"src.y4m has \"\"9\"\" frames | =no\",2,50.0,"));
    EXPECT_THAT(text_of(folder, "results.jsonl"),
                HasSubstr("\"models\": {\"vmaf\": \"my model.json\"}, \"options\": {\"feature\": [\"psnr\", \"vif\"], "
                          "\"model\": [\"path=my model.json\"]}, \"warnings\": [{\"kind\": \"lengths\", \"text\": "
                          "\"src.y4m has \\\"9\\\" frames\"}, {\"kind\": \"colours\", \"text\": \"=no\"}], "
                          "\"frames\": 2"));
    EXPECT_THAT(text_of(folder, "timings.csv"), HasSubstr("2,src.y4m,a.mp4,a,100.0,2,1.000,2.00\n"));
    EXPECT_THAT(files.scores_table(), HasSubstr("\n1 pair with warnings: see the column `warnings` of "));
}

TEST(ResultFiles, TheTableForTheTerminalEnds) {
    const TemporaryFolder folder;
    ResultFiles files = *ResultFiles::create(folder.path());
    EXPECT_EQ(files.scores_table(), "");
    for (int i = 0; i < 1022; i++)
        ASSERT_TRUE(files.add(encode(fmt::format("\x1b{}", i), 100), scored(i), {}));
    const std::string table = files.scores_table();
    EXPECT_THAT(table,
                StartsWith("pair                             score         frames     mean      5 %      min\n"
                           "\\x1b0.mp4                        vmaf               2   0.0000   0.0000   0.0000\n"));
    EXPECT_THAT(table, HasSubstr("19.mp4"));
    EXPECT_THAT(table, EndsWith(fmt::format("and 1,002 more pairs in {}\n", (folder.path() / "results.csv").string())));
}

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

} // namespace isovmaf::testing::result_files_test
