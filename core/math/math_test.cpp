// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "math/math.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "math/software_fma.hpp"

namespace isovmaf::math_test {

namespace {

using math::Functions;
using math::software_fma;

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

void expect_bits(double actual, double expected, const char *what) {
    if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(actual)) << what << " gives " << actual;
    else
        EXPECT_EQ(std::bit_cast<std::uint64_t>(actual), std::bit_cast<std::uint64_t>(expected))
            << what << " gives " << actual << ", not " << expected;
}

void expect_fma(double a, double b, double c) {
    const double expected = std::fma(a, b, c), actual = software_fma(a, b, c);
    if (std::isnan(expected) && std::isnan(actual))
        return;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(actual), std::bit_cast<std::uint64_t>(expected))
        << std::hexfloat << a << " * " << b << " + " << c << " gives " << actual << ", not " << expected;
}

double of_bits(std::uint64_t bits) { return std::bit_cast<double>(bits); }

} // namespace

/// Sums near a tie, near zero, near the largest and the smallest numbers.
TEST(SoftwareFma, IsRoundedOnce) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000 && !HasFailure(); i++) {
        const double a = of_bits(random()), any = of_bits(random());
        const std::uint64_t opposite = (2046 - (std::bit_cast<std::uint64_t>(a) >> 52 & 0x7ff)) << 52;
        for (const double b :
             {any, of_bits(opposite | (random() >> 12)), of_bits((opposite >> 1) + (random() >> 12))}) {
            const double product = a * b;
            const std::uint64_t bits = std::bit_cast<std::uint64_t>(product);
            for (const double c :
                 {any, -product, std::nextafter(-product, 0.0), product * 0x1p-53, product * -0x1p-54, product * 0x1p53,
                  product * -0x1p54, of_bits(bits ^ (random() & 0xffffff)), of_bits(~bits ^ (random() & 0xffffff)),
                  0x1p-1074, -0x1p-1074, -0x1p-1022, 0.0, -0.0, infinity, nan})
                expect_fma(a, b, c);
        }
    }
    for (const double a : {0.0, -0.0, 1.0, -1.0, infinity, -infinity, nan, 0x1p-1074, 0x1.fffffffffffffp+1023})
        for (const double b : {0.0, -0.0, 1.0, -0.5, 2.0, infinity, nan, 0x1p-1074, 0x1.fffffffffffffp+1023})
            for (const double c : {0.0, -0.0, 1.0, infinity, -infinity, nan, 0x1p-1074, -0x1.fffffffffffffp+1023})
                expect_fma(a, b, c);
}

/// In every way that this machine has.
class MathFunctions : public testing::TestWithParam<bool> {
  protected:
    void SetUp() override {
        if (!GetParam() && !math::hardware_functions())
            GTEST_SKIP() << "this processor has no fused multiply-add";
    }
    const Functions &f() const { return GetParam() ? math::software_functions() : *math::hardware_functions(); }
};

INSTANTIATE_TEST_SUITE_P(, MathFunctions, testing::Bool(),
                         [](const auto &way) { return way.param ? "InIntegers" : "InHardware"; });

TEST_P(MathFunctions, HaveTheSpecialValuesOfAnnexF) {
    expect_bits(f().exp(-infinity), 0, "exp(-inf)");
    expect_bits(f().exp(infinity), infinity, "exp(inf)");
    expect_bits(f().exp(710), infinity, "exp(710)");
    expect_bits(f().exp(-746), 0, "exp(-746)");
    expect_bits(f().exp(nan), nan, "exp(nan)");
    expect_bits(f().exp(-0.0), 1, "exp(-0)");
    for (double (*const log)(double) : {f().log, f().log2, f().log10}) {
        expect_bits(log(0.0), -infinity, "log(0)");
        expect_bits(log(-0.0), -infinity, "log(-0)");
        expect_bits(log(-1), nan, "log(-1)");
        expect_bits(log(-infinity), nan, "log(-inf)");
        expect_bits(log(nan), nan, "log(nan)");
        expect_bits(log(infinity), infinity, "log(inf)");
        expect_bits(log(1), 0, "log(1)");
    }
    expect_bits(f().pow(nan, 0), 1, "pow(nan, 0)");
    expect_bits(f().pow(1, nan), 1, "pow(1, nan)");
    expect_bits(f().pow(-1, infinity), 1, "pow(-1, inf)");
    expect_bits(f().pow(-0.0, -3), -infinity, "pow(-0, -3)");
    expect_bits(f().pow(-0.0, 2), 0, "pow(-0, 2)");
    expect_bits(f().pow(-infinity, 3), -infinity, "pow(-inf, 3)");
    expect_bits(f().pow(-8, 1.0 / 3), nan, "pow(-8, 1/3)");
    expect_bits(f().pow(0.5, -infinity), infinity, "pow(0.5, -inf)");
    expect_bits(f().pow(0x1p-1074, 1e300), 0, "pow(2^-1074, 1e300)");
    expect_bits(double{f().powf(-0.0F, 3)}, -0.0, "powf(-0, 3)");
    expect_bits(double{f().powf(-8, 1.0F / 3)}, nan, "powf(-8, 1/3)");
}

