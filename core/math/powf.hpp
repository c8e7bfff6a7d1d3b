// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "math/format.hpp"
#include "math/log_table.hpp"
#include "math/pow_table.hpp"
#include "math/special_power.hpp"

namespace isovmaf::math {

/// Where the intervals of powf_log2_table start: 0x1.66p-1.
inline constexpr std::uint32_t powf_log2_table_start = 0x3f330000;

/// Coefficients of r to r^5 in log2(1 + r).
inline constexpr double powf_a1 = 0x1.71547652ab82bp+0, powf_a2 = -0x1.7154748bef6c8p-1, powf_a3 = 0x1.ec70a6ca7baddp-2,
                        powf_a4 = -0x1.71969a075c67ap-2, powf_a5 = 0x1.27616c9496e0bp-2;

/// Coefficients of r to r³ in 2^r, and what is added to a number so that it is rounded to 32nds.
inline constexpr double exp2_c1 = 0x1.62e42ff0c52d6p-1, exp2_c2 = 0x1.ebfce50fac4f3p-3, exp2_c3 = 0x1.c6af84b912394p-5,
                        exp2_rounder = 0x1.8p+47;

/// The logarithm to base 2 of a widened magnitude, as f64.
template <class Fused>
double log2_of_f32(std::uint32_t magnitude) {
    const auto [exponent, interval, mantissa] = split<Binary32, 4, Fused>(magnitude, powf_log2_table_start);
    const Reciprocal &entry = powf_log2_table[interval];
    const double r = Fused::fma(double{mantissa}, entry.inverse, -1.0);
    const double known = entry.log + static_cast<double>(exponent);

    const double square = r * r;
    const double low = Fused::fma(Fused::fma(powf_a3, r, powf_a2), square, Fused::fma(r, powf_a1, known));
    return Fused::fma(Fused::fma(powf_a5, r, powf_a4), square * square, low);
}

/// 2^x, negative if `negative`.
template <class Fused>
float exp2_of_f64(double x, bool negative) {
    const double shifted = x + exp2_rounder;
    const double r = x - (shifted - exp2_rounder);
    const std::uint64_t k = bits<Fused>(shifted);
    const std::uint64_t sign = negative ? Binary64::sign : 0;
    const double scale = number<Fused>((powf_exp2_table[k % 32] + (k << (Binary64::fraction_bits - 5))) ^ sign);

    const double square = r * r;
    return static_cast<float>(Fused::fma(Fused::fma(exp2_c3, r, exp2_c2), square, Fused::fma(r, exp2_c1, 1.0)) * scale);
}

template <class Fused>
float powf_with(float x, float y) {
    std::uint32_t magnitude = bits<Fused>(x);
    bool negative = false;
    if (is_special<Binary32, Fused>(magnitude, bits<Fused>(y))) {
        const SpecialPower<float> power = special_power<Binary32, Fused>(x, y);
        if (power.is_known)
            return power.value;
        negative = power.is_negative;
        magnitude = widened<Binary32, Fused>(magnitude & ~Binary32::sign);
    }
    const double exponent = double{y} * log2_of_f32<Fused>(magnitude);
    const float unit = negative ? -1.0F : 1.0F;
    if (exponent > 0x1.fffffffd1d571p+6) // the power would be rounded to 2^128
        return unit * number<Fused>(Binary32::infinity);
    if (exponent <= -150)
        return unit * 0;
    if (exponent < -149)
        return unit * 0x1p-149F;
    return exp2_of_f64<Fused>(exponent, negative);
}

} // namespace isovmaf::math
