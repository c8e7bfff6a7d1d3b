// SPDX-License-Identifier: BSD-2-Clause-Patent
// The integers of f32.h against the CPU's floats.
#include "portable/f32.h"

#include <bit>
#include <cmath>
#include <initializer_list>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf::f32_test {
namespace {

constexpr std::uint64_t seed = 20261122;
constexpr int draws = 200'000;

class F32 : public ::testing::Test {
  protected:
    int between(int least, int greatest) { return std::uniform_int_distribution(least, greatest)(random_); }

    /// A finite pattern of either sign whose exponent field is between the two: noise, or noise that ends in zeros or
    /// ones.
    std::uint32_t pattern(int least, int greatest) {
        const auto noise = static_cast<std::uint32_t>(random_());
        const std::uint32_t end = (std::uint32_t{1} << between(0, 23)) - 1;
        const std::uint32_t fractions[] = {noise, noise & ~end, noise | end, end, end + 1};
        return (noise & F32_SIGN) | static_cast<std::uint32_t>(between(least, greatest)) << 23 |
               (fractions[between(0, 4)] & (F32_LEADING - 1));
    }
    std::uint32_t pattern() { return pattern(0, 254); }

    std::mt19937_64 random_{seed};
};

void expect_bits(std::uint32_t found, float expected, std::uint32_t a, std::uint32_t b) {
    if (std::isnan(expected))
        expected = f32_of_bits(F32_NAN); // processors differ in the sign
    ASSERT_EQ(found, f32_bits(expected)) << std::hex << "operands 0x" << a << " and 0x" << b << ", seed " << std::dec
                                         << seed;
}

void expect_all(std::uint32_t a, std::uint32_t b) {
    expect_bits(f32_add_bits(a, b), f32_of_bits(a) + f32_of_bits(b), a, b);
    expect_bits(f32_multiply_bits(a, b), f32_of_bits(a) * f32_of_bits(b), a, b);
    expect_bits(f32_divide_bits(a, b), f32_of_bits(a) / f32_of_bits(b), a, b);
}

TEST_F(F32, OperandsOfAllExponents) {
    for (int i = 0; i < draws && !HasFatalFailure(); i++)
        expect_all(pattern(), pattern());
}

TEST_F(F32, SumsOfNearOperands) {
    for (int i = 0; i < draws && !HasFatalFailure(); i++) {
        const int exponent = between(0, 254);
        expect_all(pattern(exponent, exponent), pattern(std::max(0, exponent - 28), exponent));
    }
}

TEST_F(F32, ProductsThatAreDenormalOrTooLarge) {
    for (int i = 0; i < draws && !HasFatalFailure(); i++) {
        const int a = between(1, 126);
        expect_all(pattern(a, a), pattern(std::max(0, 102 - a), 130 - std::min(a, 127)));
        expect_all(pattern(200, 254), pattern(100, 254));
    }
}

TEST_F(F32, QuotientsThatAreDenormalOrTooLarge) {
    for (int i = 0; i < draws && !HasFatalFailure(); i++) {
        const int a = between(1, 126);
        expect_all(pattern(a, a), pattern(a + 100, std::min(254, a + 152)));
        expect_all(pattern(a + 128, a + 128), pattern(std::max(0, a - 5), a + 5));
    }
}

TEST_F(F32, QuotientsFromTheWorstEstimates) {
    for (int i = 0; i < draws / 10 && !HasFatalFailure(); i++) {
        const std::uint32_t quotient = (1u << 24) + static_cast<std::uint32_t>(random_() >> 40);
        const std::uint32_t divisor = F32_LEADING + static_cast<std::uint32_t>(random_() >> 41);
        for (const std::uint32_t rest : {0u, 1u, divisor - 1})
            for (const std::uint32_t off : {0u, 1u, 2u, 7u, 15u})
                for (const std::uint32_t estimate : {quotient + off, quotient - off})
                    ASSERT_EQ(f32_quotient_floor(std::uint64_t{quotient} * divisor + rest, divisor, estimate), quotient)
                        << divisor << " from " << estimate << ", seed " << seed;
    }
}

/// Each estimate off by so many units in the last place, and on the other side of powers of two.
TEST_F(F32, QuotientsFromBitsOfEstimates) {
    for (int i = 0; i < draws && !HasFatalFailure(); i++) {
        const int exponent = between(1, 254);
        const std::uint32_t a = i % 2 ? pattern() : pattern(exponent, exponent);
        const std::uint32_t b = i % 2 ? pattern() : pattern(std::max(1, exponent - 2), std::min(254, exponent + 2));
        const float quotient = f32_of_bits(a) / f32_of_bits(b);
        for (const std::uint32_t off : {0u, 1u, 2u, 3u, 4u, 8u})
            for (const std::uint32_t estimate : {f32_bits(quotient) + off, f32_bits(quotient) - off})
                expect_bits(f32_divide_from(a, b, estimate), quotient, a, b);
    }
}

TEST_F(F32, EdgesOfTheRange) {
    std::vector<std::uint32_t> values;
    for (const std::uint32_t edge :
         {0x0u,        0x1u,        0x2u,        0x3u,        0x3fffffu,   0x400000u,   0x7fffffu,   0x800000u,
          0x800001u,   0xffffffu,   0x1000000u,  0xd800000u,  0x33800000u, 0x34000000u, 0x3f7fffffu, 0x3f800000u,
          0x3f800001u, 0x40000000u, 0x4b000000u, 0x7f000000u, 0x7f7fffffu, 0x7f800000u, 0x7fc00000u})
        values.insert(values.end(), {edge, edge | F32_SIGN});
    for (const std::uint32_t a : values)
        for (const std::uint32_t b : values)
            expect_all(a, b);
}

TEST_F(F32, SquareRoots) {
    for (const std::uint32_t v : {0x0u, F32_SIGN, 0x1u, 0x2u, 0x7fffffu, 0x800000u, 0x3f7fffffu, 0x3f800000u,
                                  0x3f800001u, 0x3fffffffu, 0x40000000u, 0x40800000u, 0x7f7fffffu})
        expect_bits(f32_sqrt_bits(v), std::sqrt(f32_of_bits(v)), v, 0);
    for (int i = 0; i < draws && !HasFatalFailure(); i++) {
        const std::uint32_t v = f32_magnitude(pattern());
        expect_bits(f32_sqrt_bits(v), std::sqrt(f32_of_bits(v)), v, 0);
    }
}

TEST_F(F32, RootsFromTheWorstEstimates) {
    const auto expect_root = [](std::uint64_t v) {
        const auto root = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(v))); // exact: v has 50 bits
        for (const std::uint32_t off : {0u, 1u, 2u, 7u, 15u})
            for (const std::uint32_t estimate : {root + off, root - off})
                ASSERT_EQ(f32_root_floor(v, estimate), root) << v << " from " << estimate << ", seed " << seed;
    };
    for (int i = 0; i < draws / 10 && !HasFatalFailure(); i++) {
        const std::uint64_t root = (std::uint64_t{1} << 24) + (random_() >> 40);
        for (const std::uint64_t v : {root * root, root * root + 1, root * root + 2 * root})
            expect_root(v);
    }
}

