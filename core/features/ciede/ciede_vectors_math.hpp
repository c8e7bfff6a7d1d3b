// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// The functions of core/math in vectors, for the arguments that CIEDE2000 has: the same operations on each lane, with
// the same ones fused. Special values and results that are not normal are left out.
#include "simd/fused.hpp"
#include "simd/lanes.hpp"

#include "features/ciede/ciede_functions.hpp"
#include "math/atan2.hpp"
#include "math/exp.hpp"
#include "math/pow.hpp"
#include "math/powf.hpp"
#include "math/sin_cos.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

/// Four numbers of each lane: the first ones of row `row` in a table with rows of 2^row_bits.
struct Quads {
    VF64 first, second, third, fourth;
};

template <int row_bits>
HWY_INLINE Quads gather_quads(const double *table, VU64 row) {
    const VU64 index = hn::ShiftLeft<row_bits>(row);
#if HWY_TARGET == HWY_AVX2
    HWY_ALIGN std::uint64_t at[4];
    hn::Store(index, du64, at);
    const __m256d row_0 = _mm256_loadu_pd(table + at[0]), row_1 = _mm256_loadu_pd(table + at[1]);
    const __m256d row_2 = _mm256_loadu_pd(table + at[2]), row_3 = _mm256_loadu_pd(table + at[3]);
    const __m256d low_01 = _mm256_unpacklo_pd(row_0, row_1), high_01 = _mm256_unpackhi_pd(row_0, row_1);
    const __m256d low_23 = _mm256_unpacklo_pd(row_2, row_3), high_23 = _mm256_unpackhi_pd(row_2, row_3);
    return {VF64{_mm256_permute2f128_pd(low_01, low_23, 0x20)}, VF64{_mm256_permute2f128_pd(high_01, high_23, 0x20)},
            VF64{_mm256_permute2f128_pd(low_01, low_23, 0x31)}, VF64{_mm256_permute2f128_pd(high_01, high_23, 0x31)}};
#else
    return {gather(df64, table, index), gather(df64, table + 1, index), gather(df64, table + 2, index),
            gather(df64, table + 3, index)};
#endif
}

/// exp(x + rest), for |x| < 512.
HWY_INLINE VF64 exp_of_sum(const CiedeTables &tables, VF64 x, VF64 rest) {
    const VF64 shifted = fma(x, math::exp_steps, math::integer_rounder);
    const VF64 k = hn::Sub(shifted, constant(math::integer_rounder));
    const VF64 r = hn::Add(fma(k, constant(-math::exp_step_low), fma(k, constant(-math::exp_step_high), x)), rest);
    const Pairs entry = gather_pairs(tables.exp, low_bits(shifted, 127));
    const VF64 square = hn::Mul(r, r);
    const VF64 low = fma(fma(r, math::exp_c3, math::exp_c2), square, hn::Add(r, entry.first));
    const VF64 growth = fma(hn::Mul(square, square), fma(r, math::exp_c5, math::exp_c4), low);
    const VF64 scale = number_of(hn::Add(bits_of(entry.second), hn::ShiftLeft<math::exp_k_shift>(bits_of(shifted))));
    return fma(scale, growth, scale);
}

