// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/batch_page.hpp"

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf::batch_page_test {

namespace {

using namespace batch;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A video whose motion is `motion`; frame n scores 50 + n.
ScoreTable video(const std::vector<double> &motion) {
    ScoreTable table{{"motion", "motion2", "vmaf"}, {}, {}, {"motion", "motion", "vmaf_v0.6.1"}};
    for (std::size_t i = 0; i < motion.size(); i++) {
        const auto frame = static_cast<std::int64_t>(i);
        table.frames.push_back({.frame = frame, .scores = {motion[i], 0, 50. + static_cast<double>(i)}});
    }
    return table;
}

std::vector<std::int64_t> numbers(const std::vector<ScoredFrame> &worst) {
    std::vector<std::int64_t> numbers;
    for (const ScoredFrame &frame : worst)
        numbers.push_back(frame.frame);
    return numbers;
}

TEST(WorstShots, EachShotHasOneFrame) {
    const ScoreTable table = video({0, 2, 2, 40, 3, 1, 30, 1});
    EXPECT_THAT(numbers(worst_of_shots(table, 2, 5)), ElementsAre(0, 3, 6));
    EXPECT_THAT(worst_of_shots(table, 2, 2), ElementsAre(ScoredFrame{0, 50}, ScoredFrame{3, 53}));
}

TEST(WorstShots, WithoutCutsFramesAreApart) {
    ScoreTable table = video(std::vector<double>(80, 1.));
    EXPECT_THAT(numbers(worst_of_shots(table, 2, 3)), ElementsAre(0, 25, 50));
    table.frames[60].scores[2] = NAN;
    EXPECT_THAT(numbers(worst_of_shots(table, 2, 3)), ElementsAre(60, 0, 25));
    EXPECT_THAT(worst_of_shots(video({}), 2, 3), IsEmpty());
}

using namespace batch;
using ::testing::HasSubstr;
using ::testing::Not;

PageRow encode(const std::string &label, double bit_rate, double score) {
    PageRow row{{.line = 2, .reference = "src.y4m", .distorted = "d.mp4", .label = label, .bit_rate = bit_rate},
                "vmaf"};
    row.pooled.mean = score;
    return row;
}

TEST(BatchPage, HasCurvesAndBdRatesOfLabels) {
    std::vector<PageRow> rows;
    for (const auto &[rate, score] : {std::pair{4000., 90.}, {500., 40.}, {1000., 62.}, {2000., 78.}}) {
        rows.push_back(encode("slow", rate, score));
        rows.push_back(encode("fast", rate * 1.25, score));
    }
    const std::string page = batch_page_html(rows, {});
    EXPECT_THAT(page, HasSubstr("8 pairs scored"));
    EXPECT_THAT(page, HasSubstr("</i>slow (anchor)</span>"));
    EXPECT_THAT(page, HasSubstr("</i>fast, BD-rate +25.00 %</span>"));
    EXPECT_THAT(page, HasSubstr("src.y4m"));
    EXPECT_THAT(page, HasSubstr("<svg class=rates"));
    rows.resize(1); // a curve needs two points
    EXPECT_THAT(batch_page_html(rows, {}), Not(HasSubstr("<svg class=rates")));
}

TEST(BatchPage, SaysWhyABdRateIsMissing) {
    std::vector<PageRow> rows;
    for (const auto &[rate, score] : {std::pair{4000., 90.}, {500., 40.}, {1000., 62.}, {2000., 78.}}) {
        rows.push_back(encode("slow", rate, score));
        if (rate < 3000)
            rows.push_back(encode("short", rate, score));
        rows.push_back(encode("steady", rate, 50));
    }
    const std::string page = batch_page_html(rows, {});
    EXPECT_THAT(page, HasSubstr("</i>short, no BD-rate: the curve has 3 points, and 4 are needed</span>"));
    EXPECT_THAT(page, HasSubstr("</i>steady, no BD-rate: the score of the curve does not grow from the bit rate 500 to "
                                "1000</span>"));
}

TEST(BatchPage, SaysHowManyChartsAreLeftOut) {
    std::vector<PageRow> rows;
    for (int i = 0; i < 53; i++)
        for (const double rate : {500., i < 51 ? 1000. : 500.}) {
            rows.push_back(encode("x", rate, rate / 20));
            rows.back().row.reference = fmt::format("{}.y4m", i);
        }
    const std::string page = batch_page_html(rows, {});
    EXPECT_THAT(page, HasSubstr("The first 50 of 51 charts. 2 references without a chart, because their rows have a "
                                "single bit rate."));
    EXPECT_THAT(page, HasSubstr("<h3>49.y4m</h3>"));
    EXPECT_THAT(page, Not(HasSubstr("<h3>50.y4m</h3>")));
    rows.resize(100);
    EXPECT_THAT(batch_page_html(rows, {}), Not(HasSubstr(" charts.")));
}

TEST(BatchPage, EscapesNamesAndShowsFailures) {
    PageRow row = encode("<script>", 100, 50);
    row.worst = {{7, 50.26}, {3, 51}};
    const std::string page =
        batch_page_html(std::vector{row}, std::vector<PageFailure>{{row.row, FailureKind::transient, "no <memory>"}});
    EXPECT_THAT(page, Not(HasSubstr("<script>")));
    EXPECT_THAT(page, HasSubstr("1 pair scored, 1 failed"));
    EXPECT_THAT(page, HasSubstr("<td class=kind>transient</td><td>no &lt;memory&gt;</td>"));
    EXPECT_THAT(page, HasSubstr(">7 <small>(50.3)</small>, 3 <small>(51.0)</small></td>"));
}

TEST(BatchPage, MarksRowsWithWarnings) {
    std::vector<PageRow> rows(8, encode("x", 100, 50));
    EXPECT_THAT(batch_page_html(rows, {}), HasSubstr("<header class=\"verdict equal\"><h1>8 pairs scored</h1>"));
    rows[3].warnings = {{PairWarning::lengths, "a <has> 2 frames"}};
    rows[5].warnings = {{PairWarning::lengths, "b has 3 frames"}};
    const std::string page = batch_page_html(rows, {});
    EXPECT_THAT(page, HasSubstr("<header class=\"verdict warned\"><h1>8 pairs scored, 2 with warnings</h1>"));
    EXPECT_THAT(page, HasSubstr("d.mp4<p class=warning>&#9888; a &lt;has&gt; 2 frames</p></td>"));
}

TEST(BatchPage, FailuresOfOneReasonStandTogether) {
    std::vector<PageFailure> failures;
    for (int i = 0; i < 8; i++) {
        const std::string name = fmt::format("d{}.mkv", i);
        failures.push_back({{.line = i + 2, .reference = "src.y4m", .distorted = name},
                            FailureKind::permanent,
                            i == 7 ? "no frame in src.y4m" : fmt::format("{} is damaged", name)});
    }
    const std::string page = batch_page_html({}, failures);
    EXPECT_THAT(
        page,
        HasSubstr(
            "<td class=count>7</td><td class=kind>permanent</td><td>{distorted} is damaged</td><td>line 2: d0.mkv"));
    EXPECT_THAT(page, HasSubstr("line 6: d4.mkv<br>and 2 more</td>"));
    EXPECT_THAT(page, HasSubstr("<td>no frame in {reference}</td><td>line 9: d7.mkv</td>"));
}

TEST(BatchPage, RowsOfAReferenceHaveOneHeading) {
    std::vector<PageRow> rows(3, encode("x", 100, 50));
    rows[2].row.reference = "other.y4m";
    const std::string page = batch_page_html(rows, {});
    const auto first = page.find("src.y4m<span>vmaf</span>");
    EXPECT_NE(first, std::string::npos);
    EXPECT_EQ(page.find("src.y4m<span>", first + 1), std::string::npos);
    EXPECT_THAT(page, HasSubstr("other.y4m<span>vmaf</span>"));
}

TEST(BatchPage, NarrowRatesAndManyCurvesCanBeRead) {
    std::vector<PageRow> rows;
    for (int i = 0; i < 8; i++)
        for (const double rate : {4100., 4400.})
            rows.push_back(encode(fmt::format("codec {}", i), rate, 50 + i));
    const std::string page = batch_page_html(rows, {});
    EXPECT_THAT(page, HasSubstr(">4100</text>"));
    EXPECT_THAT(page, HasSubstr(">4400</text>"));
    EXPECT_THAT(page, HasSubstr("<g class=\"curve1 dashed\">"));
}

TEST(BatchPage, LongTablesEndAndSaySo) {
    const std::vector<PageRow> rows(2500, encode("x", 100, 50));
    const std::string page = batch_page_html(rows, {});
    EXPECT_THAT(page, HasSubstr("The first 2,000 of 2,500; all are in results.csv."));
    EXPECT_LT(page.size(), 1'000'000U);
}

} // namespace

} // namespace isovmaf::batch_page_test
