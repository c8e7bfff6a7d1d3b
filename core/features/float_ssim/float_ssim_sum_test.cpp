// SPDX-License-Identifier: BSD-2-Clause-Patent
// Sums in units, of the kernels for GPUs on which f64 is slow, against f64 sums in order.
#include "features/float_ssim/float_ssim_sum.h"

#include <cmath>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf::float_ssim_sum_test {
namespace {

using Series = std::vector<float>;

struct Sums {
    bool is_exact; ///< in units
    float of_units, in_order;
};

Sums sums_of(std::span<const float> series) {
    SsimUnits units = ssim_no_units();
    SsimSum sum = ssim_no_sum();
    for (const float product : series) {
        units = ssim_units_with(units, product, product == 0);
        sum = ssim_sum_with(sum, product);
    }
    return {ssim_units_are_exact(units), ssim_f32_of_units(units), ssim_f32_of_sum(sum)};
}

void expect_exact(const Series &series) {
    const Sums sums = sums_of(series);
    EXPECT_TRUE(sums.is_exact);
    EXPECT_EQ(f32_bits(sums.of_units), f32_bits(sums.in_order));
}

void expect_not_exact(const Series &series) { EXPECT_FALSE(sums_of(series).is_exact); }

TEST(FloatSsimSum, UnitsThatAreExactGiveTheSumInOrder) {
    constexpr int tries = 500;
    std::mt19937 random(1);
    for (const int count : {11, 81})
        for (int least = -20; least < 14; least++) {
            int exact = 0;
            for (int i = 0; i < tries; i++) {
                Series series(static_cast<std::size_t>(count));
                for (float &product : series) {
                    const float significand = 1 + static_cast<float>(random() % F32_LEADING) / F32_LEADING;
                    const int exponent = least + static_cast<int>(random() % 6);
                    product = std::ldexp(random() % 4 == 0 ? -significand : significand, exponent);
                }
                const Sums sums = sums_of(series);
                exact += sums.is_exact ? 1 : 0;
                if (sums.is_exact) {
                    ASSERT_EQ(f32_bits(sums.of_units), f32_bits(sums.in_order)) << count << " from 2^" << least;
                }
            }
            const bool fits = least >= -18 && least + 5 < 15;
            EXPECT_TRUE(exact == tries || !fits) << count << " from 2^" << least;
        }
}

TEST(FloatSsimSum, ZerosAreExact) {
    expect_exact({0, 0, 0});
    expect_exact({0, 1, -0.0f});
    expect_exact({1, -1, 0});
}

TEST(FloatSsimSum, ProductsBeyondTheUnitsAreNotExact) {
    expect_not_exact({1, std::ldexp(1.0f, -19)});
    expect_not_exact({1, std::ldexp(1.0f, -149)});
    expect_not_exact({1, std::ldexp(1.0f, 15)});
    expect_exact({std::ldexp(1.0f, -18), std::ldexp(1.75f, 14)});
    const SsimUnits flushed = ssim_units_with(ssim_no_units(), 0, false); // a denormal that a device takes for zero
    EXPECT_FALSE(ssim_units_are_exact(flushed));
}

/// The exact sum lies just above the middle between two f32 numbers; what it is above is lost in order, as the f64 sum
/// is too large for it.
TEST(FloatSsimSum, SumsThatRoundOnTheWayAreNotExact) {
    Series series(64, 0x1p+14f);
    series.push_back(0x1p-4f); // half of the last place of 2^20
    expect_exact(series);
    series.insert(series.end(), {0x1p-18f + 0x1p-41f, -0x1p-18f});
    const Sums sums = sums_of(series);
    EXPECT_FALSE(sums.is_exact);
    EXPECT_EQ(sums.in_order, 0x1p+20f);
    EXPECT_EQ(sums.of_units, 0x1p+20f + 0x1p-3f);
}

} // namespace
} // namespace isovmaf::float_ssim_sum_test
