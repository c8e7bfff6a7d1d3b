// SPDX-License-Identifier: BSD-2-Clause-Patent
// Constants and per-sample arithmetic of SSIM (features.md §6). MS-SSIM uses them too.
#ifndef ISOVMAF_FLOAT_SSIM_MATH_H
#define ISOVMAF_FLOAT_SSIM_MATH_H

#include "portable/f32.h"

// The window: a Gaussian with a standard deviation of 1.5, rounded to six decimals.
#define SSIM_TAP_COUNT 11
ISOVMAF_TABLE(float, ssim_taps, SSIM_TAP_COUNT) = {0.001028f, 0.007599f, 0.036001f, 0.109361f, 0.213006f, 0.266012f,
                                                   0.213006f, 0.109361f, 0.036001f, 0.007599f, 0.001028f};

// The constants of the similarity: (0.01 · 255)², (0.03 · 255)² and half of that, each step rounded to f32.
#define SSIM_C1 ((0.01f * 255.0f) * (0.01f * 255.0f))
#define SSIM_C2 ((0.03f * 255.0f) * (0.03f * 255.0f))
#define SSIM_C3 (SSIM_C2 / 2.0f)

// Pictures are reduced so that the shorter side has about as many samples.
#define SSIM_WANTED_SIDE 256
#define SSIM_MOST_REDUCTION 10

// What a sample is divided by to lie between 0 and 256.
ISOVMAF_FN float ssim_divisor(int32_t bit_depth) { return float(1 << (bit_depth - 8)); }

// By how much a picture is reduced if no option says so: its shorter side over 256, rounded, but at least 1.
ISOVMAF_FN int32_t ssim_reduction(int32_t shorter_side) {
    const int32_t rounded = (shorter_side + SSIM_WANTED_SIDE / 2) / SSIM_WANTED_SIDE;
    return rounded > 1 ? rounded : 1;
}

// A side after the reduction.
ISOVMAF_FN int32_t ssim_reduced_side(int32_t side, int32_t factor) {
    return factor == 1 ? side : side / factor + (side & 1);
}

// Each tap of the kernel that reduces by `factor`.
ISOVMAF_FN float ssim_box_tap(int32_t factor) { return 1.0f / float(factor * factor); }

// The sample that stands for one outside the picture: -1 -> 0, n -> n - 1. Valid for -n <= i < 2n.
ISOVMAF_FN int32_t ssim_fold(int32_t i, int32_t n) { return i < 0 ? -1 - i : i < n ? i : 2 * n - 1 - i; }

// Smoothed values around one pixel: of both pictures, of their squares, and of their product.
struct SsimMoments {
    float reference, distorted, reference_square, distorted_square, product;
};

ISOVMAF_FN float ssim_variance(float mean_of_square, float square_of_mean) {
    const float variance = f32_subtract(mean_of_square, square_of_mean);
    return variance > 0.0f ? variance : 0.0f;
}

// What is computed in f32 of the similarity of a pixel: the deviations' product, the divisors of luminance and
// contrast, and the structure. `c1` is SSIM_C1 and so on: shaders get these as parameters, since their compilers
// compute constants in f64.
struct SsimParts {
    float deviations, l_divisor, c_divisor, structure;
};

ISOVMAF_FN SsimParts ssim_parts(SsimMoments m, float c1, float c2, float c3) {
    const float reference_2 = f32_multiply(m.reference, m.reference);
    const float distorted_2 = f32_multiply(m.distorted, m.distorted);
    const float reference_variance = ssim_variance(m.reference_square, reference_2);
    const float distorted_variance = ssim_variance(m.distorted_square, distorted_2);
    const float covariance = f32_subtract(m.product, f32_multiply(m.reference, m.distorted));
    SsimParts parts;
    parts.deviations = f32_sqrt(f32_multiply(reference_variance, distorted_variance));
    parts.l_divisor = f32_add(f32_add(reference_2, distorted_2), c1);
    parts.c_divisor = f32_add(f32_add(reference_variance, distorted_variance), c2);
    const float positive = covariance < 0.0f && parts.deviations <= 0.0f ? 0.0f : covariance;
    parts.structure = f32_divide(f32_add(positive, c3), f32_add(parts.deviations, c3));
    return parts;
}

#if !defined(VULKAN) // float_ssim_similarity.h has the rest for shaders, without f64

// How similar the pictures are there: luminance, contrast and structure.
struct SsimSimilarity {
    double l, c;
    float s;
};

// Sums over pixels in raster order: of l · c · s, and of each factor.
struct SsimSums {
    double lcs, l, c, s;
};

ISOVMAF_FN SsimSimilarity ssim_similarity(const SsimMoments &m) {
    const SsimParts parts = ssim_parts(m, SSIM_C1, SSIM_C2, SSIM_C3);
    SsimSimilarity similarity;
    similarity.l = (2.0 * double(m.reference) * double(m.distorted) + double(SSIM_C1)) / double(parts.l_divisor);
    similarity.c = (2.0 * double(parts.deviations) + double(SSIM_C2)) / double(parts.c_divisor);
    similarity.s = parts.structure;
    return similarity;
}

#endif

#endif
