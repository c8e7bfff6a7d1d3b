// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// ADM's decoupling in vectors (features.md §4.3). Comments write o' for |o| and t' for t times the sign of o. Included
// by adm_vectors.cpp alone.
#include "simd/lanes.hpp"

#include "features/adm/adm_functions.hpp"
#include "features/adm/adm_math.h"
#include "features/adm/adm_vectors_wavelet.hpp"

HWY_BEFORE_NAMESPACE();

namespace isovmaf {

namespace {

using MI32 = hn::Mask<DI32>;

/// The (h, v) vectors of both pictures.
struct Directions {
    VI32 oh, ov, th, tv;
};

/// `same`, and in the lanes of `unsure` what the definition says.
HWY_NOINLINE MI32 decide_direction(const Directions &v, MI32 same, MI32 unsure) {
    HWY_ALIGN std::int32_t oh[lanes_32], ov[lanes_32], th[lanes_32], tv[lanes_32], is[lanes_32], ask[lanes_32];
    hn::Store(v.oh, di32, oh);
    hn::Store(v.ov, di32, ov);
    hn::Store(v.th, di32, th);
    hn::Store(v.tv, di32, tv);
    hn::Store(hn::VecFromMask(di32, same), di32, is);
    hn::Store(hn::VecFromMask(di32, unsure), di32, ask);
    for (int i = 0; i < lanes_32; i++)
        if (ask[i] != 0)
            is[i] = adm_same_direction(multiply_wide(oh[i], th[i]) + multiply_wide(ov[i], tv[i]),
                                       multiply_wide(oh[i], oh[i]) + multiply_wide(ov[i], ov[i]),
                                       multiply_wide(th[i], th[i]) + multiply_wide(tv[i], tv[i]))
                        ? -1
                        : 0;
    return hn::MaskFromVec(hn::Load(di32, is));
}

/// adm_same_direction of every lane.
///
/// It compares p² with c o t, where p is a dot product and o, t are squared lengths. In f32, with e = 2^-24:
/// conversions, products and sums are off by a factor of 1 + e each, so o and t by 4 e of themselves, and p by 4 e of
/// sqrt(o t), which is never less than p. Where p² is near c o t, sqrt(o t) is near p: p² is off by 9 e, and c o t by
/// 10 e. The definition rounds p, o and t once, and is off by 2 e on either side. All of it is less than half the
/// margin, 64 e. Nothing overflows: o t is at most 2^126. Where o or t is 0, so is p, in f32 too.
HWY_INLINE MI32 same_direction(const Directions &v) {
    const VF32 oh = hn::ConvertTo(df32, v.oh), ov = hn::ConvertTo(df32, v.ov);
    const VF32 th = hn::ConvertTo(df32, v.th), tv = hn::ConvertTo(df32, v.tv);
    const VF32 p = hn::MulAdd(oh, th, hn::Mul(ov, tv));
    const VF32 o = hn::MulAdd(oh, oh, hn::Mul(ov, ov)), t = hn::MulAdd(th, th, hn::Mul(tv, tv));
    constexpr float margin = 0x1p-18F, cosine = static_cast<float>(adm_cos_1deg_squared);
    const VF32 left = hn::Mul(p, hn::Abs(p)), right = hn::Mul(o, t); // below 0 where p is
    const VF32 most = hn::Mul(right, hn::Set(df32, cosine * (1 + margin)));
    const VF32 least = hn::Mul(right, hn::Set(df32, cosine * (1 - margin)));
    const auto same = hn::Ge(left, most), perhaps = hn::Ge(left, least);
    const MI32 unsure = hn::RebindMask(di32, hn::AndNot(same, perhaps)), sure = hn::RebindMask(di32, same);
    if (HWY_UNLIKELY(!hn::AllFalse(di32, unsure)))
        return decide_direction(v, sure, unsure);
    return sure;
}

/// adm_reciprocal(m), 1 <= m <= 32768. Any value for 0.
///
/// With y = 1 / m in f32, q = trunc(2^30 y) is off by less than 64 / m + 1. The reciprocal is q + n, where
/// n = floor((2^30 - q m) / m). Remainders go from 0 to m - 1; less (m - 1) / 2 they are in the middle, so that n is
/// z = (2^30 - q m - (m - 1) / 2) / m = (2^31 + 1 - (2 q + 1) m) / 2 m
/// rounded to the nearest integer, and z is at least 1 / 2 m away from where rounding changes. The dividend is below
/// 2^24 in magnitude and exact in f32. As |z| < 64 / m + 1.5, an error of 2^-23 of z is below 1 / 2 m. The sum with
/// 1.5 * 2^24, where numbers of f32 are 2 apart, rounds 2 z to an even number.
HWY_INLINE VI32 reciprocal(VI32 m) {
    constexpr float magic = 0x1.8p24F;
    const VF32 y = hn::Div(hn::Set(df32, 1.0F), hn::ConvertTo(df32, m));
    const VI32 q = truncate(hn::Mul(y, hn::Set(df32, 0x1p30F)));
    const VI32 twice = hn::Or(hn::Add(q, q), hn::Set(di32, 1));
    const VI32 dividend = hn::Sub(hn::Set(di32, -0x7fffffff), hn::Mul(twice, m)); // wraps
    const VF32 rounded = hn::MulAdd(hn::ConvertTo(df32, dividend), y, hn::Set(df32, magic));
    return hn::Add(q, hn::Sub(hn::BitCast(di32, rounded), hn::BitCast(di32, hn::Set(df32, magic))));
}

/// Which coefficients of the reference are below 0.
struct Sign {
#if HWY_TARGET == HWY_AVX3
    MI32 negative;

