// SPDX-License-Identifier: BSD-2-Clause-Patent
// binary64.h against the CPU's doubles.
#include "portable/binary64.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf::binary64_test {
namespace {

constexpr std::uint64_t seed = 20240917;
constexpr int draws = 400'000;

std::uint64_t bits(double v) { return std::bit_cast<std::uint64_t>(v); }
std::uint32_t bits(float v) { return std::bit_cast<std::uint32_t>(v); }
double f64(std::uint64_t v) { return std::bit_cast<double>(v); }

/// Zero, or no less than the smallest normal number even before it was rounded.
template <class T>
bool in_range(T v) {
    return v == 0 || (std::isfinite(v) && std::abs(v) > std::numeric_limits<T>::min());
}

class Binary64 : public ::testing::Test {
  protected:
    int between(int least, int greatest) { return std::uniform_int_distribution(least, greatest)(random_); }

    /// The 52 low bits of a pattern: noise, ends of noise and of ones and zeros, single bits, products without a rest.
    std::uint64_t fraction() {
        const std::uint64_t noise = random_() >> 12, end = (std::uint64_t{1} << between(0, 52)) - 1;
        switch (between(0, 5)) {
        case 0:
            return noise;
        case 1:
            return noise & ~end;
        case 2:
            return noise | end;
        case 3:
            return end;
        case 4:
            return (end + 1) & ((std::uint64_t{1} << 52) - 1);
        default:
            return (noise >> 26 | 1) << 26;
        }
    }

    /// Of either sign, the exponent between the two.
    std::uint64_t pattern(int least, int greatest) {
        const auto sign_bit = static_cast<std::uint64_t>(between(0, 1)) << 63;
        return sign_bit | static_cast<std::uint64_t>(between(least, greatest) + 1023) << 52 | fraction();
    }
    std::uint64_t pattern() { return pattern(-1022, 1023); }

    std::int64_t integer() {
        const auto v = static_cast<std::uint64_t>(static_cast<std::int64_t>(random_()) >> between(0, 63));
        const std::uint64_t end = std::uint64_t{1} << between(0, 62);
        const auto off = static_cast<std::uint64_t>(between(-3, 3));
        switch (between(0, 3)) {
        case 0:
            return static_cast<std::int64_t>(v);
        case 1:
            return static_cast<std::int64_t>(v & -end); // ties
        case 2:
            return static_cast<std::int64_t>((v & -end) + off);
        default:
            return static_cast<std::int64_t>(end + off);
        }
    }

