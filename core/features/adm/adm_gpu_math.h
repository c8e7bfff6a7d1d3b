// SPDX-License-Identifier: BSD-2-Clause-Patent
// Functions of adm_math.h for GPUs: the same results from fewer and narrower operations. `first`, a constant at every
// call, selects scale 0, whose coefficients have 16 bits and are below 22932 in magnitude; those of the other scales
// are below 2^31 - 2^24.
#ifndef ISOVMAF_ADM_GPU_MATH_H
#define ISOVMAF_ADM_GPU_MATH_H

#include "features/adm/adm_integer_math.h"
#include "portable/f32.h"
#include "portable/products.h"

// §4.3 decouple

#if defined(VULKAN)
ISOVMAF_FN int32_t adm_gpu_reciprocal(uint32_t m) { return adm_reciprocal(m); }
#else

// Near 1 / v: off by at most 2^-23 of it.
ISOVMAF_FN float adm_rough_reciprocal(float v) {
#if defined(__CUDACC__)
    float reciprocal;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(v));
    return reciprocal;
#elif defined(__HIP__)
    return __builtin_amdgcn_rcpf(v);
#else
    return 1.0f / v;
#endif
}

// m < 2^23 as f32: 2^23 + m, less 2^23.
ISOVMAF_FN float adm_divisor(uint32_t m) { return f32_of_bits(m | 0x4b000000u) - 8388608.0f; }

// adm_reciprocal for 1 <= m <= 32768, from a reciprocal near that of m: with one conversion, as these are slow on
// NVIDIA.
//
// `estimate` is off by less than 128 / m + 1. The reciprocal is estimate + n, where n = floor((2^30 - estimate m) / m).
// Remainders go from 0 to m - 1; less (m - 1) / 2 they are in the middle, so that n is
// z = (2^31 + 1 - (2 estimate + 1) m) / 2 m rounded to the nearest integer, and z is at least 1 / 2 m away from where
// rounding changes. The dividend, which wraps around, is below 2^18 in magnitude: as f32, whose bits are those of
// 1.5 * 2^23 and the dividend, it is exact. As |z| < 128 / m + 1.5, errors of 2^-22 of z are below 1 / 2 m. The sum
// with 1.5 * 2^24, where numbers of f32 are 2 apart, rounds 2 z to an even number.
ISOVMAF_FN int32_t adm_reciprocal_beside(uint32_t m, float reciprocal) {
    const uint32_t estimate = uint32_t(int32_t(reciprocal * 1073741824.0f));
    const uint32_t dividend = 0x80000001u + (2u * estimate + 1u) * (0u - m);
    const float rounded = (f32_of_bits(dividend + 0x4b400000u) - 12582912.0f) * reciprocal + 25165824.0f;
    return int32_t(estimate + f32_bits(rounded) - 0x4bc00000u);
}

#if defined(__CUDACC__)
ISOVMAF_FN int32_t adm_gpu_reciprocal(uint32_t m) {
    return adm_reciprocal_beside(m, adm_rough_reciprocal(adm_divisor(m)));
}
#else

// adm_reciprocal for 1 <= m <= 32768, which is `divisor`, from a reciprocal near it: without a division, 32-bit
// products or conversions from integers, which are slow on AMD.
//
// `estimate` is below 2^30 / m, by at most 2^-21 of it and one for the fraction that is cut off. So `rest`, which is
// what m * estimate leaves of 2^30, is a whole number of at least 0 and less than 2^9 + m < 2^16: the fused
// multiplication is exact. What is missing in `estimate` is the floor of (rest + 0.5) / m, a fraction that is at least
// 0.5 / m >= 2^-16 away from any whole number. As a product by the reciprocal it is off by less than 2^-22 of itself,
// and so by less than 2^-22 (2^9 + m) / m <= 2^-13 / m + 2^-22: the floor is right.
ISOVMAF_FN int32_t adm_reciprocal_near(float divisor, float reciprocal) {
    const float estimate = reciprocal * 1073741568.0f; // 2^30 - 2^8
    const float rest = __builtin_fmaf(-__builtin_truncf(estimate), divisor, 1073741824.0f);
    return int32_t(estimate) + int32_t((rest + 0.5f) * reciprocal);
}
ISOVMAF_FN int32_t adm_gpu_reciprocal(uint32_t m) {
    const float divisor = adm_divisor(m);
    return adm_reciprocal_near(divisor, adm_rough_reciprocal(divisor));
}

