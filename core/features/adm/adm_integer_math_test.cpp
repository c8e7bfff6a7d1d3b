// SPDX-License-Identifier: BSD-2-Clause-Patent
// adm_integer_math.h against the doubles of adm_math.h.
#include "features/adm/adm_integer_math.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace isovmaf::adm_integer_math_test {
namespace {

constexpr std::uint64_t seed = 20240918;
constexpr int draws = 150'000;

/// Largest coefficients at scale 0 and later.
constexpr std::int64_t largest_0 = 22932, largest = (std::int64_t{1} << 31) - (1 << 24);

struct Vector {
    std::int64_t h, v;
};

struct Products {
    std::int64_t dot, reference_squared, distorted_squared;
};

Products products(Vector o, Vector t) { return {o.h * t.h + o.v * t.v, o.h * o.h + o.v * o.v, t.h * t.h + t.v * t.v}; }

class AdmIntegers : public ::testing::Test {
  protected:
    int between(int least, int greatest) {
        return least + static_cast<int>(random_() % static_cast<unsigned>(greatest - least + 1));
    }
    double fraction() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

    /// Coefficients of all magnitudes, their ends and zero among them.
    std::int64_t coefficient(std::int64_t most) {
        const std::int64_t any = static_cast<std::int64_t>(random_() >> 33) % (most + 1) >> between(0, 31);
        const std::array values{any, any, any, any, std::int64_t{0}, std::int64_t{1}, most, most - between(0, 3)};
        return (random_() & 1 ? 1 : -1) * values[random_() % values.size()];
    }
    Vector vector(std::int64_t most) { return {coefficient(most), coefficient(most)}; }

    /// `o` turned by a degree or nearly, longer or shorter by up to some factor.
    Vector turned(Vector o, std::int64_t most) {
        const double scale = std::ldexp(1 + fraction(), -between(0, 6));
        static const double limit = std::acos(std::sqrt(adm_cos_1deg_squared));
        const double angle = (random_() & 1 ? 1 : -1) * limit * (1 + std::ldexp(fraction() - 0.5, -between(4, 40)));
        const auto h = static_cast<double>(o.h) * scale, v = static_cast<double>(o.v) * scale;
        const auto held = [&](double x) {
            return std::clamp(static_cast<std::int64_t>(std::nearbyint(x)), -most, most);
        };
        return {held(h * std::cos(angle) - v * std::sin(angle)), held(h * std::sin(angle) + v * std::cos(angle))};
    }

    /// A whole number below 2^62; often half way between two of f32, or next to that.
    std::int64_t length() {
        const int bits = between(1, 62);
        const std::uint64_t any = (random_() >> 2 | std::uint64_t{1} << 61) >> (62 - bits);
        if (bits < 26 || random_() % 4 == 0)
            return static_cast<std::int64_t>(any);
        const std::uint64_t half = std::uint64_t{1} << (bits - 25);
        return static_cast<std::int64_t>((any & ~(2 * half - 1)) + half - 1 + random_() % 3);
    }

    /// Squared lengths, and a dot product that is at the limit or some steps of f32 away from it.
    Products at_the_limit() {
        Products p{0, length(), length()};
        const double limit = std::sqrt(adm_cos_1deg_squared * static_cast<double>(p.reference_squared) *
                                       static_cast<double>(p.distorted_squared));
        p.dot = static_cast<std::int64_t>(limit);
        const int bits = floor_log2(static_cast<std::uint64_t>(p.dot) | 1);
        const std::int64_t half = bits > 24 ? std::int64_t{1} << (bits - 24) : 1;
        p.dot = p.dot / half * half + between(-200, 200) * half + between(-1, 1);
        return p;
    }