    std::mt19937_64 random_{seed};
};

template <class T>
void expect_bits(T found, T expected, std::uint64_t a, std::uint64_t b) {
    ASSERT_EQ(found, expected) << std::hex << "operands 0x" << a << " and 0x" << b << ", seed " << std::dec << seed;
}

void expect_sum(std::uint64_t a, std::uint64_t b) {
    for (const std::uint64_t other : {b, b ^ F64_SIGN})
        if (const double sum = f64(a) + f64(other); in_range(sum))
            expect_bits(f64_add(a, other), bits(sum), a, other);
}

void expect_product(std::uint64_t a, std::uint64_t b) {
    if (const double product = f64(a) * f64(b); in_range(product) && (product != 0 || f64(a) == 0 || f64(b) == 0))
        expect_bits(f64_multiply(a, b), bits(product), a, b);
}

void expect_quotient(std::uint64_t a, std::uint64_t b) {
    if (const double quotient = f64(a) / f64(b); in_range(quotient) && (quotient != 0 || f64(a) == 0))
        expect_bits(f64_divide(a, b), bits(quotient), a, b);
}

void expect_order(std::uint64_t a, std::uint64_t b) { expect_bits(f64_less(a, b), f64(a) < f64(b), a, b); }

void expect_all(std::uint64_t a, std::uint64_t b) {
    expect_sum(a, b);
    expect_product(a, b);
    expect_quotient(a, b);
    expect_order(a, b);
}

TEST_F(Binary64, OperandsOfAllExponents) {
    for (int i = 0; i < draws && !HasFatalFailure(); i++)
        expect_all(pattern(), pattern());
}

TEST_F(Binary64, OperandsThatAreNear) {
    for (int i = 0; i < draws && !HasFatalFailure(); i++) {
        const int exponent = between(-900, 900);
        expect_all(pattern(exponent, exponent), pattern(exponent - 60, exponent + 60));
    }
}

TEST_F(Binary64, EndsOfTheRange) {
    const double least = std::numeric_limits<double>::min(), greatest = std::numeric_limits<double>::max();
    std::vector<double> values{0, least, greatest, greatest / 2, 1.0 / 3, 5e15, 0x1.fffffffffffffp+52};
    for (const double end : {least * 0x1p60, 0x1p-1, 1.0, 0x1p52, 0x1p53, 0x1p1000})
        for (const double value : {end, std::nextafter(end, 0), std::nextafter(end, greatest), end * 1.5})
            values.push_back(value);
    for (const double a : values)
        for (const double b : values)
            for (const std::uint64_t signs : {std::uint64_t{0}, F64_SIGN}) {
                expect_sum(bits(a), bits(b) ^ signs);
                expect_sum(bits(a) ^ F64_SIGN, bits(b) ^ signs);
                expect_product(bits(a), bits(b) ^ signs);
                if (b != 0)
                    expect_quotient(bits(a), bits(b) ^ signs);
                expect_order(bits(a), bits(b) ^ signs);
                expect_order(bits(a) ^ F64_SIGN, bits(b) ^ signs);
            }
}

TEST_F(Binary64, DifferencesThatCancel) {
    for (int i = 0; i < draws && !HasFatalFailure(); i++) {
        const std::uint64_t a = pattern(-900, 900);
        expect_sum(a, a + static_cast<std::uint64_t>(between(-4, 4)));
        expect_order(a, a + static_cast<std::uint64_t>(between(-4, 4)));
    }
}

TEST_F(Binary64, SumsNextToTies) {
    for (int i = 0; i < draws && !HasFatalFailure(); i++) {
        const std::uint64_t a = pattern(0, 0);
        const double half = 0x1p-53, tiny = std::ldexp(1.0, -between(54, 110));
        for (const double rest : {half, half + tiny, half - tiny, half / 2, half / 2 + tiny, half / 2 - tiny})
            expect_sum(a, bits(rest));
    }
}

/// The odd numbers' inverses modulo 2^64.
std::uint64_t inverse(std::uint64_t odd) {
    std::uint64_t found = odd; // right in the three lowest bits
    for (int i = 0; i < 5; i++)
        found *= 2 - odd * found;
    return found;
}

/// No quotient is a tie. These miss one by the least there is: the division of a tie's product leaves +-1, 3 or 5.
TEST_F(Binary64, QuotientsNextToTies) {
    for (int i = 0; i < draws && !HasFatalFailure(); i++) {
        const std::uint64_t tie = random_() >> 11 | std::uint64_t{1} << 53 | 1; // twice the quotient's 53 bits
        const auto lacking = static_cast<std::uint64_t>(2 * between(-3, 2) + 1);
        const std::uint64_t divisor = (lacking * inverse(tie)) & ((std::uint64_t{1} << 53) - 1);
        std::uint64_t dividend =
            multiply_high(divisor << 11, tie); // divisor · tie / 2^53, an integer but for `lacking`
        if (const std::uint64_t low = (divisor << 11) * tie; low >> 63 != 0)
            dividend++;
        expect_quotient(bits(static_cast<double>(dividend)), bits(static_cast<double>(divisor)));
    }
}

/// Where the estimates of the quotient's digits lack most.
TEST_F(Binary64, QuotientsThatAreEstimatedWorst) {
    for (int i = 0; i < draws && !HasFatalFailure(); i++) {
        const std::uint64_t ones = (std::uint64_t{1} << (between(0, 1) != 0 ? 37 : 21)) - 1;
        const std::uint64_t dividend_ones = (std::uint64_t{1} << between(20, 24)) - 1;
        const std::uint64_t divisor = between(0, 1) != 0 ? fraction() >> between(0, 36) : fraction();
        expect_quotient(pattern(0, 0) | dividend_ones, bits(1.0) | divisor | ones);
        expect_quotient(pattern(0, 0) | dividend_ones, bits(1.0) | (divisor & ~ones));
    }
}

TEST_F(Binary64, ProductsOnTies) {
    for (int i = 0; i < draws && !HasFatalFailure(); i++) {
        const double a = static_cast<double>(random_() >> 37 | 1), b = static_cast<double>(random_() >> 37 | 1);
        expect_product(bits(a), bits(b)); // 27 bits each, 53 or 54 together
    }
}

TEST_F(Binary64, Integers) {
    std::vector<std::int64_t> values{0, 1, -1, INT64_MAX, INT64_MIN, INT64_MIN + 1, INT64_MAX - 511, INT64_MAX - 512};
    for (int i = 0; i < draws; i++)
        values.push_back(integer());
    for (const std::int64_t v : values) {
        expect_bits(f64_of_i64(v), bits(static_cast<double>(v)), std::uint64_t(v), 0);
        expect_bits(f32_of_i64(v), bits(static_cast<float>(v)), std::uint64_t(v), 0);
    }
}

TEST_F(Binary64, BackToIntegers) {
    for (const double v : {0.0, -0.0, 0.5, 1.0, -1.0, 0x1.fffffffffffffp+62, -0x1.fffffffffffffp+62})
        expect_bits(f64_to_i64(bits(v)), static_cast<std::int64_t>(v), bits(v), 0);
    for (int i = 0; i < draws; i++) {
        const std::uint64_t v = pattern(-70, 62);
        expect_bits(f64_to_i64(v), static_cast<std::int64_t>(f64(v)), v, 0);
    }
}

TEST_F(Binary64, SinglePrecision) {
    for (const std::uint64_t zero : {std::uint64_t{0}, F64_SIGN}) {
        expect_bits(f32_of_f64(zero), bits(static_cast<float>(f64(zero))), zero, 0);
        expect_bits(f64_of_f32(std::uint32_t(zero >> 32)), zero, zero, 0);
    }
    for (int i = 0; i < draws; i++) {
        const std::uint64_t v = pattern(-126, 127), tie = v >> 29 << 29 | std::uint64_t{1} << 28;
        for (const std::uint64_t wide : {v, tie, tie + 1, tie - 1})
            if (const auto narrow = static_cast<float>(f64(wide)); in_range(narrow)) {
                expect_bits(f32_of_f64(wide), bits(narrow), wide, 0);
                expect_bits(f64_of_f32(bits(narrow)), bits(static_cast<double>(narrow)), wide, 0);
            }
    }
}

} // namespace
} // namespace isovmaf::binary64_test
