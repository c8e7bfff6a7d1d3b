// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "math/exp.hpp"
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

/// pi/2 in four parts, and 2/pi.
inline constexpr double quarter_1 = 0x1.921fb58p+0, quarter_2 = -0x1.dde973cp-27, quarter_3 = -0x1.cb3b398p-55,
                        quarter_4 = -0x1.d747f23e32ed7p-83, quarters_per_radian = 0x1.45f306dc9c883p-1;

/// Of an angle below angle_limit.
template <class Fused>
[[gnu::always_inline]] inline ReducedAngle reduce_angle(double x) {
    const double shifted = Fused::fma(x, quarters_per_radian, integer_rounder);
    const double n = shifted - integer_rounder;
    const double first = Fused::fma(-n, quarter_2, Fused::fma(-n, quarter_1, x));
    const double second = Fused::fma(-n, quarter_3, first);
    const double rest = Fused::fma(-n, quarter_3, first - second);
    const double high = Fused::fma(-n, quarter_4, second);
    return {high, rest + Fused::fma(-n, quarter_4, second - high), bits<Fused>(shifted) & 3};
}

/// The table's entry next to the magnitude of an angle, and what the magnitude is beyond that entry.
struct TabledAngle {
    const SineAndCosine &entry;
    double beyond;
};

/// What is added to it becomes a multiple of 1/128.
inline constexpr double table_rounder = 0x1.8p+45;

template <class Fused>
[[gnu::always_inline]] inline TabledAngle tabled_angle(double magnitude) {
    const double shifted = table_rounder + magnitude;
    return {sin_cos_table[bits<Fused>(shifted) & 127], magnitude - (shifted - table_rounder)};
}

/// Coefficients for |t| <= 1/256: of t³ and t^5 in the sine, of t^4 and t^6 in 1 - cos t.
inline constexpr double short_s3 = -0x1.5555555555515p-3, short_s5 = 0x1.11110e829872fp-7,
                        short_c4 = -0x1.5555555555535p-5, short_c6 = 0x1.6c16bedd9e239p-10;

/// (sin t - t) / t³, for |t| <= 1/256.
template <class Fused>
[[gnu::always_inline]] inline double short_sine(double square) {
    return Fused::fma(short_s5, square, short_s3);
}

/// 1 - cos t, for |t| <= 1/256.
template <class Fused>
[[gnu::always_inline]] inline double short_versine(double square) {
    return square * Fused::fma(Fused::fma(short_c6, square, short_c4), square, 0.5);
}

/// Below this, sines are polynomials.
inline constexpr double sine_limit = 0.126;
inline constexpr double sine_s3 = -0x1.5555555555555p-3, sine_s5 = 0x1.1111111110ecep-7,
                        sine_s7 = -0x1.a01a019db08b8p-13, sine_s9 = 0x1.71de27b9a7ed9p-19,
                        sine_s11 = -0x1.addffc2fcdf59p-26;

/// (sin t - t) / t³, for |t| < sine_limit.
template <class Fused>
[[gnu::always_inline]] inline double long_sine(double square) {
    return Fused::fma(Fused::fma(Fused::fma(Fused::fma(sine_s11, square, sine_s9), square, sine_s7), square, sine_s5),
                      square, sine_s3);
}

/// sin(x + low), for |x| < 0.86.
template <class Fused>
[[gnu::always_inline]] inline double sin_of_sum(double x, double low) {
    const double magnitude = magnitude_of<Fused>(x);
    if (magnitude < sine_limit) {
        const double square = x * x;
        return x + Fused::fma(square, Fused::fma(long_sine<Fused>(square), x, -(0.5 * low)), low);
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