/// All arguments; the correctly rounded root is that of f64.
TEST_F(F32, ReciprocalRoots) {
    const auto root = [](float v) { return static_cast<float>(1 / std::sqrt(static_cast<double>(v))); };
    for (std::uint32_t significand = F32_LEADING; significand <= 2 * F32_LEADING; significand++) {
        const float v = std::ldexp(static_cast<float>(significand), -23), expected = root(v);
        const auto count = static_cast<std::uint32_t>(std::ldexp(expected, 24));
        for (const std::uint32_t estimate : {count - 2, count + 2})
            ASSERT_EQ(f32_reciprocal_root_count(significand, estimate), count) << v << " from " << estimate;
        ASSERT_EQ(f32_reciprocal_root(v), expected) << v;
    }
}

TEST_F(F32, AsF64AndBack) {
    for (int i = 0; i < draws && !HasFatalFailure(); i++) {
        const std::uint32_t v = pattern(0, between(0, 1) * 254);
        const double exact = f32_of_bits(v), moved = exact * (1 + 0x1p-30 * between(-9, 9));
        ASSERT_EQ(f64_of_f32_or_denormal(v), std::bit_cast<std::uint64_t>(exact)) << v;
        expect_bits(f32_or_denormal_of_f64(std::bit_cast<std::uint64_t>(moved)), static_cast<float>(moved), v, 0);
    }
}

} // namespace
} // namespace isovmaf::f32_test
