// SPDX-License-Identifier: BSD-2-Clause-Patent
// The functions of adm_math.h that use doubles, with the same results from integers, for shaders.
#ifndef ISOVMAF_ADM_INTEGER_MATH_H
#define ISOVMAF_ADM_INTEGER_MATH_H

#include "features/adm/adm_math.h"
#include "portable/binary64.h"

// §4.3 decouple

// adm_cos_1deg_squared as an f32, and the bits of the double.
#define ADM_COS_1DEG_SQUARED_F32 0.99969542f
#define ADM_COS_1DEG_SQUARED_F64 (uint64_t(0x3feffd81u) << 32 | uint64_t(0x40000000u))

// An f32 near v >= 0. A conversion from 64 bits would be slow on devices that do it in f64.
ISOVMAF_FN float adm_rough_f32(int64_t v) {
    ISOVMAF_PRECISE const float rough = float(uint32_t(uint64_t(v) >> 32)) * 4294967296.0f + float(uint32_t(v));
    return rough;
}

#define ADM_DIRECTION_MARGIN (1.0f / 262144.0f)
#define ADM_DIRECTION_OTHER 0
#define ADM_DIRECTION_SAME 1
#define ADM_DIRECTION_UNKNOWN 2

// The result of adm_same_direction for a dot product above 0, if both sides are further apart than f32 can be wrong,
// else ADM_DIRECTION_UNKNOWN. Arguments are whole numbers below 2^63, or adm_rough_f32 of them: no product overflows.
//
// Conversions, sums and products are off by 2^-23 of themselves at most, as devices round them to either neighbour;
// those of the definition by 2^-24, or 2^-53. Hence an argument is off by 5 · 2^-24 of what it stands for, and the
// square on the left by 12 · 2^-24: twice the argument and a product. On the right there are two arguments and three
// products, with that by the margin, 16 · 2^-24. All of it is less than half the margin, 64 · 2^-24, also where a
// device multiplies in another order or rounds less often.
ISOVMAF_FN int32_t adm_estimate_direction(float dot, float reference_squared, float distorted_squared) {
    ISOVMAF_PRECISE const float left = dot * dot;
    ISOVMAF_PRECISE const float right = ADM_COS_1DEG_SQUARED_F32 * reference_squared * distorted_squared;
    ISOVMAF_PRECISE const float most = right * (1.0f + ADM_DIRECTION_MARGIN);
    ISOVMAF_PRECISE const float least = right * (1.0f - ADM_DIRECTION_MARGIN);
    return left > most ? ADM_DIRECTION_SAME : left < least ? ADM_DIRECTION_OTHER : ADM_DIRECTION_UNKNOWN;
}

// adm_same_direction, operation by operation. The divisions by 4096 are left out, as they scale both sides alike.
ISOVMAF_FN bool adm_exact_direction(int64_t dot, int64_t reference_squared, int64_t distorted_squared) {
    const uint64_t p = f64_of_f32(f32_of_i64(dot));
    const uint64_t o = f64_of_f32(f32_of_i64(reference_squared));
    const uint64_t t = f64_of_f32(f32_of_i64(distorted_squared));
    return dot >= int64_t(0) &&
           !f64_less(f64_multiply(p, p), f64_multiply(f64_multiply(ADM_COS_1DEG_SQUARED_F64, o), t));
}

// adm_same_direction. Nearly always the estimate is enough, or the picture is flat: a vector of length 0 has no other
// direction.
ISOVMAF_FN bool adm_integer_same_direction(int64_t dot, int64_t reference_squared, int64_t distorted_squared) {
    const int32_t estimate =
        adm_estimate_direction(adm_rough_f32(dot), adm_rough_f32(reference_squared), adm_rough_f32(distorted_squared));
    bool same = estimate == ADM_DIRECTION_SAME;
    if (dot <= int64_t(0))
        same = dot == int64_t(0) && (reference_squared == int64_t(0) || distorted_squared == int64_t(0));
    else if (estimate == ADM_DIRECTION_UNKNOWN)
        same = adm_exact_direction(dot, reference_squared, distorted_squared);
    return same;
}
ISOVMAF_FN bool adm_integer_same_direction(int32_t dot, int32_t reference_squared, int32_t distorted_squared) {
    const int32_t estimate = adm_estimate_direction(float(dot), float(reference_squared), float(distorted_squared));
    bool same = estimate == ADM_DIRECTION_SAME;
    if (dot <= 0)
        same = dot == 0 && (reference_squared == 0 || distorted_squared == 0);
    else if (estimate == ADM_DIRECTION_UNKNOWN)
        same = adm_exact_direction(int64_t(dot), int64_t(reference_squared), int64_t(distorted_squared));
    return same;
}

// adm_limit_gain; `limit` holds the bits of the double. The product may be truncated before it is compared: t is a
// whole number, so the comparison has the same result before and after.
ISOVMAF_FN int32_t adm_integer_limit_gain(int32_t r, int32_t t, uint64_t limit) {
    return adm_limited_gain(r, t, f64_to_i64(f64_multiply(f64_of_i64(int64_t(r)), limit)));
}

#endif
