// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters of motion's kernels.
#ifndef ISOVMAF_MOTION_PARAMS_H
#define ISOVMAF_MOTION_PARAMS_H

#include "portable/integers.h"

// A block sums up one tile; a thread has one run of samples in some rows of it.
#define MOTION_THREADS 128
#define MOTION_RUN 4
#define MOTION_ROWS 3
#define MOTION_TILE_WIDTH 120
#define MOTION_TILE_HEIGHT 12

struct MotionParams {
    int32_t width;
    int32_t height;
    int32_t stride_bytes; // of both pictures
    int32_t bit_depth;
    int32_t sum;         // index of the sum that the kernel adds to
    int32_t first_stage; // of MotionStages
};

#endif
