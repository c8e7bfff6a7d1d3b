// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters of MS-SSIM's own kernel.
#ifndef ISOVMAF_FLOAT_MS_SSIM_PARAMS_H
#define ISOVMAF_FLOAT_MS_SSIM_PARAMS_H

#include "features/float_ms_ssim/float_ms_ssim_math.h"
#include "features/float_ssim/float_ssim_math.h"

// A thread makes a sample of one picture; a block of threads is in one row.
#define MS_SSIM_HALVE_THREADS 128

// From the pictures of a scale to those of the next one.
struct MsSsimHalveParams {
    int32_t width, height, half_width, half_height;
    int32_t stage; // of the reference picture; the next one is the distorted one's
};

#endif
