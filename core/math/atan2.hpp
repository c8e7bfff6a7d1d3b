// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "math/atan_table.hpp"
#include "math/format.hpp"
#include "math/sin_cos.hpp"

/// IBM's accurate mathematical library, as glibc has it: the arctangent of a quotient of at most 1, which is known in
/// two parts, from polynomials around 241 centres.
namespace isovmaf::math {

/// smaller / larger, to twice the precision.
struct PreciseQuotient {
    double high, low;
};

template <class Fused>
[[gnu::always_inline]] inline PreciseQuotient precise_quotient(double smaller, double larger) {
    const double high = smaller / larger;
    const double product = larger * high;
    return {high, ((smaller - product) - Fused::fma(larger, high, -product)) / larger};
}

/// Quotients from here on have a polynomial of their own.
inline constexpr double atan_table_start = 0x1p-4;

/// Coefficients of u³ to u^13 in atan u, for 0 <= u < 1/16.
inline constexpr double atan_d3 = -0x1.5555555555555p-2, atan_d5 = 0x1.99999999997fdp-3,
                        atan_d7 = -0x1.24924923f7603p-3, atan_d9 = 0x1.c71c6e5129a3bp-4,
                        atan_d11 = -0x1.7458022b13c25p-4, atan_d13 = 0x1.375f08b31cbcep-4;

/// (atan u - u) / u³ of the square of u.
template <class Fused>
[[gnu::always_inline]] inline double atan_beyond_linear(double square) {
    const double from_9 = Fused::fma(Fused::fma(atan_d13, square, atan_d11), square, atan_d9);
    return Fused::fma(Fused::fma(Fused::fma(from_9, square, atan_d7), square, atan_d5), square, atan_d3);
}

/// What 256 times a quotient is added to becomes an integer in its low bits.
inline constexpr double centre_rounder = 0x1p52;
inline constexpr int first_centre = 16;

template <class Fused>
[[gnu::always_inline]] inline const ArctangentCentre &atan_centre(double u) {
    return atan_table[static_cast<unsigned>(Fused::fma(u, 256.0, centre_rounder) - centre_rounder) - first_centre];
}

/// a3 + a4 v + a5 v² + a6 v³ of a centre's polynomial a1 + a2 v + a3 v² + ...
template <class Fused>
[[gnu::always_inline]] inline double atan_from_3(const ArctangentCentre &centre, double v) {
    return Fused::fma(Fused::fma(Fused::fma(centre.a6, v, centre.a5), v, centre.a4), v, centre.a3);
}

/// atan(u.high + u.low)
template <class Fused>
double atan_of_quotient(const PreciseQuotient &u) {
    if (u.high < atan_table_start) {
        const double square = u.high * u.high;
        return u.high + Fused::fma(u.high * square, atan_beyond_linear<Fused>(square), u.low);
    }
    const ArctangentCentre &centre = atan_centre<Fused>(u.high);
    const double offset = u.high - centre.at;
    const double v = offset + u.low;
    const double rest =
        magnitude_of<Fused>(offset) > magnitude_of<Fused>(u.low) ? offset - v + u.low : u.low - v + offset;
    const double beyond = Fused::fma(rest, centre.a2, v * v * atan_from_3<Fused>(centre, v));
    return centre.a1 + Fused::fma(v, centre.a2, beyond);
}

/// turn + atan(u.high + u.low) with plus, turn - atan(u.high + u.low) without, where turn = turn_high + turn_low is
/// larger than the arctangent.
template <class Fused>
double turned_atan(double turn_high, double turn_low, bool plus, const PreciseQuotient &u) {
    const double high = plus ? u.high : -u.high, low = plus ? u.low : -u.low;
    if (u.high < atan_table_start) {
        const double square = u.high * u.high;
        const double beyond = u.high * square * atan_beyond_linear<Fused>(square);
        const double sum = turn_high + high;
        const double rest = (turn_high - sum + high) + turn_low + low + (plus ? beyond : -beyond);
        return sum + rest;
    }
    const ArctangentCentre &centre = atan_centre<Fused>(u.high);
    const double v = u.high - centre.at + u.low;
    const double slope = Fused::fma(atan_from_3<Fused>(centre, v), v, centre.a2);
    const double sum = turn_high + (plus ? centre.a1 : -centre.a1);
    return sum + Fused::fma(plus ? slope : -slope, v, turn_low);
}

/// Where a coordinate is a zero, an infinity or a NaN.
template <class Fused>
double atan2_of_special(double y, double x) {
    constexpr double pi = 2 * half_pi_high, three_quarters = 0x1.2d97c7f3321d2p+1;
    if (y != y || x != x)
        return not_a_number;
    const bool left = (bits<Fused>(x) & Binary64::sign) != 0;
    if (y == 0)
        return with_sign<Fused>(left ? pi : 0, y);
    const bool tall = magnitude_of<Fused>(y) == infinite, wide = magnitude_of<Fused>(x) == infinite;
    if (tall && wide)
        return with_sign<Fused>(left ? three_quarters : half_pi_high / 2, y);
    if (tall || x == 0)
        return with_sign<Fused>(half_pi_high, y);
    return with_sign<Fused>(left ? pi : 0, y);
}

template <class Fused>
bool is_finite_and_not_0(double x) {
    const double magnitude = magnitude_of<Fused>(x);
    return magnitude > 0 && magnitude < infinite;
}

template <class Fused>
double atan2_with(double y, double x) {
    constexpr double pi_high = 2 * half_pi_high, pi_low = 2 * half_pi_low;
    if (!is_finite_and_not_0<Fused>(y) || !is_finite_and_not_0<Fused>(x))
        return atan2_of_special<Fused>(y, x);
    double height = magnitude_of<Fused>(y), width = magnitude_of<Fused>(x);
    const auto exponent = [](double magnitude) {
        return static_cast<int>(bits<Fused>(magnitude) >> Binary64::fraction_bits);
    };
    constexpr int far_apart = 57;
    const int difference = exponent(height) - exponent(width);
    if (difference >= far_apart)
        return with_sign<Fused>(half_pi_high, y);
    if (difference <= -far_apart)
        return with_sign<Fused>(x > 0 ? height / width : pi_high, y);

    constexpr double tiny = 0x1p-500, huge = 0x1p500;
    if (width < tiny || height < tiny) {
        width *= huge;
        height *= huge;
    }
    if (width > huge || height > huge) {
        width *= tiny;
        height *= tiny;
    }
    const bool flat = x > 0 ? height < width : height <= width;
    const PreciseQuotient u = flat ? precise_quotient<Fused>(height, width) : precise_quotient<Fused>(width, height);
    if (flat)
        return with_sign<Fused>(x > 0 ? atan_of_quotient<Fused>(u) : turned_atan<Fused>(pi_high, pi_low, false, u), y);
    return with_sign<Fused>(turned_atan<Fused>(half_pi_high, half_pi_low, x < 0, u), y);
}

} // namespace isovmaf::math
