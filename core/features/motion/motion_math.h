// SPDX-License-Identifier: BSD-2-Clause-Patent
// Tables and per-sample arithmetic of motion (features.md §2).
#ifndef ISOVMAF_MOTION_MATH_H
#define ISOVMAF_MOTION_MATH_H

#include "portable/portable.h"

#define MOTION_TAP_COUNT 5

// Gaussian of the blur, sum 65536 (libvmaf: integer_motion.h).
ISOVMAF_TABLE(int32_t, motion_taps, MOTION_TAP_COUNT) = {3571, 16004, 26386, 16004, 3571};

// Rounds a vertical sum of taps times samples of `bit_depth` bits back to 8 bits of fraction.
ISOVMAF_FN int32_t motion_round_vertical(int64_t sum, int32_t bit_depth) {
    return int32_t((sum + (int64_t(1) << (bit_depth - 1))) >> bit_depth);
}

// Rounds a horizontal sum: the taps' 16 bits of fraction go.
ISOVMAF_FN int32_t motion_round_horizontal(int64_t sum) { return int32_t((sum + 32768) >> 16); }

#endif
