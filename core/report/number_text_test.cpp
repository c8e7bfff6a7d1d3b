// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/number_text.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

using Limits = std::numeric_limits<double>;

std::string text(double value, Precision precision) {
    std::string out;
    append_number(out, value, precision);
    return out;
}

std::string json(double value, Precision precision) {
    std::string out;
    append_json_number(out, value, precision);
    return out;
}

/// Doubles of every magnitude, and the edges.
std::vector<double> many_doubles() {
    std::vector<double> values{0.0, -0.0, 1, -1, 0.1, 100, 1e5, 1e15, 1e16, 1e17, 0x1p53, Limits::min(), Limits::max()};
    values.push_back(Limits::denorm_min());
    values.push_back(-Limits::denorm_min());
    values.push_back(Limits::min() / 2);
    values.push_back(std::nextafter(100.0, 0.0));
    std::mt19937_64 random(20);
    for (int n = 0; n < 2000; n++) {
        const auto mantissa = static_cast<double>(static_cast<std::int64_t>(random()));
        values.push_back(std::ldexp(mantissa, static_cast<int>(random() % 2100) - 1100));
        values.push_back(std::ldexp(mantissa, -57)); // scores: -64..64
    }
    return values;
}

/// Expected texts were read from libvmaf's own log, of models whose transform is a constant.
TEST(NumberText, LegacyPrintsWhatLibvmafPrints) {
    const std::vector<std::pair<double, std::string>> cases{
        {0.0, "0.000000"},
        {0.5, "0.500000"},
        {40.0, "40.000000"},
        {1e-5, "0.000010"},
        {1.5e-6, "0.000002"},
        {1e-6, "0.000001"},
        {9.99e-7, "0.0000009990000000"},
        {9.999999999999997e-7, "0.0000010000000000"},
        {1e-7, "0.0000001000000000"},
        {1e-16, "0.0000000000000001"},
        {1e-17, "0.0000000000000000"},
        {1e-30, "0.0000000000000000"},
        {1.0000001, "1.0000001000000001"},
        {1.000001, "1.0000009999999999"},
        {2.0000000000000004, "2.0000000000000004"},
        {99.0000009, "99.0000009000000034"},
        {99.9999999, "100.000000"},
        {100.000000000001, "100.0000000000009948"},
        {-0.5, "-0.500000"},
        {-2.0, "-2.000000"},
        {-1.25e-9, "-0.0000000012500000"},
        {-1e-7, "-0.0000001000000000"},
        {-1.0000001, "-1.0000001000000001"},
        {-1.9999999, "-2.000000"},
        {1e10, "10000000000.000000"},
        {2147483647.0000005, "2147483647.0000004768371582"},
        {2147483648.0000005, "2147483648.000000"},
        {-2147483647.0000005, "-2147483647.0000004768371582"},
        {-2147483648.0000005, "-2147483648.000000"},
        {1e22, "10000000000000000000000.000000"},
    };
    for (const auto &[value, expected] : cases)
        EXPECT_EQ(text(value, Precision::legacy), expected);
}

TEST(NumberText, LegacyRoundsTiesToEven) {
    EXPECT_EQ(text(1.0 / 128, Precision::legacy), "0.007812");
    EXPECT_EQ(text(3.0 / 128, Precision::legacy), "0.023438");
    EXPECT_EQ(text(-93.0 - 1.0 / 128, Precision::legacy), "-93.007812");
}

TEST(NumberText, LegacyHoldsTheLargestDouble) {
    EXPECT_EQ(std::strtod(text(-Limits::max(), Precision::legacy).c_str(), nullptr), -Limits::max());
}

TEST(NumberText, MaxIsShortAndStaysFloatingPoint) {
    EXPECT_EQ(text(0.1, Precision::max), "0.1");
    EXPECT_EQ(text(76.66890511905297, Precision::max), "76.66890511905297");
    EXPECT_EQ(text(100, Precision::max), "100.0");
    EXPECT_EQ(text(-0.0, Precision::max), "-0.0");
    EXPECT_EQ(text(1e-7, Precision::max), "1e-07");
    EXPECT_EQ(text(1e22, Precision::max), "1e+22");
}

TEST(NumberText, HexIsAsInC99) {
    EXPECT_EQ(text(3, Precision::hex), "0x1.8p+1");
    EXPECT_EQ(text(0.1, Precision::hex), "0x1.999999999999ap-4");
    EXPECT_EQ(text(-1, Precision::hex), "-0x1p+0");
    EXPECT_EQ(text(0.0, Precision::hex), "0x0p+0");
    EXPECT_EQ(text(-0.0, Precision::hex), "-0x0p+0");
}

TEST(NumberText, MaxAndHexReadBackBitForBit) {
    for (const double value : many_doubles())
        for (const Precision precision : {Precision::max, Precision::hex}) {
            const std::string number = text(value, precision);
            char *end = nullptr;
            const double back = std::strtod(number.c_str(), &end);
            EXPECT_EQ(back, value) << number;
            EXPECT_EQ(std::signbit(back), std::signbit(value)) << number;
            EXPECT_EQ(*end, '\0') << number;
        }
}

TEST(NumberText, NonFiniteValuesHaveNames) {
    for (const Precision precision : {Precision::legacy, Precision::max, Precision::hex}) {
        EXPECT_EQ(text(Limits::infinity(), precision), "inf");
        EXPECT_EQ(text(-Limits::infinity(), precision), "-inf");
        EXPECT_EQ(text(Limits::quiet_NaN(), precision), "nan");
        EXPECT_EQ(text(-Limits::quiet_NaN(), precision), "nan");
        EXPECT_EQ(json(Limits::infinity(), precision), "null");
        EXPECT_EQ(json(-Limits::infinity(), precision), "null");
        EXPECT_EQ(json(Limits::quiet_NaN(), precision), "null");
    }
}

TEST(NumberText, JsonQuotesHexOnly) {
    EXPECT_EQ(json(3, Precision::legacy), "3.000000");
    EXPECT_EQ(json(3, Precision::max), "3.0");
    EXPECT_EQ(json(3, Precision::hex), "\"0x1.8p+1\"");
}

TEST(NumberText, CountsHaveCommas) {
    EXPECT_EQ(count_text(0), "0");
    EXPECT_EQ(count_text(999), "999");
    EXPECT_EQ(count_text(9504), "9,504");
    EXPECT_EQ(count_text(-1234567), "-1,234,567");
    EXPECT_EQ(counted(1, "frame"), "1 frame");
    EXPECT_EQ(counted(9504, "frame"), "9,504 frames");
}

TEST(NumberText, DurationsArePeoplesNumbers) {
    EXPECT_EQ(duration_text(0), "less than a second");
    EXPECT_EQ(duration_text(41.6), "42 s");
    EXPECT_EQ(duration_text(180), "3 min");
    EXPECT_EQ(duration_text(2 * 3600 + 599), "2 h 10 min");
    EXPECT_EQ(duration_text(123.2 * 3600), "5 d 3 h");
    EXPECT_EQ(duration_text(1e300), "41666666 d 16 h");
}

} // namespace
} // namespace isovmaf
