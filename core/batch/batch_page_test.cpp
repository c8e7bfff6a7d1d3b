// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/batch_page.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf::testing::batch_page_test {
namespace {

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
    EXPECT_THAT(page, HasSubstr("</i>slow</span>"));
    EXPECT_THAT(page, HasSubstr("</i>fast, BD-rate +25.00 %</span>"));
    EXPECT_THAT(page, HasSubstr("src.y4m"));
    EXPECT_THAT(page, HasSubstr("<svg class=rates"));
    rows.resize(1); // a curve needs two points
    EXPECT_THAT(batch_page_html(rows, {}), Not(HasSubstr("<svg class=rates")));
}

TEST(BatchPage, EscapesNamesAndShowsFailures) {
    PageRow row = encode("<script>", 100, 50);
    row.worst = {7, 3};
    const std::string page =
        batch_page_html(std::vector{row}, std::vector<PageFailure>{{row.row, FailureKind::transient, "no <memory>"}});
    EXPECT_THAT(page, Not(HasSubstr("<script>")));
    EXPECT_THAT(page, HasSubstr("1 pair scored, 1 failed"));
    EXPECT_THAT(page, HasSubstr("<td>transient</td><td>no &lt;memory&gt;</td>"));
    EXPECT_THAT(page, HasSubstr("<td>7, 3</td>"));
}

TEST(BatchPage, LongTablesEndAndSaySo) {
    const std::vector<PageRow> rows(2500, encode("x", 100, 50));
    const std::string page = batch_page_html(rows, {});
    EXPECT_THAT(page, HasSubstr("The first 2,000 of 2,500; all are in results.csv."));
    EXPECT_LT(page.size(), 1'000'000U);
}

} // namespace
} // namespace isovmaf::testing::batch_page_test