#endif
#endif

// The one of 0, x and t that lies between the others.
ISOVMAF_FN int32_t adm_gpu_between(int32_t x, int32_t t) {
    const int32_t least = t < 0 ? t : 0, most = t > 0 ? t : 0;
    const int32_t above = x > least ? x : least;
    return above < most ? above : most;
}

// The restored coefficient (adm_restore_0, adm_restore): o times a gain of t / o, held to [0, 1]. Along o, t is held to
// [0, 2 |o|] first. Where that changes t, the gain is 0 or 1 before and after: 2 |o| times the reciprocal of |o|
// exceeds 2^31 - 2^16 at scale 0, and (2^31 - 2^17) 2^shift later, and so makes a gain above 32768, which is 1. With
// these bounds, a product at scale 0 fits 32 bits and a gain 17.
ISOVMAF_FN int32_t adm_gpu_restore(bool first, int32_t o, int32_t t) {
    const uint32_t m = adm_magnitude(o);
    const int32_t along = o < 0 ? -t : t;
    uint32_t gain;
    if (first) {
        const uint32_t d = uint32_t(adm_gpu_reciprocal(m > 1u ? m : 1u));
        gain = (d * uint32_t(adm_gpu_between(along, int32_t(2u * m))) + 16384u) >> 15;
    } else {
        const uint32_t forward = uint32_t(along > 0 ? along : 0);
        const uint32_t held = forward < 2u * m ? forward : 2u * m;
        const int32_t shift = floor_log2(m | 16384u) - 14; // brings m to 15 bits
        const uint32_t short_m = (m + ((1u << shift) >> 1)) >> shift;
        const uint32_t d = uint32_t(adm_gpu_reciprocal(short_m > 1u ? short_m : 1u));
        gain = uint32_t(multiply_add_wide(d, held, uint64_t(16384u << shift)) >> (15 + shift));
    }
    const int32_t k = int32_t(gain < 32768u ? gain : 32768u);
    return first ? (k * o + 16384) >> 15
                 : int32_t(shift_right_32(uint64_t(multiply_add_wide(k, o, int64_t(16384))), 15));
}

// adm_limit_gain_whole. As r is 0 or has t's sign, and a limit is not negative, the result is the one of 0, r * limit
// and t that lies between the others.
ISOVMAF_FN int32_t adm_gpu_limit_gain_whole(int32_t r, int32_t t, int32_t limit) {
    const int64_t x = multiply_add_wide(r, limit, int64_t(0));
    const int32_t low = int32_t(x);
    return int32_t(x >> 32) == low >> 31 ? adm_gpu_between(low, t) : t; // t is between 0 and what exceeds 32 bits
}

#if !defined(VULKAN) // see adm_integer_math.h

