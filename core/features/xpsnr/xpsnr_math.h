// SPDX-License-Identifier: BSD-2-Clause-Patent
// Constants and per-sample arithmetic of XPSNR (xpsnr.md §2 and §3).
#ifndef ISOVMAF_XPSNR_MATH_H
#define ISOVMAF_XPSNR_MATH_H

#include "portable/portable.h"

// Pictures with more samples than that have the halved terms; those with at most so many are smoothed.
#define XPSNR_MOST_SAMPLES_WHOLE (2048 * 1152)
#define XPSNR_MOST_SAMPLES_SMOOTHED (640 * 480)

// Of halved pictures, a block of the last column has no spatial activity when it is that wide.
#define XPSNR_FORGOTTEN_LEAST_WIDTH 3
#define XPSNR_FORGOTTEN_MOST_WIDTH 14

// Squared difference of two samples of up to 16 bits; it fits a u32.
ISOVMAF_FN uint32_t xpsnr_squared_error(int32_t reference, int32_t distorted) {
    const int32_t difference = reference - distorted;
    return uint32_t(difference) * uint32_t(difference);
}

// Spatial term of a sample, `own`: `sides` is the sum of the four samples that share a side with it, `corners` that of
// the four diagonal ones. Below 2^20.
ISOVMAF_FN uint32_t xpsnr_spatial(int32_t own, int32_t sides, int32_t corners) {
    const int32_t value = 12 * own - 2 * sides - corners;
    return uint32_t(value < 0 ? -value : value);
}

// Spatial term of a group of two by two samples, from sums of the samples around it: `group` of the group itself,
// `next` of the eight that share a side with it, `diagonal` of the four that touch its corners, and `outer` of the
// sixteen around these, without their corners. Below 2^22.
ISOVMAF_FN uint32_t xpsnr_spatial_halved(int32_t group, int32_t next, int32_t diagonal, int32_t outer) {
    const int32_t value = 12 * group - 3 * next - 2 * diagonal - outer;
    return uint32_t(value < 0 ? -value : value);
}

#endif
