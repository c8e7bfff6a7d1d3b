// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "simd/vectors.hpp"

#include "features/vif/vif_math.h"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

// Part of vif_vectors.cpp: the logarithm of features.md §3.3 without its table.

/// L of each lane, up to a constant: 256 * eighths + rest.
struct Log {
    VI32 eighths; ///< exponent and first three bits of the mantissa: eighths of an octave's numbers
    VI32 rest;    ///< by a polynomial of the next twelve bits
};

/// Each lane's entry of a table of eight.
HWY_INLINE VF32 look_up(const float *table, VI32 index) {
    if constexpr (lanes_32 == 4) {
        const auto entry = hn::IndicesFromVec(df32, hn::And(index, hn::Set(di32, 3)));
        const auto upper = hn::Ne(hn::And(index, hn::Set(di32, 4)), hn::Zero(di32));
        return hn::IfThenElse(hn::RebindMask(df32, upper), hn::TableLookupLanes(hn::LoadU(df32, table + 4), entry),
                              hn::TableLookupLanes(hn::LoadU(df32, table), entry));
    } else {
#if HWY_ARCH_X86 // takes indices modulo the count of lanes; the table is written twice
        const auto entry = hn::IndicesFromVec(df32, index);
#else
        const auto entry = hn::IndicesFromVec(df32, hn::And(index, hn::Set(di32, 7)));
#endif
        return hn::TableLookupLanes(hn::Load(df32, table), entry);
    }
}

/// Cuts off. Highway's conversion also takes care of what an i32 cannot hold.
HWY_INLINE VI32 truncate(VF32 v) {
#if HWY_TARGET == HWY_AVX3
    return VI32{_mm512_cvttps_epi32(v.raw)};
#elif HWY_TARGET == HWY_AVX2
    return VI32{_mm256_cvttps_epi32(v.raw)};
#else
    return hn::ConvertTo(di32, v);
#endif
}

/// `position` has the twelve bits behind the eighths where an f32 has them.
HWY_INLINE Log log_of(VI32 eighths, VI32 position) {
    const VI32 one = hn::BitCast(di32, hn::Set(df32, 1.0f));
    const VF32 x =
        hn::Sub(hn::BitCast(df32, hn::Or(hn::And(position, hn::Set(di32, 0xfff00)), one)), hn::Set(df32, 1.0f));
    VF32 p = look_up(vif_log_polynomials[3], eighths);
    p = hn::MulAdd(p, x, look_up(vif_log_polynomials[2], eighths));
    p = hn::MulAdd(p, x, look_up(vif_log_polynomials[1], eighths));
    p = hn::MulAdd(p, x, look_up(vif_log_polynomials[0], eighths));
    return {eighths, truncate(p)};
}

/// Of u32 v >= 2^17; less log_origin. The bits below the table's 16 are cut off, not rounded.
HWY_INLINE Log log_of(VI32 v) {
#if HWY_TARGET == HWY_AVX3
    const VI32 bits{_mm512_castps_si512(_mm512_cvt_roundepu32_ps(v.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC))};
#else
    // Half of v, which is no negative i32, without the bit 16 below the first one: rounding cannot carry further.
    const VI32 half = hn::BitCast(di32, hn::ShiftRight<1>(hn::BitCast(du32, v)));
    const VI32 cut = hn::AndNot(hn::ShiftRight<16>(half), half);
    const VI32 bits = hn::Add(hn::BitCast(di32, hn::ConvertTo(df32, cut)), hn::Set(di32, 1 << 23));
#endif
    return log_of(hn::ShiftRight<20>(bits), bits);
}
constexpr int log_origin = 30720 - VIF_LOG_UNIT * (127 + 15);

/// Of f64 integers >= 2^17; less another constant.
HWY_INLINE Log log_of(VF64 upper, VF64 lower) {
    const VI32 words = hn::BitCast(di32, hn::ConcatOdd(df32, hn::BitCast(df32, upper), hn::BitCast(df32, lower)));
    return log_of(hn::ShiftRight<17>(words), hn::ShiftLeft<3>(words));
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();