    HWY_INLINE explicit Sign(VI32 o) : negative(hn::MaskFromVec(o)) {}

    /// -v where the coefficient is negative, else v.
    HWY_INLINE VI32 of(VI32 v) const {
        return VI32{_mm512_mask_sub_epi32(v.raw, negative.raw, _mm512_setzero_si512(), v.raw)};
    }
    /// Half of 2^15, or 1 less.
    HWY_INLINE VI32 half() const {
        return hn::IfThenElse(negative, hn::Set(di32, (1 << 14) - 1), hn::Set(di32, 1 << 14));
    }
#else
    VI32 ones; ///< all bits set where the coefficient is negative

    HWY_INLINE explicit Sign(VI32 o) : ones(hn::ShiftRight<31>(o)) {}

    HWY_INLINE VI32 of(VI32 v) const { return hn::Sub(hn::Xor(v, ones), ones); }
    HWY_INLINE VI32 half() const { return hn::Add(ones, hn::Set(di32, 1 << 14)); }
#endif
};

// Gains, below, are of o' and of t' or 0 where that is negative. One above 2 becomes 1 like one of 2, so t is held to
// 2 o'. The last rounding moves halves up, which is towards zero where o is negative.

/// r of adm_restore_0 for any coefficients. o' < 2^15, so m = o', and the product of the reciprocal with 2 o' is at
/// most 2^31.
HWY_NOINLINE VI32 restore_large(VI32 o, VI32 t) {
    const Sign sign(o);
    const VI32 m = hn::Abs(o), along = hn::Max(sign.of(t), hn::Zero(di32));
    const VU32 product = as_u32(hn::Mul(reciprocal(m), hn::Min(along, hn::Add(m, m))));
    const VU32 gain = hn::Min(hn::ShiftRight<15>(hn::Add(product, hn::Set(du32, 1 << 14))), hn::Set(du32, 32768));
    return sign.of(hn::ShiftRight<15>(hn::Add(hn::Mul(as_i32(gain), m), sign.half())));
}

/// |r| of adm_restore. `t` is t', or 0 where that is negative.
///
/// m = o' / 2^shift <= 2^15, rounded. With t held to 2 o' < 2^(16 + shift), t 2^(16 - shift) has 32 bits, and the
/// gain's shift of 15 + shift becomes one of 32 for twice the reciprocal.
///
/// The shift comes from o' as f32. Where that rounds up to a power of two, the shift is one larger than the
/// definition's, m is 2^14 in place of 2^15, and the product is the same: the reciprocal doubles and the factor is
/// halved.
HWY_INLINE VI32 restore(VI32 o, VI32 t, const Sign &sign) {
    const VI32 exponent = hn::ShiftRight<23>(hn::BitCast(di32, hn::ConvertTo(df32, o)));
    const VU32 shift = as_u32(hn::Max(hn::Sub(exponent, hn::Set(di32, 127 + 14)), hn::Zero(di32)));
    const VU32 double_o = as_u32(hn::Add(o, o));
    const VU32 m = hn::ShiftRight<1>(hn::Add(hn::Shr(double_o, shift), hn::Set(du32, 1)));
    const VI32 d = reciprocal(as_i32(m));
    const VU32 twice = as_u32(hn::Add(d, d));
    const VU32 factor = hn::Shl(hn::Min(as_u32(t), double_o), hn::Sub(hn::Set(du32, 16), shift));
    const VU64 round = hn::Set(du64, std::uint64_t{1} << 31);
    const VU32 product = upper_halves(hn::Add(hn::MulEven(twice, factor), round),
                                      hn::Add(hn::MulEven(odd_lanes(twice), odd_lanes(factor)), round));
    const VI32 gain = as_i32(hn::Min(product, hn::Set(du32, 32768)));
    // gain o' by 2^15, the upper and the lower bits of o' apart
    const VI32 lower = hn::Mul(gain, hn::And(o, hn::Set(di32, 32767)));
    return hn::Add(hn::Mul(gain, hn::ShiftRight<15>(o)), hn::ShiftRight<15>(hn::Add(lower, sign.half())));
}

/// trunc(min(r limit, t)) in f64, for r and t of 0 or more (adm_limit_gain).
HWY_INLINE VI32 limit_by_double(VI32 r, VI32 t, double limit) {
    const hn::Half<DI32> half;
    const auto limited = [&](auto r_half, auto t_half) HWY_ATTR {
        const VF64 most = hn::Mul(hn::PromoteTo(df64, r_half), hn::Set(df64, limit));
        return hn::DemoteTo(half, hn::Min(most, hn::PromoteTo(df64, t_half)));
    };
    r = behind_branch(r);
    t = behind_branch(t);
    return hn::Combine(di32, limited(hn::UpperHalf(half, r), hn::UpperHalf(half, t)),
                       limited(hn::LowerHalf(half, r), hn::LowerHalf(half, t)));
}

/// One band of a vector of pixels.
template <bool first>
struct BandPixels;

/// At scale 0 r is the part of o between 0 and t, but where o is large (ADM_LARGEST_EXACT_0). A whole limit is at least
/// 1: the part between 0 and t is the same of its product with r and with o.
template <>
struct BandPixels<true> {
    VI32 t, least, most, o; ///< o has r in its place if there are large ones

