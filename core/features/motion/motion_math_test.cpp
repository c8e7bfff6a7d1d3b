// SPDX-License-Identifier: BSD-2-Clause-Patent
// The narrow forms of motion_math.h against the wide sums.
#include "features/motion/motion_math.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

namespace isovmaf::motion_math_test {
namespace {

using Values = std::array<std::int32_t, MOTION_TAP_COUNT>;

std::int32_t rounded(const Values &v, int bits) {
    std::int64_t sum = 0;
    for (int k = 0; k < MOTION_TAP_COUNT; k++)
        sum += multiply_wide(motion_taps[k], v[static_cast<std::size_t>(k)]);
    return motion_round_vertical(sum, bits);
}
std::int32_t blurred(const Values &v, int bits) { return motion_blur(v[0], v[1], v[2], v[3], v[4], bits); }
std::int32_t narrowly_blurred(const Values &v) { return motion_blur_narrow(v[0], v[1], v[2], v[3], v[4]); }

/// Calls `check` with the ends of the range -most to most in every order, with their neighbours, and with many others.
template <class Check>
void for_each_window(std::int32_t most, const Check &check) {
    const std::array ends{-most, 1 - most, -1, 0, 1, most - 1, most};
    for (const std::int32_t a : ends)
        for (const std::int32_t b : ends)
            for (const std::int32_t c : ends)
                for (const std::int32_t d : ends)
                    for (const std::int32_t e : ends)
                        check(Values{a, b, c, d, e});
    std::mt19937 random(20241126);
    for (int i = 0; i < 100'000; i++) {
        Values values;
        for (std::int32_t &v : values)
            v = static_cast<std::int32_t>(random() % static_cast<unsigned>(2 * most + 1)) - most;
        check(values);
    }
}

TEST(MotionMath, ABlurIn32BitsIsTheRoundedSum) {
    for (int bits = 8; bits <= 16; bits++)
        for_each_window((1 << bits) - 1, [bits](const Values &v) { ASSERT_EQ(blurred(v, bits), rounded(v, bits)); });
}

TEST(MotionMath, ResultsOfTheFirstBlurFitTheSecond) {
    for (int bits = 8; bits <= 16; bits++) {
        const int most = (1 << bits) - 1;
        EXPECT_EQ(blurred({most, most, most, most, most}, bits), 65536 - (65536 >> bits));
        EXPECT_EQ(blurred({-most, -most, -most, -most, -most}, bits), (65536 >> bits) - 65536);
    }
    for_each_window(65535, [](const Values &v) {
        std::int64_t sum = 0;
        for (int k = 0; k < MOTION_TAP_COUNT; k++)
            sum += multiply_wide(motion_taps[k], v[static_cast<std::size_t>(k)]);
        ASSERT_EQ(blurred(v, 16), motion_round_horizontal(sum));
    });
}

TEST(MotionMath, ANarrowBlurIsTheRoundedSum) {
    for_each_window(255, [](const Values &v) { ASSERT_EQ(narrowly_blurred(v), rounded(v, 8)); });
}

} // namespace
} // namespace isovmaf::motion_math_test
