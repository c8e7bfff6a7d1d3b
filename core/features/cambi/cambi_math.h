// SPDX-License-Identifier: BSD-2-Clause-Patent
// Constants and per-sample arithmetic of CAMBI (cambi.md).
#ifndef ISOVMAF_CAMBI_MATH_H
#define ISOVMAF_CAMBI_MATH_H

#include "portable/f32.h"

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
ISOVMAF_FN uint32_t cambi_to_10_bits(uint32_t code, int32_t bit_depth) {
    const int32_t shift = bit_depth - CAMBI_SAMPLE_BITS;
    const uint32_t value = shift <= 0 ? code << -shift : (code + (uint32_t(1) << (shift - 1))) >> shift;
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
    return f32_multiply(f32_of_u32(weight * same * other), reciprocal);
}

// Sums of c-values are integers in units of 2^-24 (§7). A c-value is below 2^14: with at most CAMBI_MOST_VALUES above
// 0, their sum is below 2^63.
#define CAMBI_UNIT_BITS 24
#define CAMBI_MOST_VALUES ((1 << 25) - 1)

// Whether the sum of so many c-values above 0 is below 2^63 units, whatever they are.
ISOVMAF_FN bool cambi_sum_fits(int64_t count) { return count <= int64_t(CAMBI_MOST_VALUES); }

// A c-value in these units, from the bits of its f32: it is 0, or at least 0.5.
ISOVMAF_FN uint64_t cambi_units(uint32_t bits) {
    return bits == 0u ? uint64_t(0) : uint64_t(f32_significand(bits)) << (f32_exponent(bits) + CAMBI_UNIT_BITS - 23);
}

// Whether the f64 sum of c-values, `units`, has no rounding in any order: all addends are multiples of 2^z units, and
// the sum is below 2^(53 + z). `lowest` has the lower 32 bits of all addends, combined by OR.
ISOVMAF_FN bool cambi_is_exact(uint64_t units, uint32_t lowest) {
    if (lowest == 0u)
        return true;
    const int32_t bits = 53 + floor_log2(lowest & (0u - lowest));
    return bits > 63 || (units >> bits) == uint64_t(0);
}

// The bits of the f64 that such a sum is.
ISOVMAF_FN uint64_t cambi_f64_of_units(uint64_t units) {
    return units == uint64_t(0) ? units : f64_of_i64(int64_t(units)) - (uint64_t(CAMBI_UNIT_BITS) << 52);
}

#endif