/// x^y, for positive x, where the power is a normal number.
HWY_INLINE VF64 power_of(const CiedeTables &tables, VF64 x, double exponent) {
    const SplitNumber parts = split<7>(x, math::pow_log_table_start);
    const Quads entry = gather_quads<2>(tables.log, parts.interval);
    const VF64 k = parts.exponent, r = fma(parts.mantissa, entry.first, -1.0);
    const VF64 known = fma(k, constant(math::ln_2_high), entry.second);
    const VF64 known_rest = fma(k, constant(math::ln_2_low), entry.third);
    const VF64 linear = hn::Add(known, r);
    const VF64 linear_rest = hn::Add(hn::Sub(known, linear), r);

    const VF64 half = hn::Mul(constant(-0.5), r), half_square = hn::Mul(r, half), half_cube = hn::Mul(r, half_square);
    const VF64 square_rest = hn::MulSub(half, r, half_square);
    const VF64 sum = hn::Add(linear, half_square);
    const VF64 sum_rest = hn::Add(hn::Sub(linear, sum), half_square);
    const VF64 from_3 = fma(fma(r, math::pow_a6, math::pow_a5), half_square, fma(r, math::pow_a4, math::pow_a3));
    const VF64 from_1 = fma(half_square, from_3, fma(r, math::pow_a2, math::pow_a1));
    const VF64 rest = fma(half_cube, from_1, hn::Add(hn::Add(hn::Add(known_rest, linear_rest), square_rest), sum_rest));
    const VF64 high = hn::Add(sum, rest), low = hn::Add(hn::Sub(sum, high), rest);

    const VF64 y = constant(exponent), product = hn::Mul(y, high);
    return exp_of_sum(tables, product, fma(y, low, hn::MulSub(high, y, product)));
}

/// powf(x, 7) before it is rounded to f32, for f32 x above 0. Where it is not normal as f32 its rounding may differ.
HWY_INLINE VF64 seventh_power_of(const CiedeTables &tables, VF64 x) {
    constexpr std::uint64_t start =
        (std::uint64_t{1023 - 127} << 52) + (std::uint64_t{math::powf_log2_table_start} << 29);
    const SplitNumber parts = split<4>(x, start);
    const Pairs entry = gather_pairs(tables.powf_log2, parts.interval);
    const VF64 r = fma(parts.mantissa, entry.first, -1.0);
    const VF64 known = hn::Add(entry.second, parts.exponent);
    const VF64 square = hn::Mul(r, r);
    const VF64 low = fma(fma(r, math::powf_a3, math::powf_a2), square, fma(r, constant(math::powf_a1), known));
    const VF64 log = fma(fma(r, math::powf_a5, math::powf_a4), hn::Mul(square, square), low);

    const VF64 exponent = hn::Mul(constant(7), log);
    const VF64 shifted = hn::Add(exponent, constant(math::exp2_rounder));
    const VF64 s = hn::Sub(exponent, hn::Sub(shifted, constant(math::exp2_rounder)));
    const VF64 scale =
        number_of(hn::Add(gather(du64, tables.exp2, low_bits(shifted, 31)), hn::ShiftLeft<52 - 5>(bits_of(shifted))));
    const VF64 s_square = hn::Mul(s, s);
    return hn::Mul(fma(fma(s, math::exp2_c3, math::exp2_c2), s_square, fma(s, math::exp2_c1, 1.0)), scale);
}

/// The sine of x + low, or the cosine in lanes of `is_cosine`, for |x| < 0.86.
HWY_INLINE VF64 sine_of_sum(const CiedeTables &tables, VF64 x, VF64 low, MF64 is_cosine) {
    const VF64 zero = hn::Zero(df64), magnitude = hn::Abs(x);
    const VF64 shifted = hn::Add(constant(math::table_rounder), magnitude);
    const auto [sine, sine_rest, cosine, cosine_rest] = gather_quads<2>(tables.sine, low_bits(shifted, 127));

    // A cosine is main - versine · main - short sine · sine; a sine is main - versine · main + short sine · cosine.
    const VF64 main = hn::IfThenElse(is_cosine, cosine, sine);
    const VF64 main_rest = hn::IfThenElse(is_cosine, cosine_rest, sine_rest);
    const VF64 other = hn::IfThenElse(is_cosine, hn::Neg(sine), cosine);
    const VF64 other_rest = hn::IfThenElse(is_cosine, hn::Neg(sine_rest), cosine_rest);
    const VF64 upright = hn::IfThenElse(hn::Lt(x, zero), hn::Neg(low), low);
    const VF64 t = hn::Add(hn::Sub(magnitude, hn::Sub(shifted, constant(math::table_rounder))),
                           hn::IfThenElse(is_cosine, upright, zero));
    const VF64 rest = hn::IfThenElse(is_cosine, zero, upright);
    const VF64 square = hn::Mul(t, t), cube = hn::Mul(t, square), beyond = fma(square, math::short_s5, math::short_s3);
    const VF64 short_sine = hn::IfThenElse(is_cosine, fma(cube, beyond, t), hn::Add(t, fma(cube, beyond, rest)));
    const VF64 versine = fma(t, rest, hn::Mul(square, fma(fma(square, math::short_c6, math::short_c4), square, 0.5)));
    const VF64 low_part = hn::NegMulAdd(versine, main, fma(short_sine, other_rest, main_rest));
    const VF64 tabled = hn::Add(main, fma(short_sine, other, low_part));

    const VF64 x_square = hn::Mul(x, x);
    const VF64 from_7 = fma(fma(x_square, math::sine_s11, math::sine_s9), x_square, math::sine_s7);
    const VF64 from_3 = fma(fma(from_7, x_square, math::sine_s5), x_square, math::sine_s3);
    const VF64 short_one = hn::Add(x, fma(x_square, hn::MulSub(from_3, x, hn::Mul(constant(0.5), low)), low));
    const VF64 signed_one = hn::CopySign(tabled, x);
    return hn::IfThenElse(is_cosine, tabled,
                          hn::IfThenElse(hn::Lt(magnitude, constant(math::sine_limit)), short_one, signed_one));
}

