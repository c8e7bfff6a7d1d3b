// SPDX-License-Identifier: BSD-2-Clause-Patent
// Constants of MS-SSIM (features.md §6.4).
#ifndef ISOVMAF_FLOAT_MS_SSIM_MATH_H
#define ISOVMAF_FLOAT_MS_SSIM_MATH_H

#include "portable/portable.h"

#define MS_SSIM_SCALE_COUNT 5
// Five halvings of it, rounded down, leave the 11 samples of SSIM's window.
#define MS_SSIM_SMALLEST_SIDE 176

// The low-pass filter in front of a halving: libvmaf's, which is almost the outer product of a wavelet's nine taps.
#define MS_SSIM_TAP_COUNT 9
ISOVMAF_TABLE(float, ms_ssim_low_pass, MS_SSIM_TAP_COUNT *MS_SSIM_TAP_COUNT) = {
    0.000714f,  -0.000450f, -0.002090f, 0.007132f,  0.016114f,  0.007132f,  -0.002090f, -0.000450f, 0.000714f,
    -0.000450f, 0.000283f,  0.001316f,  -0.004490f, -0.010146f, -0.004490f, 0.001316f,  0.000283f,  -0.000450f,
    -0.002090f, 0.001316f,  0.006115f,  -0.020867f, -0.047149f, -0.020867f, 0.006115f,  0.001316f,  -0.002090f,
    0.007132f,  -0.004490f, -0.020867f, 0.071207f,  0.160885f,  0.071207f,  -0.020867f, -0.004490f, 0.007132f,
    0.016114f,  -0.010146f, -0.047149f, 0.160885f,  0.363505f,  0.160885f,  -0.047149f, -0.010146f, 0.016114f,
    0.007132f,  -0.004490f, -0.020867f, 0.071207f,  0.160885f,  0.071207f,  -0.020867f, -0.004490f, 0.007132f,
    -0.002090f, 0.001316f,  0.006115f,  -0.020867f, -0.047149f, -0.020867f, 0.006115f,  0.001316f,  -0.002090f,
    -0.000450f, 0.000283f,  0.001316f,  -0.004490f, -0.010146f, -0.004490f, 0.001316f,  0.000283f,  -0.000450f,
    0.000714f,  -0.000450f, -0.002090f, 0.007132f,  0.016114f,  0.007132f,  -0.002090f, -0.000450f, 0.000714f};

// Exponents of each scale's means: luminance counts at the last scale alone, contrast and structure alike.
ISOVMAF_TABLE(float, ms_ssim_luminance_exponents, MS_SSIM_SCALE_COUNT) = {0.0f, 0.0f, 0.0f, 0.0f, 0.1333f};
ISOVMAF_TABLE(float, ms_ssim_exponents, MS_SSIM_SCALE_COUNT) = {0.0448f, 0.2856f, 0.3001f, 0.2363f, 0.1333f};

#endif
