// SPDX-License-Identifier: BSD-2-Clause-Patent
// Tables and per-sample arithmetic of PSNR-HVS (features.md §9).
#ifndef ISOVMAF_PSNR_HVS_MATH_H
#define ISOVMAF_PSNR_HVS_MATH_H

#include "portable/portable.h"

// Blocks of 8x8 samples overlap by one sample.
#define PSNR_HVS_BLOCK 8
#define PSNR_HVS_STEP 7
#define PSNR_HVS_COEFFICIENTS (PSNR_HVS_BLOCK * PSNR_HVS_BLOCK)

// The largest bit depth. Up to it all steps of the transform fit 16 bits with a sign.
#define PSNR_HVS_MOST_BITS 12

// Contrast sensitivity of the eye by frequency, of each plane: the weights of the transform's coefficients (libvmaf:
// psnr_hvs.c). Rows are vertical frequencies, columns horizontal ones.
ISOVMAF_TABLE(float, psnr_hvs_csf_y, PSNR_HVS_COEFFICIENTS) = {
    1.6193873005f,   2.2901594831f,   2.08509755623f,  1.48366094411f,  1.00227514334f,  0.678296995242f,
    0.466224900598f, 0.3265091542f,   2.2901594831f,   1.94321815382f,  2.04793073064f,  1.68731108984f,
    1.2305666963f,   0.868920337363f, 0.61280991668f,  0.436405793551f, 2.08509755623f,  2.04793073064f,
    1.34329019223f,  1.09205635862f,  0.875748795257f, 0.670882927016f, 0.501731932449f, 0.372504254596f,
    1.48366094411f,  1.68731108984f,  1.09205635862f,  0.772819797575f, 0.605636379554f, 0.48309405692f,
    0.380429446972f, 0.295774038565f, 1.00227514334f,  1.2305666963f,   0.875748795257f, 0.605636379554f,
    0.448996256676f, 0.352889268808f, 0.283006984131f, 0.226951348204f, 0.678296995242f, 0.868920337363f,
    0.670882927016f, 0.48309405692f,  0.352889268808f, 0.27032073436f,  0.215017739696f, 0.17408067321f,
    0.466224900598f, 0.61280991668f,  0.501731932449f, 0.380429446972f, 0.283006984131f, 0.215017739696f,
    0.168869545842f, 0.136153931001f, 0.3265091542f,   0.436405793551f, 0.372504254596f, 0.295774038565f,
    0.226951348204f, 0.17408067321f,  0.136153931001f, 0.109083846276f,
};
ISOVMAF_TABLE(float, psnr_hvs_csf_cb, PSNR_HVS_COEFFICIENTS) = {
    1.91113096927f,  2.46074210438f,  1.18284184739f,  1.14982565193f,  1.05017074788f,  0.898018824055f,
    0.74725392039f,  0.615105596242f, 2.46074210438f,  1.58529308355f,  1.21363250036f,  1.38190029285f,
    1.33100189972f,  1.17428548929f,  0.996404342439f, 0.830890433625f, 1.18284184739f,  1.21363250036f,
    0.978712413627f, 1.02624506078f,  1.03145147362f,  0.960060382087f, 0.849823426169f, 0.731221236837f,
    1.14982565193f,  1.38190029285f,  1.02624506078f,  0.861317501629f, 0.801821139099f, 0.751437590932f,
    0.685398513368f, 0.608694761374f, 1.05017074788f,  1.33100189972f,  1.03145147362f,  0.801821139099f,
    0.676555426187f, 0.605503172737f, 0.55002013668f,  0.495804539034f, 0.898018824055f, 1.17428548929f,
    0.960060382087f, 0.751437590932f, 0.605503172737f, 0.514674450957f, 0.454353482512f, 0.407050308965f,
    0.74725392039f,  0.996404342439f, 0.849823426169f, 0.685398513368f, 0.55002013668f,  0.454353482512f,
    0.389234902883f, 0.342353999733f, 0.615105596242f, 0.830890433625f, 0.731221236837f, 0.608694761374f,
    0.495804539034f, 0.407050308965f, 0.342353999733f, 0.295530605237f,
};
ISOVMAF_TABLE(float, psnr_hvs_csf_cr, PSNR_HVS_COEFFICIENTS) = {
    2.03871978502f,  2.62502345193f,  1.26180942886f,  1.11019789803f,  1.01397751469f,  0.867069376285f,
    0.721500455585f, 0.593906509971f, 2.62502345193f,  1.69112867013f,  1.17180569821f,  1.3342742857f,
    1.28513006198f,  1.13381474809f,  0.962064122248f, 0.802254508198f, 1.26180942886f,  1.17180569821f,
    0.944981930573f, 0.990876405848f, 0.995903384143f, 0.926972725286f, 0.820534991409f, 0.706020324706f,
    1.11019789803f,  1.3342742857f,   0.990876405848f, 0.831632933426f, 0.77418706195f,  0.725539939514f,
    0.661776842059f, 0.587716619023f, 1.01397751469f,  1.28513006198f,  0.995903384143f, 0.77418706195f,
    0.653238524286f, 0.584635025748f, 0.531064164893f, 0.478717061273f, 0.867069376285f, 1.13381474809f,
    0.926972725286f, 0.725539939514f, 0.584635025748f, 0.496936637883f, 0.438694579826f, 0.393021669543f,
    0.721500455585f, 0.962064122248f, 0.820534991409f, 0.661776842059f, 0.531064164893f, 0.438694579826f,
    0.375820256136f, 0.330555063063f, 0.593906509971f, 0.802254508198f, 0.706020324706f, 0.587716619023f,
    0.478717061273f, 0.393021669543f, 0.330555063063f, 0.285345396658f,
};

