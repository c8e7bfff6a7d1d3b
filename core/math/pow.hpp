// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "math/exp.hpp"
#include "math/format.hpp"
#include "math/log.hpp"
#include "math/pow_table.hpp"
#include "math/special_power.hpp"

namespace isovmaf::math {

/// Where the intervals of pow_log_table start: 0x1.69555p-1.
inline constexpr std::uint64_t pow_log_table_start = 0x3fe6955500000000;

/// Coefficients of the logarithm's r³ to r^8, for powers of -r/2 in place of pairs of r.
inline constexpr double pow_a1 = -0x1.555555555556p-1, pow_a2 = 0x1.0000000000006p-1, pow_a3 = 0x1.999999959554ep-1,
                        pow_a4 = -0x1.555555529a47ap-1, pow_a5 = -0x1.2495b9b4845e9p+0, pow_a6 = 0x1.0002b8b263fc3p+0;

/// The natural logarithm of a widened magnitude, to 68 bits.
template <class Fused>
PreciseLog precise_log(std::uint64_t magnitude) {
    const auto [exponent, interval, mantissa] = split<Binary64, 7, Fused>(magnitude, pow_log_table_start);
    const PreciseReciprocal &entry = pow_log_table[interval];
    const auto k = static_cast<double>(exponent);
    const double r = Fused::fma(mantissa, entry.inverse, -1.0);

    const double known = Fused::fma(k, ln_2_high, entry.log);
    const double known_rest = Fused::fma(k, ln_2_low, entry.log_tail);
    const double linear = known + r;
    const double linear_rest = known - linear + r;

    const double half = -0.5 * r, half_square = r * half, half_cube = r * half_square;
    const double square_rest = Fused::fma(half, r, -half_square);
    const double sum = linear + half_square;
    const double sum_rest = linear - sum + half_square;
    const double from_3 = Fused::fma(Fused::fma(r, pow_a6, pow_a5), half_square, Fused::fma(pow_a4, r, pow_a3));
    const double from_1 = Fused::fma(half_square, from_3, Fused::fma(pow_a2, r, pow_a1));
    const double rest = Fused::fma(half_cube, from_1, known_rest + linear_rest + square_rest + sum_rest);
    const double high = sum + rest;
    return {high, sum - high + rest};
}

/// e^(exponent + rest), negated if `negative`.
template <class Fused>
double exp_of_sum(double exponent, double rest, bool negative) {
    const double magnitude = exponent < 0 ? -exponent : exponent, unit = negative ? -1.0 : 1.0;
    if (magnitude < least_exponent)
        return unit * (1 + exponent);
    if (magnitude >= 1024)
        return unit * (exponent < 0 ? 0 : infinite);
    ReducedExponent reduced = reduce_exponent<Fused>(exponent);
    reduced.r += rest;
    ScaledExp parts = exp_of_reduced<Fused>(reduced);
    parts.scale ^= negative ? Binary64::sign : 0;
    return magnitude < exponent_limit ? sum_of<Fused>(parts) : sum_at_limits<Fused>(parts, reduced.k);
}

template <class Fused>
double pow_with(double x, double y) {
    std::uint64_t magnitude = bits<Fused>(x);
    bool negative = false;
    if (is_special<Binary64, Fused>(magnitude, bits<Fused>(y))) {
        const SpecialPower<double> power = special_power<Binary64, Fused>(x, y);
        if (power.is_known)
            return power.value;
        negative = power.is_negative;
        magnitude &= ~Binary64::sign;
    }
    const double y_magnitude = y < 0 ? -y : y;
    if (!(y_magnitude >= 0x1p-65 && y_magnitude < 0x1p63)) {
        if (magnitude == Binary64::one)
            return 1;
        if (y_magnitude < 1)
            return magnitude > Binary64::one ? 1 + y : 1 - y;
        return (magnitude > Binary64::one) == (y > 0) ? infinite : 0;
    }
    const PreciseLog log = precise_log<Fused>(widened<Binary64, Fused>(magnitude));
    const double exponent = y * log.high;
    const double rest = Fused::fma(y, log.low, Fused::fma(log.high, y, -exponent));
    return exp_of_sum<Fused>(exponent, rest, negative);
}

} // namespace isovmaf::math
