// SPDX-License-Identifier: BSD-2-Clause-Patent
// adm_gpu_math.h against adm_math.h.
#include "features/adm/adm_gpu_math.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "features/testing/adm_pixel.hpp"

namespace isovmaf::adm_gpu_math_test {
namespace {

constexpr int draws = 200'000;

/// Largest coefficients at scale 0 and later.
constexpr std::int32_t largest_0 = 22932, largest = 2147483647 - (1 << 24);

class AdmGpuMath : public ::testing::Test {
  protected:
    std::uint64_t any() { return random_(); }

    /// Coefficients of all magnitudes, their ends and zero among them.
    std::int32_t coefficient(std::int32_t most) {
        const auto some =
            static_cast<std::int32_t>((random_() >> 33) % (static_cast<std::uint64_t>(most) + 1) >> random_() % 31);
        const std::array values{some, some, some, some, 0, 1, most, most - static_cast<std::int32_t>(random_() % 4)};
        return (random_() & 1 ? 1 : -1) * values[random_() % values.size()];
    }

    /// One near `v`, or any.
    std::int32_t near(std::int32_t v, std::int32_t most) {
        const std::int64_t step = static_cast<std::int64_t>(random_() % 7) - 3;
        const std::array<std::int64_t, 6> values{coefficient(most), v + step, std::int64_t{v} * 2 + step,
                                                 v / 2 + step,      step - v, v - v / 64 + step};
        const std::int64_t chosen = values[random_() % values.size()];
        return std::abs(chosen) <= most ? static_cast<std::int32_t>(chosen) : coefficient(most);
    }

