// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "math/format.hpp"
#include "math/log_table.hpp"

namespace isovmaf::math {

/// ln 2 in two parts: the products of the high one with exponents are exact.
inline constexpr double ln_2_high = 0x1.62e42fefa38p-1, ln_2_low = 0x1.ef35793c7673p-45;

/// Where the intervals of log_table and log2_table start: 0x1.6p-1.
inline constexpr std::uint64_t log_tables_start = 0x3fe6000000000000;

/// Where log2_table's logarithms would cancel, from the first number to below the second.
inline constexpr double log2_near_1_first = 1 - 0x1.5b51p-5, log2_near_1_end = 1 + 0x1.6ab2p-5;

/// 1 / ln 2 in two parts.
inline constexpr double log2_e_high = 0x1.71547652p+0, log2_e_low = 0x1.705fc2eefa2p-33;

/// Coefficients of r² to r^7 in log2(1 + r), and near 1 of r² to r^11.
inline constexpr double log2_a0 = -0x1.71547652b8339p-1, log2_a1 = 0x1.ec709dc3a04bep-2,
                        log2_a2 = -0x1.7154764702ffbp-2, log2_a3 = 0x1.2776c50034c48p-2,
                        log2_a4 = -0x1.ec7b328ea92bcp-3, log2_a5 = 0x1.a6225e117f92ep-3;
inline constexpr double log2_b0 = -0x1.71547652b82fep-1, log2_b1 = 0x1.ec709dc3a03f7p-2,
                        log2_b2 = -0x1.71547652b7c3fp-2, log2_b3 = 0x1.2776c50f05be4p-2,
                        log2_b4 = -0x1.ec709dd768fe5p-3, log2_b5 = 0x1.a61761ec4e736p-3,
                        log2_b6 = -0x1.7153fbc64a79bp-3, log2_b7 = 0x1.484d154f01b4ap-3,
                        log2_b8 = -0x1.289e4a72c383cp-3, log2_b9 = 0x1.0b32f285aee66p-3;

/// A logarithm as the sum of two numbers.
struct PreciseLog {
    double high, low;
};

/// The logarithm, to any base, of what has no finite one: of zeros, negative numbers, infinities and NaN.
template <class Fused>
double log_of_special(double x) {
    return x == 0 ? -infinite : x > 0 ? x : not_a_number;
}

/// Whether the logarithm is finite.
template <class Fused>
bool has_log(double x) {
    return x > 0 && x < infinite;
}

/// Near 1, where the table's logarithms would cancel: r = x - 1, and r - r²/2 in two parts.
template <class Fused>
double log_near_1(double r) {
    constexpr double b1 = 0x1.5555555555577p-2, b2 = -0x1.ffffffffffdcbp-3, b3 = 0x1.999999995dd0cp-3,
                     b4 = -0x1.55555556745a7p-3, b5 = 0x1.24924a344de3p-3, b6 = -0x1.fffffa4423d65p-4,
                     b7 = 0x1.c7184282ad6cap-4, b8 = -0x1.999eb43b068ffp-4, b9 = 0x1.78182f7afd085p-4,
                     b10 = -0x1.5521375d145cdp-4;
    const double r2 = r * r, r3 = r * r2;
    const double from_7 = Fused::fma(r3, b10, Fused::fma(r2, b9, Fused::fma(b8, r, b7)));
    const double from_4 = Fused::fma(from_7, r3, Fused::fma(r2, b6, Fused::fma(b5, r, b4)));
    const double from_1 = Fused::fma(from_4, r3, Fused::fma(r2, b3, Fused::fma(b2, r, b1)));

    const double high = Fused::fma(-0x1p27, r, Fused::fma(r, 0x1p27, r)), low = r - high; // high: 26 bits of r
    const double half_square = high * high;                                               // exact
    const double sum = Fused::fma(half_square, -0.5, r);
    const double rest = Fused::fma(-0.5 * low, r + high, Fused::fma(half_square, -0.5, r - sum));
    return sum + Fused::fma(from_1, r3, rest);
}

template <class Fused>
double log_with(double x) {
    if (x >= 1 - 0x1p-4 && x < 1 + 0x1.09p-4)
        return x == 1 ? 0 : log_near_1<Fused>(x - 1);
    if (!has_log<Fused>(x))
        return log_of_special<Fused>(x);
    const auto [exponent, interval, mantissa] =
        split<Binary64, 7, Fused>(widened<Binary64, Fused>(bits<Fused>(x)), log_tables_start);
    const Reciprocal &entry = log_table[interval];
    const auto k = static_cast<double>(exponent);
    const double r = Fused::fma(mantissa, entry.inverse, -1.0);

    const double known = Fused::fma(k, ln_2_high, entry.log);
    const double sum = known + r;
    const double rest = Fused::fma(k, ln_2_low, known - sum + r);

    constexpr double a0 = -0x1.0000000000001p-1, a1 = 0x1.555555551305bp-2, a2 = -0x1.fffffffeb459p-3,
                     a3 = 0x1.999b324f10111p-3, a4 = -0x1.55575e506c89fp-3;
    const double r2 = r * r;
    const double from_1 = Fused::fma(Fused::fma(r, a4, a3), r2, Fused::fma(a2, r, a1));
    return Fused::fma(r * r2, from_1, Fused::fma(r2, a0, rest)) + sum;
}

/// r / ln 2: what log2(1 + r) is for small r.
template <class Fused>
[[gnu::always_inline]] inline PreciseLog linear_log2(double r) {
    const double high = log2_e_high * r;
    return {high, Fused::fma(r, log2_e_low, Fused::fma(log2_e_high, r, -high))};
}

template <class Fused>
double log2_near_1(double r) {
    const double r2 = r * r, r4 = r2 * r2;
    const PreciseLog linear = linear_log2<Fused>(r);
    const double from_0 = Fused::fma(log2_b1, r, log2_b0);
    const double sum = Fused::fma(from_0, r2, linear.high);
    const double rest = Fused::fma(from_0, r2, linear.high - sum) + linear.low;
    const double from_2 = Fused::fma(Fused::fma(log2_b5, r, log2_b4), r2, Fused::fma(log2_b3, r, log2_b2));
    const double from_6 = Fused::fma(Fused::fma(r, log2_b9, log2_b8), r2, Fused::fma(log2_b7, r, log2_b6));
    return sum + Fused::fma(Fused::fma(from_6, r4, from_2), r4, rest);
}

template <class Fused>
double log2_with(double x) {
    if (x >= log2_near_1_first && x < log2_near_1_end)
        return x == 1 ? 0 : log2_near_1<Fused>(x - 1);
    if (!has_log<Fused>(x))
        return log_of_special<Fused>(x);
    const auto [exponent, interval, mantissa] =
        split<Binary64, 6, Fused>(widened<Binary64, Fused>(bits<Fused>(x)), log_tables_start);
    const Reciprocal &entry = log2_table[interval];
    const double r = Fused::fma(mantissa, entry.inverse, -1.0);

    const double known = static_cast<double>(exponent) + entry.log;
    const PreciseLog linear = linear_log2<Fused>(r);
    const double sum = linear.high + known;
    const double rest = known - sum + linear.high + linear.low;

    const double r2 = r * r, r4 = r2 * r2;
    const double from_0 = Fused::fma(Fused::fma(log2_a3, r, log2_a2), r2, Fused::fma(log2_a1, r, log2_a0));
    return Fused::fma(r2, Fused::fma(Fused::fma(r, log2_a5, log2_a4), r4, from_0), rest) + sum;
}

/// log10 x = n · log10 2 + log10 e · log(x / 2^n), with x / 2^n in [1, 2) or, below 1, in [1/2, 1): fdlibm's formula,
/// nothing fused in it.
template <class Fused>
double log10_with(double x) {
    if (!has_log<Fused>(x))
        return log_of_special<Fused>(x);
    constexpr double log10_2_high = 0x1.34413509f6p-2, log10_2_low = 0x1.9fef311f12b36p-42;
    constexpr double log10_e = 0x1.bcb7b1526e50ep-2;
    const std::uint64_t value = widened<Binary64, Fused>(bits<Fused>(x));
    const auto [exponent, interval, mantissa] = split<Binary64, 0, Fused>(value, Binary64::one);
    const bool below_1 = exponent < 0;
    const auto n = static_cast<double>(exponent + (below_1 ? 1 : 0));
    const double log = log_with<Fused>(below_1 ? mantissa / 2 : mantissa);
    return (n * log10_2_low + log10_e * log) + n * log10_2_high;
}

} // namespace isovmaf::math
