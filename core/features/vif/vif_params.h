// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters of VIF's kernels.
#ifndef ISOVMAF_VIF_PARAMS_H
#define ISOVMAF_VIF_PARAMS_H

#include "portable/integers.h"

// A block takes one tile; a thread filters one column of it, margins included, and then one run of pixels in a row.
#define VIF_THREADS 128
#define VIF_TILE_WIDTH 112
#define VIF_TILE_HEIGHT 8
#define VIF_RUN 7
#define VIF_RUNS (VIF_TILE_WIDTH / VIF_RUN)
#define VIF_HALF_WIDTH (VIF_TILE_WIDTH / 2)
#define VIF_HALF_HEIGHT (VIF_TILE_HEIGHT / 2)

// The same for kernels that multiply matrices, whose tiles are as wide.
#define VIF_MATRIX_THREADS 256
#define VIF_MATRIX_HEIGHT 16

// Gain limits that are counted at a time, and the sums for that: den_log, num_non, den_non, and num_log of each limit.
#define VIF_LIMITS 2
#define VIF_SUMS (3 + VIF_LIMITS)

// Elements from row to row of filtered columns. With this distance, the threads of a wave read their runs, in one row
// or in two, from 32 different banks.
#define VIF_COLUMNS (VIF_THREADS + 16)

// Parts in which a block adds up each sum.
#define VIF_PARTS 16

struct VifParams {
    int32_t width;
    int32_t height;
    int32_t stride_bytes;      // of both pictures
    int32_t next_stride_bytes; // of both pictures of the next scale
    int32_t bit_depth;         // of the video
    int32_t limit_count;       // gain limits; 0 when this scale is not counted
    int32_t den_log_sum;       // which of the sums
    int32_t num_non_sum;
    int32_t den_non_sum;
    int32_t num_log_sums; // first of limit_count

    int32_t next_reference_stage; // which of the stages: see VifStages
    int32_t next_distorted_stage;
    int32_t reference_variance_stage;
    int32_t distorted_variance_stage;
    int32_t covariance_stage;
    int32_t den_log_stage;
    int32_t num_log_stages; // first of limit_count
};

#endif