/// For |x| < 2.4.
HWY_INLINE VF64 sine_of(const CiedeTables &tables, VF64 x) {
    const VF64 magnitude = hn::Abs(x);
    const MF64 is_turned = hn::Ge(magnitude, constant(math::subtract_limit));
    const VF64 high = hn::IfThenElse(is_turned, hn::Sub(constant(math::half_pi_high), magnitude), x);
    const VF64 low = hn::IfThenElseZero(is_turned, constant(math::half_pi_low));
    const VF64 sine = sine_of_sum(tables, high, low, is_turned);
    return hn::IfThenElse(is_turned, hn::CopySign(sine, x), sine);
}

/// For |x| < 2^20.
HWY_INLINE VF64 cosine_of(const CiedeTables &tables, VF64 x) {
    const VF64 magnitude = hn::Abs(x);
    const VF64 shifted = fma(x, math::quarters_per_radian, math::integer_rounder);
    const VF64 n = hn::Sub(shifted, constant(math::integer_rounder));
    const VF64 first = hn::NegMulAdd(n, constant(math::quarter_2), hn::NegMulAdd(n, constant(math::quarter_1), x));
    const VF64 second = hn::NegMulAdd(n, constant(math::quarter_3), first);
    const VF64 rest = hn::NegMulAdd(n, constant(math::quarter_3), hn::Sub(first, second));
    const VF64 reduced = hn::NegMulAdd(n, constant(math::quarter_4), second);
    const VF64 reduced_low = hn::Add(rest, hn::NegMulAdd(n, constant(math::quarter_4), hn::Sub(second, reduced)));

    const VF64 turned = hn::Sub(constant(math::half_pi_high), magnitude);
    const VF64 turned_high = hn::Add(turned, constant(math::half_pi_low));
    const VF64 turned_low = hn::Add(hn::Sub(turned, turned_high), constant(math::half_pi_low));

    const MF64 is_small = hn::Lt(magnitude, constant(math::subtract_limit));
    const MF64 is_reduced = hn::Ge(magnitude, constant(math::reduce_limit));
    const VF64 high = hn::IfThenElse(is_small, x, hn::IfThenElse(is_reduced, reduced, turned_high));
    const VF64 low = hn::IfThenElse(is_small, hn::Zero(df64), hn::IfThenElse(is_reduced, reduced_low, turned_low));
    const VU64 quarters = bits_of(shifted), one = hn::Set(du64, 1);
    const MF64 is_even = hn::MaskFromVec(number_of(hn::Sub(hn::And(quarters, one), one))); // all bits, or none
    const MF64 is_cosine = hn::Or(is_small, hn::And(is_reduced, is_even));
    const VF64 sine = sine_of_sum(tables, high, low, is_cosine);
    // bit 1 of quarters + 1 is the sign
    const VF64 sign = number_of(hn::ShiftLeft<62>(hn::And(hn::Add(quarters, one), hn::Set(du64, 2))));
    return hn::IfThenElse(is_reduced, hn::Xor(sine, sign), sine);
}

