// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels' comparisons in integers against those in f64.
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "features/speed/speed.hpp"
#include "features/speed/speed_algebra_math.h"

namespace isovmaf::speed_algebra_test {
namespace {

void expect_negligible(float v, float whole) {
    const bool expected = double{std::abs(v)} < SPEED_NEGLIGIBLE * double{whole};
    ASSERT_EQ(speed_is_negligible(v, whole), expected) << v << " and " << whole;
    ASSERT_EQ(speed_is_negligible(-v, whole), expected) << v << " and " << whole;
}

/// Significands with the numbers on both sides of a millionth of them. All 2^23 agree; the test takes each 16th.
TEST(SpeedAlgebra, NumbersAreNegligibleAsInF64) {
    for (std::uint32_t significand = F32_LEADING; significand < 2 * F32_LEADING && !HasFatalFailure();
         significand += 16) {
        const auto whole = static_cast<float>(significand), near = static_cast<float>(SPEED_NEGLIGIBLE * double{whole});
        for (const float v : {std::nextafter(near, 0.0F), near, std::nextafter(near, 1e9F)})
            expect_negligible(v, whole);
    }
}

TEST(SpeedAlgebra, NumbersOfAllSizesAreNegligibleAsInF64) {
    std::mt19937 random(1);
    const auto finite = [&] { return f32_of_bits(static_cast<std::uint32_t>(random() % F32_INFINITY)); };
    for (int i = 0; i < 100'000 && !HasFatalFailure(); i++) {
        const float whole = finite();
        expect_negligible(finite(), whole);
        expect_negligible(static_cast<float>(double{whole} * SPEED_NEGLIGIBLE), whole);
        expect_negligible(0, whole);
        expect_negligible(whole, 0);
    }
}

TEST(SpeedAlgebra, PivotsAndEigenvaluesAreSmallAsInF64) {
    for (std::uint32_t bits = SPEED_LEAST_PIVOT_BITS - 100; bits < SPEED_LEAST_PIVOT_BITS + 100; bits++) {
        const float v = f32_of_bits(bits);
        EXPECT_EQ(speed_is_below_pivot(v), double{v} < SPEED_SINGULAR) << v;
        EXPECT_EQ(speed_is_below_pivot(-v), double{v} < SPEED_SINGULAR) << v;
        EXPECT_EQ(speed_is_regular(v), double{v} >= SPEED_SINGULAR) << v;
        EXPECT_FALSE(speed_is_regular(-v)) << v;
    }
    EXPECT_TRUE(speed_is_regular(INFINITY));
    for (const float v : {0.0F, -0.0F, -1.0F, -INFINITY, NAN, -NAN})
        EXPECT_FALSE(speed_is_regular(v)) << v;
}

TEST(SpeedAlgebra, WordsAreTheDefinitions) {
    for (const float v : {0.0F, -0.0F, 1.5F, -1.5F, INFINITY, NAN, -NAN})
        EXPECT_EQ(speed_word_of(v), speed_word(v)) << v;
}

} // namespace
} // namespace isovmaf::speed_algebra_test
