// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters of XPSNR's kernels.
#ifndef ISOVMAF_XPSNR_PARAMS_H
#define ISOVMAF_XPSNR_PARAMS_H

#include "portable/integers.h"

// A group of threads sums up one block of the grid.
#define XPSNR_THREADS 256
#define XPSNR_WORDS 5   // of a block, at most
#define XPSNR_FOLDED 16 // threads that add up the shares of one word

struct XpsnrPlane {
    int32_t width;
    int32_t height;
    int32_t reference_stride; // bytes from a row to the next
    int32_t distorted_stride;
    int32_t block_width; // of all blocks but the last ones
    int32_t block_height;
};

struct XpsnrParams {
    XpsnrPlane planes[3];
    int32_t plane_count;
    int32_t columns;            // of blocks
    int32_t words_per_block;    // squared error of luma, spatial, temporal, errors of chroma
    int32_t forgotten;          // column of blocks whose spatial activity is 0; -1: none
    int32_t has_activities;     // 0: pictures are too small for weights
    int32_t before_factor;      // a change is the sample less so many times the one of the frame before,
    int32_t before_that_factor; // and less so many times the one of two frames before
};

#endif
