// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// What vector files share that compute functions of core/math: the same operations on each lane, with the same ones
// fused. So it is for levels that have a fused multiply-add (HWY_NATIVE_FMA). Vector files get tables by pointer: a
// table that one of them defined could be taken for that of other files.
#include "simd/vectors.hpp"

#include "math/format.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

using MF64 = hn::Mask<DF64>;

HWY_INLINE VF64 constant(double value) { return hn::Set(df64, value); }
HWY_INLINE VF64 fma(VF64 a, VF64 b, VF64 c) { return hn::MulAdd(a, b, c); }
HWY_INLINE VF64 fma(VF64 a, VF64 b, double c) { return hn::MulAdd(a, b, constant(c)); }
HWY_INLINE VF64 fma(VF64 a, double b, double c) { return hn::MulAdd(a, constant(b), constant(c)); }
HWY_INLINE VU64 bits_of(VF64 v) { return hn::BitCast(du64, v); }
HWY_INLINE VF64 number_of(VU64 v) { return hn::BitCast(df64, v); }
HWY_INLINE VU64 low_bits(VF64 v, std::uint64_t mask) { return hn::And(bits_of(v), hn::Set(du64, mask)); }

/// table[index] of each lane.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> gather(D d, const T *table, VU64 index) {
#if HWY_ARCH_X86
    return hn::GatherIndex(d, table, hn::BitCast(di64, index));
#else
    HWY_ALIGN std::uint64_t at[lanes_64];
    HWY_ALIGN T lanes[lanes_64];
    hn::Store(index, du64, at);
    for (int i = 0; i < lanes_64; i++)
        lanes[i] = table[at[i]];
    return hn::Load(d, lanes);
#endif
}

/// Two numbers of each lane: of row `row` in a table with rows of 2.
struct Pairs {
    VF64 first, second;
};

HWY_INLINE Pairs gather_pairs(const double *table, VU64 row) {
#if HWY_TARGET == HWY_AVX2 // loads and shuffles are faster than its gathering instructions
    HWY_ALIGN std::uint64_t at[4];
    hn::Store(hn::ShiftLeft<1>(row), du64, at);
    const auto load = [table](std::uint64_t low, std::uint64_t high)
                          HWY_ATTR { return _mm256_loadu2_m128d(table + high, table + low); };
    const __m256d even = load(at[0], at[2]), odd = load(at[1], at[3]);
    return {VF64{_mm256_unpacklo_pd(even, odd)}, VF64{_mm256_unpackhi_pd(even, odd)}};
#else
    const VU64 index = hn::ShiftLeft<1>(row);
    return {gather(df64, table, index), gather(df64, table + 1, index)};
#endif
}

/// A number of intervals of an octave: the exponent, and the mantissa in the octave that starts at `start`.
struct SplitNumber {
    VF64 exponent;
    VU64 interval;
    VF64 mantissa;
};

template <int interval_bits>
HWY_INLINE SplitNumber split(VF64 x, std::uint64_t start) {
    constexpr std::uint64_t exponent_bits = math::Binary64::sign | math::Binary64::exponent;
    constexpr std::uint64_t of_2_52 = 0x4330000000000000; // the bits of 2^52: an integer added to them is added to it
    constexpr int shift = math::Binary64::fraction_bits;
    const VU64 above = hn::Sub(bits_of(x), hn::Set(du64, start));
    // 2^10 more than the exponent, which is positive
    const VU64 raised = hn::ShiftRight<shift>(hn::Add(above, hn::Set(du64, std::uint64_t{1024} << shift)));
    return {hn::Sub(number_of(hn::Or(raised, hn::Set(du64, of_2_52))), constant(0x1p52 + 1024)),
            hn::And(hn::ShiftRight<shift - interval_bits>(above), hn::Set(du64, (1u << interval_bits) - 1)),
            number_of(hn::Sub(bits_of(x), hn::And(above, hn::Set(du64, exponent_bits))))};
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();
