// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters of CAMBI's kernels.
#ifndef ISOVMAF_CAMBI_PARAMS_H
#define ISOVMAF_CAMBI_PARAMS_H

#include "features/cambi/cambi_math.h"

// A pixel of a scale takes 16 bits: its sample, and whether it is masked.
#define CAMBI_MASKED 0x8000u

// A block prepares a tile of the picture at full size, and finds its mask.
#define CAMBI_PICTURE_THREADS 256
#define CAMBI_PICTURE_TILE_WIDTH 64
#define CAMBI_PICTURE_TILE_HEIGHT 32

struct CambiPictureParams {
    int32_t width, height; // of the picture
    int32_t stride_bytes;  // of the luma plane
    int32_t bit_depth;
    int32_t columns, rows; // where the table has the places of each column's and row's samples; -1: luma has this size
    int32_t anti_dither;
    int32_t shift;       // 1: every second sample of every second row is kept; 0: all are
    int32_t threshold;   // cambi_mask_threshold
    int32_t kept_stride; // of the pixels that are kept, in pixels
    int32_t stage;       // the preprocessed picture's; the mask's comes next
};

// A block filters a tile of a scale, and a thread some rows of a column.
#define CAMBI_FILTER_THREADS 256
#define CAMBI_FILTER_ROWS 4
#define CAMBI_FILTER_TILE_WIDTH 64
#define CAMBI_FILTER_TILE_HEIGHT 16

struct CambiFilterParams {
    int32_t width, height; // of the scale
    int32_t step;          // 2: the pixels that are read are decimated
    int32_t in_stride, out_stride;
    int32_t stage;
};

// A block computes c-values. cambi_counts_40 is for up to CAMBI_FEW_STEPS steps, cambi_counts_72 for more: a pass
// counts the values that one value is compared with, and has to have room for more. Each thread counts the values of
// one column; those in the middle, whose windows lie in the block's columns, have c-values.
#define CAMBI_FEW_STEPS 8
#define CAMBI_COUNTS_THREADS 128
#define CAMBI_COUNTS_ROWS 32
#define CAMBI_COUNTS_WIDTH(radius) (CAMBI_COUNTS_THREADS - 2 * (radius))

struct CambiCountsScale {
    int32_t width, height;
    int32_t first; // of the scale's pixels and of its c-values, which follow each other without gaps
    int32_t first_group;
    int32_t columns; // tiles side by side
};
struct CambiCountsTask {
    int32_t radius, steps;
    int32_t total; // of scale 0
    int32_t stage; // of scale 0
};
struct CambiCountsParams {
    CambiCountsTask task;
    CambiCountsScale scale[CAMBI_SCALE_COUNT];
};

// A total is what is known of all c-values of a scale, in two arrays: `sums` has their sum and how many are above 0,
// `lowest` the bits that cambi_is_exact takes.
#define CAMBI_TOTAL_SUMS 2

// A block sums up the largest c-values of a scale.
#define CAMBI_POOLING_THREADS 1024

struct CambiPoolingScale {
    int32_t first_value;
    int32_t pixels;
    int32_t wanted; // how many are summed up
};
struct CambiPoolingTask {
    int32_t total; // of scale 0
    int32_t word;  // of scale 0
    int32_t flag_word;
};
struct CambiPoolingParams {
    CambiPoolingTask task;
    CambiPoolingScale scale[CAMBI_SCALE_COUNT];
};

#endif