// Scale of the weights in the masking threshold.
#define PSNR_HVS_MASK_SCALE 0.3885746225901003

// What sums of squared deviations are multiplied with: 64 / 63 of a block and 16 / 15 of a quadrant, in f32.
#define PSNR_HVS_VARIANCE_SCALE (1.0f / 63.0f * 64.0f)
#define PSNR_HVS_QUADRANT_SCALE (1.0f / 15.0f * 16.0f)

// Factors of the transform's lifting steps, in units of 2^-15: sines and tangents of the angles by which it turns pairs
// of values.
#define PSNR_HVS_TAN_2_16 13573 // tan(2/16 pi)
#define PSNR_HVS_SIN_4_16 23170 // sin(4/16 pi)
#define PSNR_HVS_TAN_3_16 21895 // tan(3/16 pi)
#define PSNR_HVS_SIN_6_16 30274 // sin(6/16 pi)
#define PSNR_HVS_OUTER 19195    // 2 - sqrt(2)
#define PSNR_HVS_INNER 29956    // sqrt(2) - 1/2
#define PSNR_HVS_TAN_1_32 3227  // tan(1/32 pi)
#define PSNR_HVS_SIN_1_16 6393  // sin(1/16 pi)
#define PSNR_HVS_TAN_3_32 9940  // tan(3/32 pi)
#define PSNR_HVS_SIN_3_16 18205 // sin(3/16 pi)

// Eight values that a transform turns into eight others.
struct PsnrHvsEight {
    int32_t v0, v1, v2, v3, v4, v5, v6, v7;
};

// v / 2, toward zero.
ISOVMAF_FN int32_t psnr_hvs_half(int32_t v) { return v / 2; }

// v times a factor of the list above, rounded.
ISOVMAF_FN int32_t psnr_hvs_lift(int32_t v, int32_t factor) { return (v * factor + (1 << 14)) >> 15; }

// The transform of one column or row: the frequencies 0 to 7 of eight samples (§9.2).
ISOVMAF_FN PsnrHvsEight psnr_hvs_transform(PsnrHvsEight x) {
    // sums and differences of samples as far from the middle
    int32_t a1 = x.v0 - x.v7;
    const int32_t half_a1 = psnr_hvs_half(a1);
    int32_t a0 = x.v0 - half_a1;
    int32_t b0 = x.v1 + x.v6;
    const int32_t half_b0 = psnr_hvs_half(b0);
    int32_t b1 = x.v6 - half_b0;
    int32_t c1 = x.v2 - x.v5;
    int32_t c0 = x.v2 - psnr_hvs_half(c1);
    int32_t d0 = x.v3 + x.v4;
    const int32_t half_d0 = psnr_hvs_half(d0);
    int32_t d1 = half_d0 - x.v4;

    // even frequencies: 0 and 4, then 2 and 6
    a0 += half_d0;
    d0 = a0 - d0;
    c0 = half_b0 - c0;
    b0 = c0 - b0;
    a0 -= psnr_hvs_lift(b0, PSNR_HVS_TAN_2_16);
    b0 += psnr_hvs_lift(a0, PSNR_HVS_SIN_4_16);
    a0 -= psnr_hvs_lift(b0, PSNR_HVS_TAN_2_16);
    d0 -= psnr_hvs_lift(c0, PSNR_HVS_TAN_3_16);
    c0 += psnr_hvs_lift(d0, PSNR_HVS_SIN_6_16);
    d0 -= psnr_hvs_lift(c0, PSNR_HVS_TAN_3_16);

    // odd frequencies: 1 and 7, then 5 and 3
    c1 += psnr_hvs_lift(b1, PSNR_HVS_OUTER);
    b1 += psnr_hvs_lift(c1, PSNR_HVS_SIN_4_16);
    c1 -= psnr_hvs_lift(b1, PSNR_HVS_INNER);
    d1 = psnr_hvs_half(b1) - d1;
    b1 -= d1;
    c1 = half_a1 - c1;
    a1 -= c1;
    d1 += psnr_hvs_lift(a1, PSNR_HVS_TAN_1_32);
    a1 -= psnr_hvs_lift(d1, PSNR_HVS_SIN_1_16);
    d1 += psnr_hvs_lift(a1, PSNR_HVS_TAN_1_32);
    b1 += psnr_hvs_lift(c1, PSNR_HVS_TAN_3_32);
    c1 -= psnr_hvs_lift(b1, PSNR_HVS_SIN_3_16);
    b1 += psnr_hvs_lift(c1, PSNR_HVS_TAN_3_32);

    PsnrHvsEight y;
    y.v0 = a0;
    y.v1 = a1;
    y.v2 = c0;
    y.v3 = c1;
    y.v4 = b0;
    y.v5 = b1;
    y.v6 = d0;
    y.v7 = d1;
    return y;
}

// Quadrant of a sample at row i and column j of a block: upper left, lower left, upper right, lower right.
ISOVMAF_FN int32_t psnr_hvs_quadrant(int32_t i, int32_t j) {
    return (i >= PSNR_HVS_BLOCK / 2 ? 1 : 0) + (j >= PSNR_HVS_BLOCK / 2 ? 2 : 0);
}

#endif