/// For f32 coordinates that are not both 0 and whose magnitudes are 0 or between 2^-400 and 2^400.
HWY_INLINE VF64 arctangent_of(const CiedeTables &tables, VF64 y, VF64 x) {
    const VF64 zero = hn::Zero(df64), height = hn::Abs(y), width = hn::Abs(x);
    const MF64 is_right = hn::Gt(x, zero);
    const MF64 is_flat = hn::Or(hn::Lt(height, width), hn::AndNot(is_right, hn::Eq(height, width)));
    const VF64 larger = hn::IfThenElse(is_flat, width, height), smaller = hn::IfThenElse(is_flat, height, width);
    const VF64 u = hn::Div(smaller, larger), product = hn::Mul(larger, u);
    const VF64 low = hn::Div(hn::Sub(hn::Sub(smaller, product), hn::MulSub(larger, u, product)), larger);

    // turn + sign · atan(u + low); without a turn, the arctangent has steps of its own
    const MF64 has_turn = hn::Not(hn::And(is_flat, is_right)), is_minus = hn::Or(is_flat, is_right);
    const VF64 turn_high = hn::IfThenElse(is_flat, constant(2 * math::half_pi_high), constant(math::half_pi_high));
    const VF64 turn_low = hn::IfThenElse(is_flat, constant(2 * math::half_pi_low), constant(math::half_pi_low));
    const VF64 sign = hn::IfThenElseZero(is_minus, constant(-0.0));

    const VF64 square = hn::Mul(u, u), cube = hn::Mul(u, square);
    const VF64 from_9 = fma(fma(square, math::atan_d13, math::atan_d11), square, math::atan_d9);
    const VF64 from_3 = fma(fma(fma(from_9, square, math::atan_d7), square, math::atan_d5), square, math::atan_d3);
    const VF64 signed_u = hn::Xor(u, sign), sum = hn::Add(turn_high, signed_u);
    const VF64 sum_rest = hn::Add(hn::Add(hn::Sub(turn_high, sum), signed_u), turn_low);
    const VF64 turned =
        hn::Add(sum, hn::Add(hn::Add(sum_rest, hn::Xor(low, sign)), hn::Xor(hn::Mul(cube, from_3), sign)));
    const VF64 near_0 = hn::IfThenElse(has_turn, turned, hn::Add(u, fma(cube, from_3, low)));

    const VF64 tabled_u = hn::Max(u, constant(math::atan_table_start));
    const VU64 index = hn::Sub(low_bits(fma(tabled_u, 256.0, math::centre_rounder), 511),
                               hn::Set(du64, std::uint64_t{math::first_centre}));
    const auto [at, a1, a2, a3] = gather_quads<3>(tables.arctangent, index);
    const Quads higher = gather_quads<3>(tables.arctangent + 4, index);
    const VF64 offset = hn::Sub(u, at), v = hn::Add(offset, low);
    const VF64 tail = fma(fma(fma(higher.third, v, higher.second), v, higher.first), v, a3);
    const MF64 is_longer = hn::Gt(hn::Abs(offset), hn::Abs(low));
    const VF64 rest = hn::IfThenElse(is_longer, hn::Add(hn::Sub(offset, v), low), hn::Add(hn::Sub(low, v), offset));
    const VF64 beyond = fma(rest, a2, hn::Mul(hn::Mul(v, v), tail));
    const VF64 slope = fma(tail, v, a2);
    const VF64 tabled =
        hn::IfThenElse(has_turn, hn::Add(hn::Add(turn_high, hn::Xor(a1, sign)), fma(hn::Xor(slope, sign), v, turn_low)),
                       hn::Add(a1, fma(v, a2, beyond)));
    return hn::CopySign(hn::IfThenElse(hn::Lt(u, constant(math::atan_table_start)), near_0, tabled), y);
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();