    std::mt19937_64 random_{seed};
};

std::ostream &operator<<(std::ostream &out, const Products &p) {
    return out << p.dot << " " << p.reference_squared << " " << p.distorted_squared << ", seed " << seed;
}

/// Whether integers decide as doubles do, those of scale 0 where they can.
bool agrees(const Products &p) {
    const bool kept = adm_same_direction(p.dot, p.reference_squared, p.distorted_squared);
    if (adm_integer_same_direction(p.dot, p.reference_squared, p.distorted_squared) != kept ||
        adm_exact_direction(p.dot, p.reference_squared, p.distorted_squared) != kept)
        return false;
    const auto dot = static_cast<std::int32_t>(p.dot), o = static_cast<std::int32_t>(p.reference_squared),
               t = static_cast<std::int32_t>(p.distorted_squared);
    return dot != p.dot || o != p.reference_squared || t != p.distorted_squared ||
           adm_integer_same_direction(dot, o, t) == kept;
}

TEST_F(AdmIntegers, DirectionsOfVectorsAreThoseOfDoubles) {
    for (int i = 0; i < draws; i++)
        for (const std::int64_t most : {largest_0, largest}) {
            const Vector o = vector(most), t = vector(most), near = turned(o, most);
            const Vector opposite{-near.h, -near.v}, aside{-o.v, o.h};
            for (const Vector other : {t, near, opposite, o, aside, Vector{0, 0}})
                ASSERT_TRUE(agrees(products(o, other))) << products(o, other);
        }
    for (const std::int64_t most : {largest_0, largest})
        for (const std::int64_t h : {-most, std::int64_t{0}, most})
            for (const std::int64_t v : {-most, std::int64_t{0}, most})
                for (const Vector t : {Vector{most, most}, Vector{most, -most}, Vector{0, most}})
                    ASSERT_TRUE(agrees(products({h, v}, t)));
}

TEST_F(AdmIntegers, DirectionsAtTheLimitAreThoseOfDoubles) {
    int kept = 0;
    for (int i = 0; i < 4 * draws; i++) {
        const Products p = at_the_limit();
        ASSERT_TRUE(agrees(p)) << p;
        kept += adm_same_direction(p.dot, p.reference_squared, p.distorted_squared);
    }
    EXPECT_GT(kept, draws);
    EXPECT_LT(kept, 3 * draws);
}

// The sides are equal, or the double's product is what makes them equal.
TEST_F(AdmIntegers, TheLimitItselfIsKept) {
    const Products equal{8386053, 8386053, 8388608};
    EXPECT_TRUE(adm_same_direction(equal.dot, equal.reference_squared, equal.distorted_squared));
    for (const int step : {-1, 0, 1}) {
        EXPECT_TRUE(agrees({equal.dot + step, equal.reference_squared, equal.distorted_squared}));
        EXPECT_TRUE(agrees({equal.dot, equal.reference_squared + step, equal.distorted_squared}));
        EXPECT_TRUE(agrees({equal.dot, equal.reference_squared, equal.distorted_squared + step}));
    }
}

float stepped(float v, int steps) { return std::bit_cast<float>(std::bit_cast<std::int32_t>(v) + steps); }

// Estimates from arguments that are three steps of f32 off, as much as the margin allows for.
TEST_F(AdmIntegers, RoughEstimatesAreRightOrSilent) {
    int silent = 0;
    for (int i = 0; i < 4 * draws; i++) {
        const Products p = at_the_limit();
        if (p.dot <= 0)
            continue;
        const bool kept = adm_same_direction(p.dot, p.reference_squared, p.distorted_squared);
        for (const int steps : {-3, 0, 3}) {
            const std::int32_t estimate = adm_estimate_direction(stepped(adm_rough_f32(p.dot), steps),
                                                                 stepped(adm_rough_f32(p.reference_squared), -steps),
                                                                 stepped(adm_rough_f32(p.distorted_squared), -steps));
            silent += estimate == ADM_DIRECTION_UNKNOWN;
            ASSERT_TRUE(estimate == ADM_DIRECTION_UNKNOWN || (estimate == ADM_DIRECTION_SAME) == kept)
                << p << ", steps " << steps;
        }
    }
    EXPECT_GT(silent, draws);
    EXPECT_LT(silent, 11 * draws);
}

TEST_F(AdmIntegers, GainLimitsAreThoseOfDoubles) {
    for (int i = 0; i < 2 * draws; i++) {
        const auto r = static_cast<std::int32_t>(coefficient(largest)),
                   t = static_cast<std::int32_t>(coefficient(largest));
        const double any = 1 + 99 * fraction();
        // r times this is next to a whole number, which may be the one it is rounded to.
        const double near = r == 0 ? 1.2 : std::nearbyint(r * any) / r;
        const double limit =
            std::array{any, near, std::nextafter(near, 0), std::nextafter(near, 200), 1.2, 1.5}[random_() % 6];
        if (limit < 1 || limit > 100)
            continue;
        const double product = std::clamp(r * limit, -double{largest}, double{largest});
        const auto edge = static_cast<std::int32_t>(product);
        for (const std::int32_t distorted : {t, -t, edge - 1, edge, edge + 1, 0})
            ASSERT_EQ(adm_integer_limit_gain(r, distorted, std::bit_cast<std::uint64_t>(limit)),
                      adm_limit_gain(r, distorted, limit))
                << r << " " << distorted << " " << limit << ", seed " << seed;
    }
}

} // namespace
} // namespace isovmaf::adm_integer_math_test