    HWY_INLINE BandPixels(VI32 reference, VI32 distorted)
        : t(distorted), least(hn::Min(t, hn::Zero(di32))), most(hn::Max(t, hn::Zero(di32))), o(reference) {
        const MI32 large = hn::Gt(hn::Abs(o), hn::Set(di32, ADM_LARGEST_EXACT_0));
        if (HWY_UNLIKELY(!hn::AllFalse(di32, large)))
            o = restore_large(o, t);
    }

    HWY_INLINE VI32 between(VI32 v) const { return hn::Min(hn::Max(v, least), most); }

    HWY_INLINE VI32 restored(MI32 kept, const AdmGainRows &gain) const {
        if (gain.whole != 0) { // of 16 bits, as o is
            const VI32 product = dot(hn::Zero(di32), as_i16(o), set_pair(gain.whole, 0));
            return between(hn::IfThenElse(kept, product, o));
        }
        const VI32 r = between(behind_branch(o));
        const VI32 limited = Sign(t).of(limit_by_double(hn::Abs(r), hn::Abs(t), gain.limit));
        return hn::IfThenElse(kept, limited, r);
    }
};

/// Later, r is held before it is multiplied by a whole limit, as a product beyond 2^31 - 1 - limit is larger than any
/// t.
template <>
struct BandPixels<false> {
    VI32 t, held_t, r;
    Sign sign;

    HWY_INLINE BandPixels(VI32 o, VI32 distorted) : t(distorted), held_t(hn::Zero(di32)), r(held_t), sign(o) {
        held_t = hn::Max(sign.of(t), hn::Zero(di32));
        r = restore(hn::Abs(o), held_t, sign);
    }

    HWY_INLINE VI32 restored(MI32 kept, const AdmGainRows &gain) const {
        return sign.of(hn::IfThenElse(kept, limited(gain), r));
    }

  private:
    HWY_INLINE VI32 limited(const AdmGainRows &gain) const {
        if (gain.whole != 0)
            return hn::Min(hn::Mul(hn::Min(r, hn::Set(di32, gain.most)), hn::Set(di32, gain.whole)), held_t);
        return limit_by_double(r, held_t, gain.limit);
    }
};

template <bool first>
void decouple(const AdmRows &o_rows, const AdmRows &t_rows, AdmColumns columns, const AdmGainRows *gains, int count) {
    for (int x = columns.begin; x < columns.end; x += lanes_32) {
        const auto load = [&](const AdmRows &rows, int band) HWY_ATTR { return hn::LoadU(di32, rows.of[band] + x); };
        const VI32 oh = load(o_rows, ADM_BAND_H), ov = load(o_rows, ADM_BAND_V);
        const VI32 th = load(t_rows, ADM_BAND_H), tv = load(t_rows, ADM_BAND_V);
        const MI32 kept = same_direction({oh, ov, th, tv});
        const BandPixels<first> h(oh, th), v(ov, tv), d(load(o_rows, ADM_BAND_D), load(t_rows, ADM_BAND_D));
        for (int i = 0; i < count; i++) {
            const AdmGainRows &gain = gains[i];
            const auto put = [&](const BandPixels<first> &pixels, int band) HWY_ATTR {
                const VI32 restored = pixels.restored(kept, gain);
                hn::StoreU(restored, di32, gain.restored.of[band] + x);
                hn::StoreU(hn::Sub(pixels.t, restored), di32, gain.added.of[band] + x);
            };
            put(h, ADM_BAND_H);
            put(v, ADM_BAND_V);
            put(d, ADM_BAND_D);
        }
    }
}

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();
