// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "math/exp_table.hpp"
#include "math/format.hpp"

namespace isovmaf::math {

/// e^x = 2^(k/128) · e^r with |r| <= ln 2 / 256.
struct ReducedExponent {
    double r;
    std::uint64_t k; ///< its low 32 bits are the integer's, in two's complement
};

inline constexpr double exp_steps = 0x1.71547652b82fep+7; ///< 128 / ln 2
inline constexpr double integer_rounder = 0x1.8p+52;      ///< what is added to it becomes an integer in its low bits
inline constexpr double exp_step_high = 0x1.62e42fefap-8, exp_step_low = 0x1.cf79abc9e3b3ap-47; ///< ln 2 / 128

template <class Fused>
[[gnu::always_inline]] inline ReducedExponent reduce_exponent(double x) {
    const double shifted = Fused::fma(exp_steps, x, integer_rounder);
    const double k = shifted - integer_rounder;
    const double r = Fused::fma(k, -exp_step_low, Fused::fma(k, -exp_step_high, x));
    return {r, bits<Fused>(shifted)};
}

/// scale + scale · growth
struct ScaledExp {
    std::uint64_t scale; ///< bits of 2^(k/128), whose exponent field may have overflowed
    double growth;       ///< e^r - 1, and what follows the rounding of the scale
};

/// Coefficients of r² to r^5.
inline constexpr double exp_c2 = 0x1.ffffffffffdbdp-2, exp_c3 = 0x1.555555555543cp-3, exp_c4 = 0x1.55555cf172b91p-5,
                        exp_c5 = 0x1.1111167a4d017p-7;
inline constexpr int exp_k_shift = Binary64::fraction_bits - 7; ///< 2^7 = 128

template <class Fused>
[[gnu::always_inline]] inline ScaledExp exp_of_reduced(const ReducedExponent &reduced) {
    const double r = reduced.r;
    const std::uint64_t(&entry)[2] = exp_table[reduced.k % 128];
    const double square = r * r;
    const double low = Fused::fma(Fused::fma(exp_c3, r, exp_c2), square, r + number<Fused>(entry[0]));
    return {entry[1] + (reduced.k << exp_k_shift), Fused::fma(square * square, Fused::fma(exp_c5, r, exp_c4), low)};
}

/// Where the scale's exponent fits its field.
template <class Fused>
[[gnu::always_inline]] inline double sum_of(const ScaledExp &parts) {
    const double scale = number<Fused>(parts.scale);
    return Fused::fma(scale, parts.growth, scale);
}

/// scale + grown, which is going to be multiplied with 2^-1022: rounded where the product's last bit will be, so that
/// the product is exact.
template <class Fused>
double sum_before_underflow(double scale, double grown) {
    const double sum = scale + grown;
    if (sum >= 1 || sum <= -1)
        return sum;
    const double unit = sum < 0 ? -1.0 : 1.0;
    const double high = unit + sum;
    const double rest = scale - sum + grown;
    const double rounded = (unit - high + sum + rest + high) - unit;
    return rounded == 0 ? unit * 0 : rounded;
}

/// Where the result may be infinite or subnormal. `k` is the reduced exponent's.
template <class Fused>
[[gnu::noinline]] double sum_at_limits(const ScaledExp &parts, std::uint64_t k) {
    const auto with_exponent = [&parts](int added) {
        return ScaledExp{parts.scale + (static_cast<std::uint64_t>(added) << Binary64::fraction_bits), parts.growth};
    };
    if ((k & 0x80000000) == 0)
        return 0x1p1009 * sum_of<Fused>(with_exponent(-1009));
    const double scale = number<Fused>(with_exponent(1022).scale);
    return 0x1p-1022 * sum_before_underflow<Fused>(scale, scale * parts.growth);
}

/// The magnitudes of exponents whose powers need no care. Those of smaller ones round to 1.
inline constexpr double least_exponent = 0x1p-54, exponent_limit = 512;

template <class Fused>
double exp_with(double x) {
    const double magnitude = x < 0 ? -x : x;
    if (magnitude >= least_exponent && magnitude < exponent_limit) [[likely]]
        return sum_of<Fused>(exp_of_reduced<Fused>(reduce_exponent<Fused>(x)));
    if (magnitude >= 1024)
        return x < 0 ? 0 : infinite;
    if (!(magnitude >= least_exponent)) // NaN, too
        return 1 + x;
    const ReducedExponent reduced = reduce_exponent<Fused>(x);
    return sum_at_limits<Fused>(exp_of_reduced<Fused>(reduced), reduced.k);
}

} // namespace isovmaf::math