  private:
    std::mt19937_64 random_{20241126};
};

TEST_F(AdmGpuMath, EveryReciprocalIsTheQuotient) {
    for (std::uint32_t m = 1; m <= 32768; m++)
        ASSERT_EQ(adm_gpu_reciprocal(m), adm_reciprocal(m)) << m;
}

/// The devices' reciprocals are off by one unit in the last place at most.
TEST_F(AdmGpuMath, ReciprocalsMayBeOneUnitOff) {
    for (std::uint32_t m = 1; m <= 32768; m++) {
        const auto divisor = static_cast<float>(m);
        ASSERT_EQ(adm_divisor(m), divisor);
        for (const float beyond : {0.0f, 1 / divisor, 2.0f}) {
            const float reciprocal = std::nextafter(1 / divisor, beyond);
            ASSERT_EQ(adm_reciprocal_near(divisor, reciprocal), adm_reciprocal(m)) << m;
            ASSERT_EQ(adm_reciprocal_beside(m, reciprocal), adm_reciprocal(m)) << m;
        }
    }
}

TEST_F(AdmGpuMath, RestoredCoefficientsAreTheSame) {
    for (int i = 0; i < draws; i++) {
        const std::int32_t o_0 = coefficient(largest_0), t_0 = near(o_0, largest_0);
        ASSERT_EQ(adm_gpu_restore(true, o_0, t_0), adm_restore_0(o_0, t_0)) << o_0 << " " << t_0;
        const std::int32_t o = coefficient(largest), t = near(o, largest);
        ASSERT_EQ(adm_gpu_restore(false, o, t), adm_restore(o, t)) << o << " " << t;
    }
    for (std::int32_t m = 0; m <= largest_0; m++)
        for (const std::int32_t t : {m - 1, m, m + 1, 2 * m - 1, 2 * m, 2 * m + 1})
            ASSERT_EQ(adm_gpu_restore(true, m, t), adm_restore_0(m, t)) << m << " " << t;
}

TEST_F(AdmGpuMath, LimitedGainsAreTheSame) {
    for (int i = 0; i < draws; i++) {
        const std::int32_t o = coefficient(largest), t = near(o, largest), r = adm_gpu_restore(false, o, t);
        const std::array limits{0, 1, 2, 100, 32767, 32768, 32769, (1 << 22) - 1, static_cast<int>(any() % 200)};
        const std::int32_t limit = limits[any() % limits.size()];
        ASSERT_EQ(adm_gpu_limit_gain_whole(r, t, limit), adm_limit_gain_whole(r, t, limit))
            << r << " " << t << " " << limit;
    }
}

/// Vectors along each other, often, and coefficients that the shorter way of scale 0 leaves to the definition's.
TEST_F(AdmGpuMath, PixelsAreTheSame) {
    for (int i = 0; i < draws; i++)
        for (const bool first : {true, false}) {
            const std::int32_t most = first ? largest_0 : largest;
            AdmPair pair;
            for (int band = 0; band < ADM_BAND_COUNT; band++) {
                const bool at_the_border = first && any() % 8 == 0;
                pair.reference[band] =
                    at_the_border ? ADM_LARGEST_EXACT_0 - 1 + static_cast<int>(any() % 3) : coefficient(most);
                pair.distorted[band] = near(pair.reference[band], most);
            }
            if (any() % 2 == 0)
                for (const int band : {ADM_BAND_H, ADM_BAND_V})
                    pair.distorted[band] = static_cast<int>(pair.reference[band] / (1 + static_cast<int>(any() % 2)));
            const std::array limits{1, 2, 100, 1 + static_cast<int>(any() % 100)};
            const std::int32_t limit = limits[any() % limits.size()];
            const double part = limit + static_cast<double>(any() % 1000) / 1000;
            const AdmPixel whole = adm_decouple(first, pair, adm_whole_limit(limit));
            const AdmPixel any_limit = adm_decouple(first, pair, adm_limit(part));
            const AdmPixel want = testing::define_adm_pixel(first, pair, limit);
            const AdmPixel want_any = testing::define_adm_pixel(first, pair, part);
            for (int part_of = 0; part_of < 2; part_of++)
                for (int band = 0; band < ADM_BAND_COUNT; band++) {
                    ASSERT_EQ(whole.of[part_of][band], want.of[part_of][band])
                        << pair.reference[band] << " " << pair.distorted[band] << " " << limit;
                    ASSERT_EQ(any_limit.of[part_of][band], want_any.of[part_of][band])
                        << pair.reference[band] << " " << pair.distorted[band] << " " << part;
                }
        }
}

/// Every coefficient of the reference for which scale 0 needs no reciprocal.
TEST_F(AdmGpuMath, SmallCoefficientsAreRestoredExactly) {
    for (std::int32_t o = -ADM_LARGEST_EXACT_0; o <= ADM_LARGEST_EXACT_0; o++)
        for (const std::int32_t t : {0, o / 2, o / 3, o - 1, o, o + 1, 2 * o / 3, -o, near(o, largest_0),
                                     coefficient(largest_0), static_cast<std::int32_t>(any() % 16384)})
            ASSERT_EQ(adm_gpu_between(o, t), adm_restore_0(o, t)) << o << " " << t;
}

TEST_F(AdmGpuMath, SensitivitiesAreTheSame) {
    for (int i = 0; i < draws; i++) {
        const auto csf = static_cast<std::uint32_t>(any() >> (32 + any() % 32));
        const std::int32_t x = coefficient(largest), x_0 = coefficient(largest_0);
        ASSERT_EQ(adm_gpu_sensitivity(csf, x), adm_magnitude(adm_sensitivity(csf, x))) << csf << " " << x;
        for (int band = 0; band < ADM_BAND_COUNT; band++)
            ASSERT_EQ(adm_gpu_sensitivity_0(adm_gpu_seen(true, csf & 0xffff, x_0), band),
                      adm_sensitivity_0(csf & 0xffff, x_0, band));
    }
}

/// Products that lie half way between two results, and next to that.
TEST_F(AdmGpuMath, HalfWaySensitivitiesAreTheSame) {
    for (int bit = 0; bit < 32; bit++)
        for (int odd = 1; odd < 16; odd += 2)
            for (const int step : {-1, 0, 1}) {
                const std::int32_t x = (odd << std::max(27 - bit, 0)) + step;
                for (const std::int32_t signed_x : {x, -x})
                    ASSERT_EQ(adm_gpu_sensitivity(1u << bit, signed_x),
                              adm_magnitude(adm_sensitivity(1u << bit, signed_x)))
                        << bit << " " << signed_x;
            }
}

TEST_F(AdmGpuMath, CubesAreTheSame) {
    for (int i = 0; i < draws; i++) {
        const auto csf = static_cast<std::uint32_t>(any() >> (32 + any() % 32));
        const std::int32_t x = coefficient(largest), x_0 = coefficient(largest_0), hidden = near(x_0, largest);
        const auto cube_shift = static_cast<std::int32_t>(any() % 17);
        const std::int32_t square_shift = adm_reference_square_shift[1 + any() % 3];
        const std::uint32_t half = adm_half(cube_shift);
        ASSERT_EQ(adm_gpu_reference_cube(x, square_shift, cube_shift), adm_reference_cube(x, square_shift, cube_shift));
        const std::int32_t visible = adm_visible(csf, x, hidden);
        const auto threshold = static_cast<std::uint32_t>(hidden);
        ASSERT_EQ(adm_gpu_visible(false, adm_gpu_seen(false, csf, x), threshold, 0), visible);
        ASSERT_EQ(adm_gpu_cube(visible, ADM_SQUARE_SHIFT, cube_shift, half),
                  adm_cube(visible, ADM_SQUARE_SHIFT, cube_shift));
        for (int band = 0; band < ADM_BAND_COUNT; band++) {
            const std::int32_t visible_0 = adm_visible_0(csf & 0xffff, x_0, hidden, band);
            ASSERT_EQ(adm_gpu_visible(true, adm_gpu_seen(true, csf & 0xffff, x_0), threshold, band), visible_0);
            ASSERT_EQ(adm_gpu_cube(visible_0, adm_square_shift_0[band], cube_shift, half),
                      adm_cube(visible_0, adm_square_shift_0[band], cube_shift));
        }
    }
}

/// Vectors that differ by about a degree, and any others.
TEST_F(AdmGpuMath, EstimatedDirectionsAreTheSame) {
    const double limit = std::acos(std::sqrt(adm_cos_1deg_squared));
    int known = 0;
    for (int i = 0; i < draws; i++) {
        const std::int32_t most = i % 2 == 0 ? largest_0 : largest;
        const double oh = coefficient(most), ov = coefficient(most);
        const double angle = limit * (1 + std::ldexp(static_cast<double>(any() % 2001) / 1000 - 1, -(i % 25)));
        const double scale = std::ldexp(1, -static_cast<int>(any() % 5));
        const auto held = [most](double v) { return std::fmin(std::fmax(std::nearbyint(v), -most), most); };
        double th = held(scale * (oh * std::cos(angle) - ov * std::sin(angle)));
        double tv = held(scale * (oh * std::sin(angle) + ov * std::cos(angle)));
        if (i % 8 == 7)
            th = coefficient(most), tv = coefficient(most);
        const int estimate = adm_estimate_direction_of(static_cast<float>(oh), static_cast<float>(ov),
                                                       static_cast<float>(th), static_cast<float>(tv));
        const auto product = [](double a, double b) {
            return multiply_wide(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
        };
        const std::int64_t dot = product(oh, th) + product(ov, tv);
        const std::int64_t o = product(oh, oh) + product(ov, ov), t = product(th, th) + product(tv, tv);
        const bool same = adm_same_direction(dot, o, t);
        ASSERT_EQ(adm_gpu_same_direction(dot, o, t), same);
        if (estimate != ADM_DIRECTION_UNKNOWN) {
            ASSERT_EQ(estimate == ADM_DIRECTION_SAME, same) << oh << " " << ov << " " << th << " " << tv;
            known++;
        }
    }
    EXPECT_GT(known, draws / 2);
    EXPECT_EQ(adm_estimate_direction_of(0, 0, 5, 7), ADM_DIRECTION_SAME);
    EXPECT_EQ(adm_estimate_direction_of(5, 7, 0, 0), ADM_DIRECTION_SAME);
}

} // namespace
} // namespace isovmaf::adm_gpu_math_test
