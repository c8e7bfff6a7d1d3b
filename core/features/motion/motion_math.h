// SPDX-License-Identifier: BSD-2-Clause-Patent
// Tables and per-sample arithmetic of motion (features.md §2).
#ifndef ISOVMAF_MOTION_MATH_H
#define ISOVMAF_MOTION_MATH_H

#include "portable/products.h"

#define MOTION_TAP_COUNT 5

// Gaussian of the blur, sum 65536 (libvmaf: integer_motion.h).
ISOVMAF_TABLE(int32_t, motion_taps, MOTION_TAP_COUNT) = {3571, 16004, 26386, 16004, 3571};

// Rounds a vertical sum of taps times samples of `bit_depth` bits back to 8 bits of fraction.
ISOVMAF_FN int32_t motion_round_vertical(int64_t sum, int32_t bit_depth) {
    return int32_t((sum + (int64_t(1) << (bit_depth - 1))) >> bit_depth);
}

// Rounds a horizontal sum: the taps' 16 bits of fraction go.
ISOVMAF_FN int32_t motion_round_horizontal(int64_t sum) { return int32_t((sum + 32768) >> 16); }

// motion_round_vertical of a sum of taps times five differences, in 32 bits; with 16 bits it is
// motion_round_horizontal. The differences are at most 65535 in magnitude, and so are the results for samples within
// the bit depth.
//
// The outer taps are odd, the others even. With outer = v0 + v4 and inner = v1 + v3 the sum is therefore 2 half +
// outer, where half = (t0 >> 1) outer + (t1 >> 1) inner + (t2 >> 1) v2. Half of the rounded sum, rounded down, is half
// + (outer >> 1) + 2^(bits - 2); it is shifted by one less. The halved taps sum to 32767, so that no intermediate
// result exceeds 32767 * 65535 + 65535 + 2^14 < 2^31 in magnitude. Factors have at most 18 bits with their sign.
ISOVMAF_FN int32_t motion_blur(int32_t v0, int32_t v1, int32_t v2, int32_t v3, int32_t v4, int32_t bits) {
    const int32_t outer = v0 + v4, inner = v1 + v3;
    int32_t half_sum = multiply_add_24(outer, motion_taps[0] >> 1, 1 << (bits - 2));
    half_sum = multiply_add_24(inner, motion_taps[1] >> 1, half_sum);
    half_sum = multiply_add_24(v2, motion_taps[2] >> 1, half_sum);
    return (half_sum + (outer >> 1)) >> (bits - 1);
}

// The same for differences of at most 255 in magnitude and 8 bits, where the whole sum fits.
ISOVMAF_FN int32_t motion_blur_narrow(int32_t v0, int32_t v1, int32_t v2, int32_t v3, int32_t v4) {
    int32_t sum = multiply_add_24(v0 + v4, motion_taps[0], 128);
    sum = multiply_add_24(v1 + v3, motion_taps[1], sum);
    sum = multiply_add_24(v2, motion_taps[2], sum);
    return sum >> 8;
}

#endif
