// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// What vector files share beside vectors.hpp: vectors taken as others of another lane type, moves between lanes,
// shifts, and the ends of rows.
#include "simd/vectors.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

HWY_INLINE VI16 as_i16(VI32 v) { return hn::BitCast(di16, v); }
HWY_INLINE VI32 as_i32(VI16 v) { return hn::BitCast(di32, v); }
HWY_INLINE VI32 as_i32(VU32 v) { return hn::BitCast(di32, v); }
HWY_INLINE VU32 as_u32(VI32 v) { return hn::BitCast(du32, v); }
HWY_INLINE VU32 as_u32(VU64 v) { return hn::BitCast(du32, v); }
HWY_INLINE VU64 as_u64(VU32 v) { return hn::BitCast(du64, v); }

/// Pairs for `dot`: the even lanes of a, each with the lane of b behind it.
HWY_INLINE VI16 pair_even(VI16 a, VI16 b) { return hn::OddEven(as_i16(hn::ShiftLeft<16>(as_i32(b))), a); }
/// The same of the odd lanes.
HWY_INLINE VI16 pair_odd(VI16 a, VI16 b) { return hn::OddEven(b, as_i16(hn::ShiftRight<16>(as_i32(a)))); }

/// The odd lanes, moved to the even ones.
HWY_INLINE VU32 odd_lanes(VU32 v) { return as_u32(hn::ShiftRight<32>(as_u64(v))); }
HWY_INLINE VI32 odd_lanes(VI32 v) { return as_i32(odd_lanes(as_u32(v))); }

/// Upper halves of 64-bit lanes: of `even` in the even lanes of 32 bits, of `odd` in the odd ones.
HWY_INLINE VU32 upper_halves(VU64 even, VU64 odd) { return hn::OddEven(as_u32(odd), as_u32(hn::ShiftRight<32>(even))); }

/// Shifts all lanes by a count that is no constant.
template <class D, class V>
HWY_INLINE V shift_left([[maybe_unused]] D d, V v, int count) {
#if HWY_TARGET == HWY_SSE4 // has no shift with a count for each lane, which is the faster one
    return hn::ShiftLeftSame(v, count);
#else
    return hn::Shl(v, hn::Set(d, static_cast<hn::TFromD<D>>(count)));
#endif
}
template <class D, class V>
HWY_INLINE V shift_right([[maybe_unused]] D d, V v, int count) {
#if HWY_TARGET == HWY_SSE4
    return hn::ShiftRightSame(v, count);
#else
    return hn::Shr(v, hn::Set(d, static_cast<hn::TFromD<D>>(count)));
#endif
}

/// Truncates. The result for values beyond 32 bits is not specified: on x86, Highway's own conversion takes more
/// instructions for them.
HWY_INLINE VI32 truncate(VF32 v) {
#if HWY_TARGET == HWY_AVX3
    return VI32{_mm512_maskz_cvttps_epi32(0xffff, v.raw)}; // g++ 12 warns of its own header's function without a mask
#elif HWY_TARGET == HWY_AVX2
    return VI32{_mm256_cvttps_epi32(v.raw)};
#elif HWY_TARGET == HWY_SSE4
    return VI32{_mm_cvttps_epi32(v.raw)};
#else
    return hn::ConvertTo(di32, v);
#endif
}

/// lanes_16 bytes as 16-bit integers.
HWY_INLINE VI16 load_bytes(const std::uint8_t *at) {
    return hn::PromoteTo(di16, hn::LoadU(hn::Rebind<std::uint8_t, DI16>(), at));
}

/// The last samples of a row, fewer than lanes_16, with zeros behind them: vectors of the row itself would be read
/// beyond its end.
template <class Sample>
struct Tail {
    HWY_ALIGN Sample samples[lanes_16] = {};

    void fill(const Sample *row, int count) {
        for (int i = 0; i < count; i++)
            samples[i] = row[i];
    }
};

/// Writes `count` values: even[0], odd[0], even[1] and so on.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void put_interleaved(D d, hn::Vec<D> even, hn::Vec<D> odd, int count, T *out) {
    HWY_ALIGN T lanes[2][HWY_MAX_BYTES / sizeof(T)];
    hn::Store(even, d, lanes[0]);
    hn::Store(odd, d, lanes[1]);
    for (int i = 0; i < count; i++)
        out[i] = lanes[i % 2][i / 2];
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();
