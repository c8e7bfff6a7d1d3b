// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/score_axis.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace isovmaf::score_axis_test {
namespace {

TEST(ScoreAxis, HoldsAllFiniteValuesInRoundSteps) {
    const std::array values{31.2, 98.7, std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity()};
    const ScoreAxis axis = axis_of(values, 5);
    EXPECT_EQ(axis.low, 20);
    EXPECT_EQ(axis.high, 100);
    EXPECT_EQ(axis.step, 20);
    EXPECT_EQ(axis_label(axis, 40), "40");
    EXPECT_EQ(axis.place(60), 0.5);
}

TEST(ScoreAxis, HasRoomAroundEqualValues) {
    for (const double value : {0.0, 100.0, -3.5, 1e-9, 1e300}) {
        const ScoreAxis axis = axis_of({&value, 1}, 4);
        EXPECT_LT(axis.low, axis.high);
        EXPECT_TRUE(std::isfinite(axis.place(1)));
        if (value < 1e15) {
            EXPECT_LE(axis.low, value);
            EXPECT_GE(axis.high, value);
        }
    }
}

TEST(ScoreAxis, LabelsHaveTheDecimalsOfTheirSteps) {
    const std::array values{0.9301, 0.9348};
    const ScoreAxis axis = axis_of(values, 5);
    EXPECT_EQ(axis_label(axis, axis.low), "0.930");
    EXPECT_EQ(axis_label({-1, 1, 0.5}, -1e-17), "0.0");
}

TEST(ScoreAxis, ExistsWithoutValues) { EXPECT_LT(axis_of({}, 4).low, axis_of({}, 4).high); }

} // namespace
} // namespace isovmaf::score_axis_test
