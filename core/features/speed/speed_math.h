// SPDX-License-Identifier: BSD-2-Clause-Patent
// Constants of SpEED (speed.md).
#ifndef ISOVMAF_SPEED_MATH_H
#define ISOVMAF_SPEED_MATH_H

#include "portable/portable.h"

#define SPEED_DECIMATION 16                                  // one sample in so many is kept, in both directions
#define SPEED_BLOCK 5                                        // samples across and down a block
#define SPEED_VALUES (SPEED_BLOCK * SPEED_BLOCK)             // of a block: sides of the matrices
#define SPEED_SMALLEST_SIDE (SPEED_DECIMATION * SPEED_BLOCK) // of a plane, after its prescaling
#define SPEED_SAMPLE_OFFSET (-128.0F)                        // of samples in units of 8 bit
#define SPEED_QR_STEPS 500                                   // at most, for all eigenvalues

// Smaller eigenvalues and pivots make a matrix singular; smaller off-diagonal elements are taken for 0.
#define SPEED_SINGULAR 1e-6
#define SPEED_NEGLIGIBLE 1e-6

// Gaussian filters: taps for each unit of kernelscale.
#define SPEED_LOW_PASS_REACH 9.0F
#define SPEED_LOCAL_MEAN_REACH 2.0F
#define SPEED_FEWEST_TAPS 3
#define SPEED_MOST_TAPS 35 // of kernelscale 360/97

#define SPEED_BICUBIC_A (-0.75F)
#define SPEED_LANCZOS_LOBES 4
#define SPEED_SAME_SCALE 1e-3 // a prescale this close to 1 is none; a kernelscale is one of the list within this

#define SPEED_LOG2_2PI_E 0x1.06073a671183dp+2 // log2(2 pi e), nearest double

// The index from 0 to size - 1 that stands for index i, which may lie outside: rows and columns are mirrored about the
// first and the last one, which are not repeated.
ISOVMAF_FN int32_t speed_mirror(int32_t i, int32_t size) { return i < 0 ? -i : i >= size ? 2 * size - 2 - i : i; }

// Where value `e` of a block stands behind its first one, in a picture of that width.
ISOVMAF_FN int32_t speed_value_at(int32_t width, int32_t e) { return e / SPEED_BLOCK * width + e % SPEED_BLOCK; }

#endif
