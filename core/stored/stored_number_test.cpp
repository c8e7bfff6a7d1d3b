// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "stored/stored_number.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/ulp.hpp"
#include "report/number_text.hpp"

namespace isovmaf {
namespace {

using Limits = std::numeric_limits<double>;

bool same(std::string_view text, NumberStyle style, double computed) {
    return compare_stored_number(text, style, computed).equal;
}

double after(double value) { return std::nextafter(value, Limits::infinity()); }

std::string written(double value, Precision precision) {
    std::string text;
    append_number(text, value, precision);
    return text;
}

NumberStyle style_of(const std::vector<std::string> &texts) {
    StyleEvidence evidence;
    for (const std::string &text : texts)
        evidence.add(text);
    return evidence.style();
}

TEST(StoredNumber, RoundedTextStandsForWhatRoundsToIt) {
    EXPECT_TRUE(same("95.123457", NumberStyle::rounded, 95.1234567));
    EXPECT_TRUE(same("95.123457", NumberStyle::rounded, 95.1234565001));
    EXPECT_FALSE(same("95.123457", NumberStyle::rounded, 95.1234575001));
    EXPECT_FALSE(same("95.123457", NumberStyle::rounded, 95.1234564999));
    EXPECT_TRUE(same("0.125000", NumberStyle::rounded, 0.1250004));
    EXPECT_TRUE(same("0.12", NumberStyle::rounded, 0.125)) << "ties go to even, as in printf";
    EXPECT_FALSE(same("0.13", NumberStyle::rounded, 0.125));
    EXPECT_TRUE(same("-0.500000", NumberStyle::rounded, -0.5));
    EXPECT_FALSE(same("0.500000", NumberStyle::rounded, -0.5));
}

TEST(StoredNumber, RoundedTextKeepsTheSignOfZero) {
    EXPECT_TRUE(same("-0.000000", NumberStyle::rounded, -0.0));
    EXPECT_TRUE(same("-0.000000", NumberStyle::rounded, -1e-9));
    EXPECT_FALSE(same("-0.000000", NumberStyle::rounded, 0.0));
    EXPECT_FALSE(same("0.000000", NumberStyle::rounded, -1e-9));
}

TEST(StoredNumber, AnExponentMovesThePoint) {
    EXPECT_TRUE(same("9.512346e+01", NumberStyle::rounded, 95.1234567));
    EXPECT_TRUE(same("9.512346E+01", NumberStyle::rounded, 95.1234567));
    EXPECT_FALSE(same("9.512346e+01", NumberStyle::rounded, 95.12347));
    EXPECT_TRUE(same("1.00e-20", NumberStyle::rounded, 1.001e-20));
    EXPECT_FALSE(same("1.00e-20", NumberStyle::rounded, 1.01e-20));
}

TEST(StoredNumber, ManyDigitsLeaveNoRoom) {
    const double value = 84.659818454635134;
    EXPECT_TRUE(same("84.65981845463513411", NumberStyle::rounded, value));
    EXPECT_FALSE(same("84.65981845463513411", NumberStyle::rounded, after(value)));
    EXPECT_TRUE(same("0." + std::string(2000, '0'), NumberStyle::rounded, 0.0)) << "more digits than are formatted";
    EXPECT_FALSE(same("0." + std::string(2000, '0'), NumberStyle::rounded, Limits::denorm_min()));
}

TEST(StoredNumber, ExactTextIsComparedAsBits) {
    for (const std::string text : {"0.5", "0.50000000000000000", "0x1p-1", "0x0.8p+0"}) {
        EXPECT_TRUE(same(text, NumberStyle::exact, 0.5)) << text;
        EXPECT_FALSE(same(text, NumberStyle::exact, after(0.5))) << text;
        EXPECT_FALSE(same(text, NumberStyle::exact, 0.54)) << text;
    }
    EXPECT_FALSE(same("0x1p-1", NumberStyle::rounded, after(0.5))) << "hexadecimal text is never rounded";
    EXPECT_TRUE(same("-0.0", NumberStyle::exact, -0.0));
    EXPECT_TRUE(same("-0x0p+0", NumberStyle::exact, -0.0));
    EXPECT_FALSE(same("0.0", NumberStyle::exact, -0.0));
    EXPECT_TRUE(same("3", NumberStyle::exact, 3.0));
}

TEST(StoredNumber, LegacyTextIsWhatWouldBePrinted) {
    EXPECT_TRUE(same("95.123457", NumberStyle::legacy, 95.1234567));
    EXPECT_TRUE(same("0.0000004000000000", NumberStyle::legacy, 4e-7));
    EXPECT_FALSE(same("0.000000", NumberStyle::legacy, 4e-7)) << "it would have sixteen digits";
    EXPECT_TRUE(same("0.000000", NumberStyle::rounded, 4e-7));
}

TEST(StoredNumber, WhatIsNotFiniteIsEqualToItsKind) {
    const double inf = Limits::infinity(), nan = Limits::quiet_NaN();
    for (const NumberStyle style : {NumberStyle::exact, NumberStyle::rounded, NumberStyle::legacy}) {
        for (const double value : {inf, -inf, nan})
            EXPECT_TRUE(same("null", style, value));
        EXPECT_FALSE(same("null", style, 0));
        EXPECT_TRUE(same("nan", style, -nan));
        EXPECT_TRUE(same("-nan", style, nan));
        EXPECT_FALSE(same("nan", style, 1));
        EXPECT_FALSE(same("nan", style, inf));
        EXPECT_TRUE(same("inf", style, inf));
        EXPECT_FALSE(same("inf", style, -inf));
        EXPECT_FALSE(same("1.000000", style, nan));
        EXPECT_FALSE(same("1.000000", style, inf));
    }
    EXPECT_EQ(compare_stored_number("null", NumberStyle::exact, 1).ulp, beyond_ulp);
}

TEST(StoredNumber, ADifferenceIsCountedFromTheDoubleOfTheText) {
    const StoredComparison near = compare_stored_number("0.5", NumberStyle::exact, after(0.5));
    EXPECT_EQ(near.stored, 0.5);
    EXPECT_EQ(near.ulp, 1u);
    EXPECT_EQ(near.ulp_f32, 0u);
    const StoredComparison far = compare_stored_number("0.500000", NumberStyle::rounded, 0.75);
    EXPECT_EQ(far.ulp, std::uint64_t{1} << 51);
    EXPECT_EQ(far.ulp_f32, std::uint64_t{1} << 22);
    const StoredComparison equal = compare_stored_number("95.123457", NumberStyle::rounded, 95.1234567);
    EXPECT_EQ(equal.ulp, 0u) << "equal counts no distance";
}

TEST(StoredNumber, WhatWeWriteIsEqualToWhatWasWritten) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 2000; i++) {
        const auto value = std::bit_cast<double>(random());
        const double score = 100.0 * static_cast<double>(random()) / 0x1p64;
        for (const double v : {value, score}) {
            ASSERT_TRUE(same(written(v, Precision::max), NumberStyle::exact, v)) << v;
            ASSERT_TRUE(same(written(v, Precision::hex), NumberStyle::exact, v)) << v;
            ASSERT_TRUE(same(written(v, Precision::legacy), NumberStyle::legacy, v)) << v;
            ASSERT_TRUE(same(written(v, Precision::legacy), NumberStyle::rounded, v)) << v;
        }
        ASSERT_FALSE(same(written(score, Precision::max), NumberStyle::exact, after(score))) << score;
        ASSERT_FALSE(same(written(score, Precision::hex), NumberStyle::exact, after(score))) << score;
    }
}