TEST_P(MathFunctions, OfAnglesHaveTheSpecialValuesOfAnnexF) {
    const double pi = std::ldexp(f().atan2(1, 0), 1);
    for (const double zero : {0.0, -0.0}) {
        expect_bits(f().sin(zero), zero, "sin(0)");
        expect_bits(f().cos(zero), 1, "cos(0)");
        for (const double right : {0.0, 1.0, infinity})
            expect_bits(f().atan2(zero, right), zero, "atan2(0, x)");
        for (const double left : {-0.0, -1.0, -infinity})
            expect_bits(f().atan2(zero, left), std::copysign(pi, zero), "atan2(0, -x)");
    }
    for (const double up : {1.0, -1.0}) {
        expect_bits(f().atan2(up, 0), up * pi / 2, "atan2(1, 0)");
        expect_bits(f().atan2(up, infinity), up * 0, "atan2(1, inf)");
        expect_bits(f().atan2(up, -infinity), up * pi, "atan2(1, -inf)");
        expect_bits(f().atan2(up * infinity, -1), up * pi / 2, "atan2(inf, -1)");
        expect_bits(f().atan2(up * infinity, infinity), up * pi / 4, "atan2(inf, inf)");
        expect_bits(f().atan2(up * infinity, -infinity), up * 3 * (pi / 4), "atan2(inf, -inf)");
    }
    expect_bits(f().atan2(nan, 1), nan, "atan2(nan, 1)");
    expect_bits(f().atan2(1, nan), nan, "atan2(1, nan)");
}

TEST_P(MathFunctions, AreNotDefinedForAnglesAboveTheLimit) {
    for (double (*const function)(double) : {f().sin, f().cos})
        for (const double sign : {1.0, -1.0}) {
            EXPECT_LE(std::abs(function(sign * std::nextafter(math::angle_limit, 0))), 1);
            for (const double beyond : {math::angle_limit, 1e300, infinity, nan})
                expect_bits(function(sign * beyond), nan, "beyond the limit");
        }
}

TEST_P(MathFunctions, AreExactWhereResultsAre) {
    for (int n = -1074; n < 1024; n++) {
        expect_bits(f().log2(std::ldexp(1.0, n)), n, "log2(2^n)");
        expect_bits(f().pow(2, n), std::ldexp(1.0, n), "pow(2, n)");
    }
    double ten = 1;
    for (int n = 0; n <= 22; n++, ten *= 10) {
        expect_bits(f().pow(10, n), ten, "pow(10, n)");
        expect_bits(f().log10(ten), n, "log10(10^n)");
    }
    for (int n = -1000; n <= 1000; n++) {
        expect_bits(f().pow(n, 3), static_cast<double>(n) * n * n, "pow(n, 3)");
        expect_bits(double{f().powf(static_cast<float>(n), 2)}, static_cast<double>(n) * n, "powf(n, 2)");
    }
}

TEST(ChosenFunctions, AreOneWay) {
    const Functions *const hardware = math::hardware_functions();
    EXPECT_TRUE(&math::functions() == hardware || &math::functions() == &math::software_functions());
    EXPECT_EQ(math::exp(1), math::functions().exp(1));
}

} // namespace isovmaf::math_test
