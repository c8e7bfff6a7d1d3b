// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

// In which lanes both pictures' (h, v) vectors point the same way (features.md §4.3). Included by adm_vectors.cpp
// alone.
#include "simd/vectors.hpp"

#include "features/adm/adm_math.h"

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

} // namespace

} // namespace isovmaf

HWY_AFTER_NAMESPACE();
