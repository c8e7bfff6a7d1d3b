// SPDX-License-Identifier: BSD-2-Clause-Patent
// Constants and per-sample arithmetic of CAMBI (cambi.md).
#ifndef ISOVMAF_CAMBI_MATH_H
#define ISOVMAF_CAMBI_MATH_H

#include "portable/portable.h"

#define CAMBI_SCALE_COUNT 5

// Samples are analysed with 10 bits (§3). Rounding from more bits gives one value more: 1024.
#define CAMBI_SAMPLE_BITS 10
#define CAMBI_LARGEST_SAMPLE 1024

// Pictures with two shorter sides are refused (§2).
#define CAMBI_SMALLEST_LONGER_SIDE 216

// The mask looks at a square of 7x7 pixels (§4).
#define CAMBI_MASK_RADIUS 3

// Contrast steps d are 1 to 2^max_log_contrast, at most this (§6), and each has a weight (libvmaf: cambi.c).
#define CAMBI_LARGEST_STEP 32
ISOVMAF_TABLE(uint32_t, cambi_weights, CAMBI_LARGEST_STEP) = {1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8,
                                                              8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};

// Windows have odd sides up to this (§2), and counts of a window's pixels go up to its square.
#define CAMBI_LARGEST_WINDOW 65
#define CAMBI_RECIPROCAL_COUNT (CAMBI_LARGEST_WINDOW * CAMBI_LARGEST_WINDOW + 1)

// A sample of 8 to 16 bits as one of 10 bits (§3). Samples above the depth, which are refused elsewhere, stay in range.
ISOVMAF_FN uint32_t cambi_to_10_bits(uint32_t sample, int32_t bit_depth) {
    const int32_t shift = bit_depth - CAMBI_SAMPLE_BITS;
    const uint32_t value = shift <= 0 ? sample << -shift : (sample + (uint32_t(1) << (shift - 1))) >> shift;
    return value < CAMBI_LARGEST_SAMPLE ? value : CAMBI_LARGEST_SAMPLE;
}

// The value that stands at least twice among three, else the smallest (§5).
ISOVMAF_FN uint32_t cambi_mode(uint32_t a, uint32_t b, uint32_t c) {
    if (a == b || a == c)
        return a;
    if (b == c)
        return b;
    const uint32_t smaller = a < b ? a : b;
    return smaller < c ? smaller : c;
}

// A pixel is masked if more of the 49 pixels around it are flat (§4).
// `blocks`: (width >> 6) * (height >> 6) of the picture.
ISOVMAF_FN int32_t cambi_mask_threshold(uint32_t blocks) {
    int32_t log = 0;
    while ((uint64_t(1) << log) < blocks)
        log++;
    return (49 + 3 * (log - 11) - 1) >> 1;
}

// Contrast with the pixels `d` steps away (§6): `same` pixels of the window have the pixel's value, `other` the more
// frequent one of value + d and value - d. The product is below 2^32. `reciprocal` stands for 1 / (same + other).
ISOVMAF_FN float cambi_contrast(uint32_t weight, uint32_t same, uint32_t other, float reciprocal) {
    return float(weight * same * other) * reciprocal;
}

#endif
