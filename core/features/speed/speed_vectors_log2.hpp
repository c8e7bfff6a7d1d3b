// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// Part of speed_vectors.cpp: logarithms, of which entropies are made (speed.md §8).
#include "simd/fused.hpp"

#include "features/speed/speed_functions.hpp"
#include "math/log.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

#if HWY_NATIVE_FMA

struct VectorLog {
    VF64 high, low;
};

HWY_INLINE VectorLog linear_log2(VF64 r) {
    const VF64 high = hn::Mul(constant(math::log2_e_high), r);
    return {high, fma(r, constant(math::log2_e_low), fma(constant(math::log2_e_high), r, hn::Neg(high)))};
}

HWY_INLINE VF64 log2_near_1(VF64 r) {
    const VF64 r2 = hn::Mul(r, r), r4 = hn::Mul(r2, r2);
    const VectorLog linear = linear_log2(r);
    const VF64 from_0 = fma(r, math::log2_b1, math::log2_b0);
    const VF64 sum = fma(from_0, r2, linear.high);
    const VF64 rest = hn::Add(fma(from_0, r2, hn::Sub(linear.high, sum)), linear.low);
    const VF64 from_2 = fma(fma(r, math::log2_b5, math::log2_b4), r2, fma(r, math::log2_b3, math::log2_b2));
    const VF64 from_6 = fma(fma(r, math::log2_b9, math::log2_b8), r2, fma(r, math::log2_b7, math::log2_b6));
    return hn::Add(sum, fma(fma(from_6, r4, from_2), r4, rest));
}

/// math::log2 of positive, finite numbers that are not subnormal.
HWY_INLINE VF64 log2_of(const double *rows, VF64 x) {
    const SplitNumber parts = split<6>(x, math::log_tables_start);
    const Pairs entry = gather_pairs(rows, parts.interval);
    const VF64 r = fma(parts.mantissa, entry.first, -1.0);
    const VF64 known = hn::Add(parts.exponent, entry.second);
    const VectorLog linear = linear_log2(r);
    const VF64 sum = hn::Add(linear.high, known);
    const VF64 rest = hn::Add(hn::Add(hn::Sub(known, sum), linear.high), linear.low);
    const VF64 r2 = hn::Mul(r, r), r4 = hn::Mul(r2, r2);
    const VF64 from_0 = fma(fma(r, math::log2_a3, math::log2_a2), r2, fma(r, math::log2_a1, math::log2_a0));
    const VF64 log = hn::Add(fma(r2, fma(fma(r, math::log2_a5, math::log2_a4), r4, from_0), rest), sum);

    const MF64 is_near_1 =
        hn::And(hn::Ge(x, constant(math::log2_near_1_first)), hn::Lt(x, constant(math::log2_near_1_end)));
    if (hn::AllFalse(df64, is_near_1))
        return log;
    return hn::IfThenElse(is_near_1, log2_near_1(hn::Sub(x, constant(1))), log);
}

HWY_INLINE bool have_log(VF64 x) {
    return hn::AllTrue(df64, hn::And(hn::Ge(x, constant(0x1p-1022)), hn::Lt(x, constant(math::infinite))));
}

bool log2_of_all(const double *rows, double *values, int count) {
    HWY_ALIGN double rest[lanes_64]; // behind the last whole vector
    const int whole = count / lanes_64 * lanes_64;
    for (int i = 0; i < lanes_64; i++)
        rest[i] = whole + i < count ? values[whole + i] : 1;
    bool all = have_log(hn::Load(df64, rest));
    for (int i = 0; i < whole; i += lanes_64)
        all &= have_log(hn::LoadU(df64, values + i));
    if (!all)
        return false;
    for (int i = 0; i < whole; i += lanes_64)
        hn::StoreU(log2_of(rows, hn::LoadU(df64, values + i)), df64, values + i);
    hn::Store(log2_of(rows, hn::Load(df64, rest)), df64, rest);
    for (int i = whole; i < count; i++)
        values[i] = rest[i - whole];
    return true;
}

#else

bool log2_of_all(const double *, double *, int) { return false; }

#endif

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();
