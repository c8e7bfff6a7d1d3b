// SPDX-License-Identifier: BSD-2-Clause-Patent
// Constants and per-sample arithmetic of PSNR (features.md §5).
#ifndef ISOVMAF_PSNR_MATH_H
#define ISOVMAF_PSNR_MATH_H

#include "portable/portable.h"

// Below this the mean squared error counts as this, so that equal pictures stay finite.
#define PSNR_SMALLEST_MSE 1e-16

// Squared difference of two samples of up to 16 bits; it fits a u32.
ISOVMAF_FN uint32_t psnr_squared_error(int32_t reference, int32_t distorted) {
    const int32_t difference = reference - distorted;
    return uint32_t(difference) * uint32_t(difference);
}

// Largest sample, or 255 at the scale of the bit depth.
ISOVMAF_FN uint32_t psnr_peak(int32_t bit_depth, bool reduced) {
    return reduced ? uint32_t(255) << (bit_depth - 8) : (uint32_t(1) << bit_depth) - 1;
}

// Score in dB that no frame exceeds unless the options say otherwise: 60 at 8 bit, 108 at 16.
ISOVMAF_FN int32_t psnr_default_cap(int32_t bit_depth) { return 6 * bit_depth + 12; }

#endif
