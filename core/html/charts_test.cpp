// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/charts.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "html/heat_map.hpp"

namespace isovmaf::charts_test {

namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Histogram, KeepsWhatIsNotFinite) {
    UlpHistogram histogram{};
    histogram[0] = 10;
    EXPECT_THAT(histogram_svg(histogram), Not(HasSubstr("NaN")));
    histogram.back() = 2;
    EXPECT_THAT(histogram_svg(histogram), HasSubstr("<title>NaN or infinite: 2</title>"));
    histogram[64] = 1;
    EXPECT_THAT(histogram_svg(histogram), HasSubstr("<title>2⁶³ ULP or more: 1</title>"));
}

using testing::HasSubstr;

TEST(Strip, ManyFramesTakeNoMoreRoomThanAThousand) {
    std::vector<std::uint8_t> worst(100'000);
    for (std::size_t frame = 0; frame < worst.size(); frame += 2)
        worst[frame] = static_cast<std::uint8_t>(1 + frame / 100 % 64);
    const std::string text = strip_html("hip:0", worst);
    EXPECT_LT(text.size(), std::size_t{30'000});
    EXPECT_THAT(text, HasSubstr("50,000 of 100,000 frames differ: 0, 2, 4, 6, 8, 10, 12, 14 and 49,992 more"));

    worst.assign(100'000, 0);
    worst[54'321] = 1; // one frame is not lost
    EXPECT_THAT(strip_html("hip:0", worst), HasSubstr("d=\"M543 0h1v1h-1z\""));
}

TEST(Strip, MergesRuns) {
    const std::string text = strip_html("hip:0", std::array<std::uint8_t, 6>{0, 0, 3, 3, 3, 65});
    EXPECT_THAT(text, HasSubstr("4 of 6 frames differ: 2–5"));
    EXPECT_THAT(text, HasSubstr(fmt::format("stroke=\"{}\" d=\"M2 0h3v1h-3z\"", heat_colour(3))));
    EXPECT_THAT(text, HasSubstr(fmt::format("stroke=\"{}\" d=\"M5 0h1v1h-1z\"", heat_colour(15))));
}

TEST(Strip, EscapesItsTitle) {
    EXPECT_THAT(strip_html("<hip>", std::array<std::uint8_t, 1>{0}), HasSubstr("<h3>&lt;hip&gt;</h3>"));
}

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

} // namespace isovmaf::charts_test
