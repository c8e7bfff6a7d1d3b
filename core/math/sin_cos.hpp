// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "math/format.hpp"
#include "math/math.hpp"
#include "math/sin_cos_table.hpp"

/// IBM's accurate mathematical library, as glibc has it: a table at multiples of 1/128, and polynomials between them.
namespace isovmaf::math {

/// pi/2 as the sum of two numbers.
inline constexpr double half_pi_high = 0x1.921fb54442d18p+0, half_pi_low = 0x1.1a62633145c07p-54;

/// An angle as the sum of two numbers, and the quarter turns (modulo 4) that were taken off it.
struct ReducedAngle {
    double high, low;
    std::uint64_t quarters;
};

template <class Fused>
double magnitude_of(double x) {
    return number<Fused>(bits<Fused>(x) & ~Binary64::sign);
}

/// The magnitude of `x` with the sign of `sign`.
template <class Fused>
[[gnu::always_inline]] inline double with_sign(double x, double sign) {
    return number<Fused>((bits<Fused>(x) & ~Binary64::sign) | (bits<Fused>(sign) & Binary64::sign));
}

/// Of an angle below angle_limit. pi/2 is taken off in four parts, of 27, 27, 26 and 53 bits.
template <class Fused>
[[gnu::always_inline]] inline ReducedAngle reduce_angle(double x) {
    constexpr double quarters_per_radian = 0x1.45f306dc9c883p-1, rounder = 0x1.8p+52;
    constexpr double part_1 = 0x1.921fb58p+0, part_2 = -0x1.dde973cp-27, part_3 = -0x1.cb3b398p-55,
                     part_4 = -0x1.d747f23e32ed7p-83;
    const double shifted = Fused::fma(x, quarters_per_radian, rounder);
    const double n = shifted - rounder;
    const double first = Fused::fma(-n, part_2, Fused::fma(-n, part_1, x));
    const double second = Fused::fma(-n, part_3, first);
    const double rest = Fused::fma(-n, part_3, first - second);
    const double high = Fused::fma(-n, part_4, second);
    return {high, rest + Fused::fma(-n, part_4, second - high), bits<Fused>(shifted) & 3};
}

/// The table's entry next to the magnitude of an angle, and what the magnitude is beyond that entry.
struct TabledAngle {
    const SineAndCosine &entry;
    double beyond;
};

template <class Fused>
[[gnu::always_inline]] inline TabledAngle tabled_angle(double magnitude) {
    constexpr double rounder = 0x1.8p+45; // what is added to it becomes a multiple of 1/128
    const double shifted = rounder + magnitude;
    return {sin_cos_table[bits<Fused>(shifted) & 127], magnitude - (shifted - rounder)};
}

/// (sin t - t) / t³, for |t| <= 1/256.
template <class Fused>
[[gnu::always_inline]] inline double short_sine(double square) {
    return Fused::fma(0x1.11110e829872fp-7, square, -0x1.5555555555515p-3);
}

/// 1 - cos t, for |t| <= 1/256.
template <class Fused>
[[gnu::always_inline]] inline double short_versine(double square) {
    return square * Fused::fma(Fused::fma(0x1.6c16bedd9e239p-10, square, -0x1.5555555555535p-5), square, 0.5);
}

/// sin(x + low), for |x| < 0.86.
template <class Fused>
[[gnu::always_inline]] inline double sin_of_sum(double x, double low) {
    constexpr double polynomial_limit = 0.126;
    constexpr double s1 = -0x1.5555555555555p-3, s2 = 0x1.1111111110ecep-7, s3 = -0x1.a01a019db08b8p-13,
                     s4 = 0x1.71de27b9a7ed9p-19, s5 = -0x1.addffc2fcdf59p-26;
    const double magnitude = magnitude_of<Fused>(x);
    if (magnitude < polynomial_limit) {
        const double square = x * x;
        const double sum =
            Fused::fma(Fused::fma(Fused::fma(Fused::fma(s5, square, s4), square, s3), square, s2), square, s1);
        return x + Fused::fma(square, Fused::fma(sum, x, -(0.5 * low)), low);
    }
    const double rest = x > 0 ? low : -low;
    const auto [entry, beyond] = tabled_angle<Fused>(magnitude);
    const double square = beyond * beyond;
    const double sine = beyond + Fused::fma(beyond * square, short_sine<Fused>(square), rest);
    const double versine = Fused::fma(beyond, rest, short_versine<Fused>(square));
    const double low_part = Fused::fma(-versine, entry.sine, Fused::fma(sine, entry.cosine_rest, entry.sine_rest));
    return with_sign<Fused>(entry.sine + Fused::fma(sine, entry.cosine, low_part), x);
}

/// cos(x + low), for |x| < 0.86.
template <class Fused>
[[gnu::always_inline]] inline double cos_of_sum(double x, double low) {
    const auto [entry, tabled_beyond] = tabled_angle<Fused>(magnitude_of<Fused>(x));
    const double beyond = tabled_beyond + (x < 0 ? -low : low);
    const double square = beyond * beyond;
    const double sine = Fused::fma(beyond * square, short_sine<Fused>(square), beyond);
    const double low_part =
        Fused::fma(-short_versine<Fused>(square), entry.cosine, Fused::fma(-sine, entry.sine_rest, entry.cosine_rest));
    return entry.cosine + Fused::fma(-sine, entry.sine, low_part);
}

/// The magnitudes above which pi/2 is subtracted once, and above which angles are reduced.
inline constexpr double subtract_limit = 0x1.b6p-1, reduce_limit = 0x1.368fdp+1;

template <class Fused>
double sin_with(double x) {
    const double magnitude = magnitude_of<Fused>(x);
    if (magnitude < 0x1p-26)
        return x;
    if (magnitude < subtract_limit)
        return sin_of_sum<Fused>(x, 0);
    if (magnitude < reduce_limit)
        return with_sign<Fused>(cos_of_sum<Fused>(half_pi_high - magnitude, half_pi_low), x);
    if (!(magnitude < angle_limit))
        return not_a_number;
    const auto [high, low, quarters] = reduce_angle<Fused>(x);
    const double result = (quarters & 1) != 0 ? cos_of_sum<Fused>(high, low) : sin_of_sum<Fused>(high, low);
    return (quarters & 2) != 0 ? -result : result;
}

template <class Fused>
double cos_with(double x) {
    const double magnitude = magnitude_of<Fused>(x);
    if (magnitude < 0x1p-27)
        return 1;
    if (magnitude < subtract_limit)
        return cos_of_sum<Fused>(x, 0);
    if (magnitude < reduce_limit) {
        const double angle = half_pi_high - magnitude, high = angle + half_pi_low;
        return sin_of_sum<Fused>(high, angle - high + half_pi_low);
    }
    if (!(magnitude < angle_limit))
        return not_a_number;
    const auto [high, low, quarters] = reduce_angle<Fused>(x);
    const double result = (quarters & 1) != 0 ? sin_of_sum<Fused>(high, low) : cos_of_sum<Fused>(high, low);
    return quarters == 1 || quarters == 2 ? -result : result;
}

} // namespace isovmaf::math