// a * b + c, rounded once or twice.
ISOVMAF_FN float adm_rough_multiply_add(float a, float b, float c) {
#if defined(__HIP__)
    return __builtin_fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

// Whether two vectors point the same way (adm_same_direction), from their coefficients as f32, if both sides of the
// comparison are further apart than f32 can be wrong, else ADM_DIRECTION_UNKNOWN.
//
// Let R be the product of both lengths, c the constant, and u = 2^-24, by which an operation and a conversion are off
// at most, while u^2 is left out. Products of two coefficients are off by 3 u of themselves. The sum of their
// magnitudes in the dot product is at most R, so that the dot product is off by 4 u R; squared lengths are off by 4 u,
// and `right` by 10 u, of themselves. If `left` exceeds the larger bound, the dot product is therefore at least sqrt(c)
// R (1 + margin / 2 - 5 u - 4 u), and its square at least c R^2 (1 + margin - 18 u). The definition compares with
// conversions of its own, 4 u for both sides together: 22 u is less than half the margin of 64 u. The same holds for
// the smaller bound. A dot product that comes out as 0 or less, with vectors that are not 0, is either below the
// smaller bound in magnitude, or negative.
ISOVMAF_FN int32_t adm_estimate_direction_of(float oh, float ov, float th, float tv) {
    const float dot = adm_rough_multiply_add(oh, th, ov * tv);
    const float reference_squared = adm_rough_multiply_add(oh, oh, ov * ov);
    const float distorted_squared = adm_rough_multiply_add(th, th, tv * tv);
    const float left = dot * dot;
    const float right = ADM_COS_1DEG_SQUARED_F32 * reference_squared * distorted_squared; // 0 for a vector of 0 alone
    const bool same = right == 0.0f || (dot > 0.0f && left > right * (1.0f + ADM_DIRECTION_MARGIN));
    const bool other = dot <= 0.0f || left < right * (1.0f - ADM_DIRECTION_MARGIN);
    return same ? ADM_DIRECTION_SAME : other ? ADM_DIRECTION_OTHER : ADM_DIRECTION_UNKNOWN;
}

// adm_same_direction: both sides are larger by 4096^2, which changes no rounding.
template <class Integer>
ISOVMAF_FN bool adm_gpu_same_direction(Integer dot, Integer reference_squared, Integer distorted_squared) {
    const double p = double(float(dot)), o = double(float(reference_squared)), t = double(float(distorted_squared));
    return p >= 0 && p * p >= (adm_cos_1deg_squared * o) * t;
}

#endif

// §4.5 contrast sensitivity, §4.6 masking

// |adm_sensitivity|. With p = csf * |x|, it is the floor of (p + 2^27) / 2^28 for x >= 0; for x < 0 it is the ceiling
// of (p - 2^27) / 2^28, which is the floor of (p + 2^27 - 1) / 2^28. Its 32 bits may be those of a negative number.
ISOVMAF_FN uint32_t adm_gpu_sensitivity(uint32_t csf, int32_t x) {
    const uint64_t rounding = uint64_t((1u << 27) - (x < 0 ? 1u : 0u));
    return adm_magnitude(int32_t(shift_right_32(multiply_add_wide(csf, adm_magnitude(x), rounding), 28)));
}

// What is seen of a coefficient: its product with the contrast sensitivity, from which both its share in thresholds and
// its visible part come. At scale 0 it is the product of 16 bits each, later |adm_sensitivity|.
ISOVMAF_FN int32_t adm_gpu_seen(bool first, uint32_t csf, int32_t x) {
    return first ? multiply_add_24(x, int32_t(csf), 0) : int32_t(adm_gpu_sensitivity(csf, x));
}

// adm_sensitivity_0 of what is seen. Where the 16 bits that are wanted do not start at bit 16 or above, they are moved
// there, so that the last shift extends their sign; later ones have it.
ISOVMAF_FN int32_t adm_gpu_sensitivity_0(int32_t seen, int32_t band) {
    const int32_t shift = adm_csf_shift_0[band], up = shift < 16 ? 16 - shift : 0;
    const uint32_t moved = (uint32_t(seen) << up) + (uint32_t(adm_csf_rounding_0[band]) << up);
    return int32_t(moved) >> (shift + up);
}

// adm_visible_0, adm_visible of what is seen.
ISOVMAF_FN int32_t adm_gpu_visible(bool first, int32_t seen, uint32_t threshold, int32_t band) {
    const int32_t rest =
        int32_t(first ? adm_magnitude(seen) - (threshold << adm_threshold_shift_0[band]) : uint32_t(seen) - threshold);
    return rest > 0 ? rest : 0;
}

// 2^(shift - 1), or 0: what a rounding adds before it shifts. A shift is below 32.
ISOVMAF_FN uint32_t adm_half(int32_t shift) { return (1u << shift) >> 1; }

// adm_cube; `square_shift` is a constant from 1 to 31, and `cube_half` is adm_half(cube_shift).
ISOVMAF_FN int64_t adm_gpu_cube(int32_t x, int32_t square_shift, int32_t cube_shift, uint32_t cube_half) {
    const uint64_t square = multiply_add_wide(uint32_t(x), uint32_t(x), uint64_t(adm_half(square_shift)));
    return multiply_add_wide(int32_t(shift_right_32(square, square_shift)), x, int64_t(uint64_t(cube_half))) >>
           cube_shift;
}

// adm_reference_cube.
ISOVMAF_FN uint64_t adm_gpu_reference_cube(int32_t x, int32_t square_shift, int32_t cube_shift) {
    const uint32_t m = adm_magnitude(x);
    const uint32_t square = uint32_t(multiply_add_wide(m, m, uint64_t(1) << square_shift) >> square_shift);
    return multiply_add_wide(square, m, uint64_t(adm_half(cube_shift))) >> cube_shift;
}

#endif