TEST(StoredNumber, KnowsANumber) {
    for (const char *text : {"0", "-1", "1.5", "1e5", "0x1p+0", "-0x1.8p-3", "nan", "-nan", "inf", "-inf", "null"})
        EXPECT_TRUE(is_stored_number(text)) << text;
    for (const char *text : {"", "-", "--1", "1.5x", "1,5", "0x", "abc", "true", " 1", "1 ", "1e999", "infinite"})
        EXPECT_FALSE(is_stored_number(text)) << text;
}

TEST(StyleEvidence, EqualDigitsAndASuperfluousZeroAreRounded) {
    EXPECT_EQ(style_of({"0.500000", "95.123457", "nan", "null"}), NumberStyle::rounded);
    EXPECT_EQ(style_of({"0.50", "0.25"}), NumberStyle::rounded);
    EXPECT_EQ(style_of({"5.000000e-01", "9.512346e+01"}), NumberStyle::rounded);
    EXPECT_EQ(style_of({"95.123457"}), NumberStyle::rounded) << "a computed double has more digits";
    EXPECT_EQ(style_of({"0.84659818454635134210", "0.50000000000000000000"}), NumberStyle::rounded);
}

TEST(StyleEvidence, SixAndSixteenDigitsAreLegacy) {
    EXPECT_EQ(style_of({"0.500000", "1.0000001000000000"}), NumberStyle::legacy);
    EXPECT_EQ(style_of({"0.5000000", "1.0000001000000000"}), NumberStyle::exact);
}

TEST(StyleEvidence, WhatMayBeAllOfADoubleIsExact) {
    EXPECT_EQ(style_of({"0.5", "95.12345670000001"}), NumberStyle::exact);
    EXPECT_EQ(style_of({"0.0", "1.0", "0.5"}), NumberStyle::exact) << "1.04 is no 1.0";
    EXPECT_EQ(style_of({"0.1", "0.3"}), NumberStyle::exact);
    EXPECT_EQ(style_of({"0.015625", "0.578125"}), NumberStyle::exact) << "sums of powers of two";
    EXPECT_EQ(style_of({"0.5", "0.25", "0.123"}), NumberStyle::exact) << "other counts of digits";
    EXPECT_EQ(style_of({"60", "0.500000"}), NumberStyle::exact);
    EXPECT_EQ(style_of({"0.500000", "1e-05"}), NumberStyle::exact);
    EXPECT_EQ(style_of({"0x1p-1"}), NumberStyle::exact);
    EXPECT_EQ(style_of({}), NumberStyle::exact);
}

} // namespace
} // namespace isovmaf
