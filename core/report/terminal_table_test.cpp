// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/report.hpp"

#include <limits>
#include <sstream>

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

std::size_t widest_line(const std::string &text) {
    std::istringstream lines(text);
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);)
        widest = std::max(widest, line.size());
    return widest;
}

TEST(TerminalTable, FeaturesThenModelsThenAggregates) {
    const ScoreTable scores{{"VMAF_integer_feature_motion_sad_score", "integer_adm2", "vmaf"},
                            {{0, {0, 1, 75.5}}, {1, {3, 0.5, 100}}},
                            {{"apsnr_y", 40}, {"VMAF_an_aggregate_with_a_long_name", 1}}};
    const std::string table = terminal_table(scores, 2);
    EXPECT_EQ(table, R"(
2 frames                      mean        min        max harm. mean        1 %        5 %       10 %
----------------------------------------------------------------------------------------------------
VMAF_integer_feature_motion_sad_score
                          1.500000   0.000000   3.000000   0.600000   0.030000   0.150000   0.300000
integer_adm2              0.750000   0.500000   1.000000   0.714286   0.505000   0.525000   0.550000
----------------------------------------------------------------------------------------------------
vmaf                     87.750000  75.500000 100.000000  86.059155  75.745000  76.725000  77.950000
----------------------------------------------------------------------------------------------------
apsnr_y                  40.000000
VMAF_an_aggregate_with_a_long_name
                          1.000000
)" + 1);
    EXPECT_EQ(widest_line(table), 100U);
}

TEST(TerminalTable, GroupsWithoutRowsLeaveNoRule) {
    const ScoreTable scores{{"psnr_y"}, {{0, {std::numeric_limits<double>::infinity()}}}, {}};
    EXPECT_EQ(terminal_table(scores, 1), R"(
1 frame          mean        min        max harm. mean        1 %        5 %       10 %
---------------------------------------------------------------------------------------
psnr_y            inf        inf        inf        inf        inf        inf        inf
)" + 1);
    EXPECT_EQ(terminal_table(scores, 0), terminal_table(scores, 1));
}

TEST(TerminalTable, LargeValuesWidenTheirColumn) {
    const ScoreTable scores{{"mse_y"}, {{0, {1048575}}, {1, {1048575}}}, {}};
    const std::string row = "\nmse_y      1048575.000000 1048575.000000 1048575.000000 ";
    EXPECT_NE(terminal_table(scores, 1).find(row), std::string::npos) << terminal_table(scores, 1);
}

} // namespace
} // namespace isovmaf
