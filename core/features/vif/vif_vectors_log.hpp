// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "simd/lanes.hpp"

#include "features/vif/vif_log_math.h"
#include "features/vif/vif_math.h"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

// Part of vif_vectors.cpp: the logarithm of features.md §3.3 without its table.

#if HWY_TARGET == HWY_AVX3
constexpr int log_segment_bits = 5; // an octave's numbers are cut into 32 or 8 segments
#else
constexpr int log_segment_bits = 3;
#endif
constexpr int log_step_bits = 11 - log_segment_bits;
constexpr int log_step = 1 << log_step_bits;
static_assert(log_step << log_segment_bits == VIF_LOG_UNIT);

/// L of each lane, up to a constant: log_step * steps + rest.
struct Log {
    VI32 steps; ///< exponent and first bits of the mantissa
    VI32 rest;  ///< by a polynomial of the next bits
};

HWY_INLINE VI32 value_of(const Log &log) { return hn::Add(hn::ShiftLeft<log_step_bits>(log.steps), log.rest); }

#if HWY_TARGET == HWY_AVX3

/// p(x) of each lane's segment.
HWY_INLINE VF32 log_polynomial(VI32 segment, VF32 x) {
    const auto factor = [&](int k) HWY_ATTR { // takes the segment modulo 32
        return VF32{_mm512_permutex2var_ps(hn::Load(df32, vif_log_quadratics[k]).raw, segment.raw,
                                           hn::Load(df32, vif_log_quadratics[k] + 16).raw)};
    };
    return hn::MulAdd(hn::MulAdd(factor(2), x, factor(1)), x, factor(0));
}

#else

/// Each lane's entry of a table of eight.
HWY_INLINE VF32 look_up(const float *table, VI32 index) {
    if constexpr (lanes_32 == 4) {
        const auto entry = hn::IndicesFromVec(df32, hn::And(index, hn::Set(di32, 3)));
        const auto upper = hn::Ne(hn::And(index, hn::Set(di32, 4)), hn::Zero(di32));
        return hn::IfThenElse(hn::RebindMask(df32, upper), hn::TableLookupLanes(hn::Load(df32, table + 4), entry),
                              hn::TableLookupLanes(hn::Load(df32, table), entry));
    } else {
#if HWY_ARCH_X86 // takes indices modulo the count of lanes
        const auto entry = hn::IndicesFromVec(df32, index);
#else
        const auto entry = hn::IndicesFromVec(df32, hn::And(index, hn::Set(di32, 7)));
#endif
        return hn::TableLookupLanes(hn::Load(df32, table), entry);
    }
}

/// p(x) of each lane's segment.
HWY_INLINE VF32 log_polynomial(VI32 segment, VF32 x) {
    const auto factor = [&](int k) HWY_ATTR { return look_up(vif_log_cubics[k], segment); };
    return hn::MulAdd(hn::MulAdd(hn::MulAdd(factor(3), x, factor(2)), x, factor(1)), x, factor(0));
}

#endif

/// Bits 8 to 17 of `position` are the bits of the mantissa that follow those in `steps`, in their places of an f32.
HWY_INLINE Log log_of(VI32 steps, VI32 position) {
    constexpr std::int32_t mask = (1 << (23 - log_segment_bits)) - (1 << 8); // less those below the table's 16
    const VI32 one = hn::BitCast(di32, hn::Set(df32, 1.0f));
    const VI32 bits = hn::Or(hn::And(position, hn::Set(di32, mask)), one);
    const VF32 x = hn::Sub(hn::BitCast(df32, bits), hn::Set(df32, 1.0f));
    return {steps, truncate(log_polynomial(steps, x))};
}

/// L of each u32 v >= 2^17, minus log_origin. Bits are cut off, not rounded.
HWY_INLINE Log log_of(VI32 v) {
#if HWY_TARGET == HWY_AVX3
    const VI32 bits{_mm512_castps_si512(_mm512_cvt_roundepu32_ps(v.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC))};
#else
    // Half of v, which is no negative i32, without the bit 16 below the first one: rounding cannot carry further.
    const VI32 half = hn::BitCast(di32, hn::ShiftRight<1>(hn::BitCast(du32, v)));
    const VI32 cut = hn::AndNot(hn::ShiftRight<16>(half), half);
    const VI32 bits = hn::Add(hn::BitCast(di32, hn::ConvertTo(df32, cut)), hn::Set(di32, 1 << 23));
#endif
    return log_of(hn::ShiftRight<23 - log_segment_bits>(bits), bits);
}
constexpr int log_origin = 30720 - VIF_LOG_UNIT * (127 + 15);

/// L of f64 integers >= 2^17, minus a constant other than log_origin: the exponent of f64 has another bias.
HWY_INLINE Log log_of(VF64 upper, VF64 lower) {
    const VI32 words = hn::BitCast(di32, hn::ConcatOdd(df32, hn::BitCast(df32, upper), hn::BitCast(df32, lower)));
    return log_of(hn::ShiftRight<20 - log_segment_bits>(words), hn::ShiftLeft<3>(words));
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();
