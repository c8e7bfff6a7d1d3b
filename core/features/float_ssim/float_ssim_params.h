// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters of the kernels of SSIM, which float_ms_ssim uses too.
#ifndef ISOVMAF_FLOAT_SSIM_PARAMS_H
#define ISOVMAF_FLOAT_SSIM_PARAMS_H

#include "features/float_ssim/float_ssim_math.h"

// A thread makes a sample of one picture; a block of threads is in one row.
#define SSIM_REDUCE_THREADS 256

// A block of threads compares a tile of the pictures.
#define SSIM_COMPARE_THREADS 256
#define SSIM_TILE_WIDTH 32
#define SSIM_TILE_HEIGHT 16
#define SSIM_MOMENT_COUNT 5

// A group is as many whole rows of terms of one sum as have about so many terms, but at least one row.
#define SSIM_GROUP_TERMS 4096

// A block of threads finds a group's step (ordered_sum_f64.h), and one makes a sum. A thread has a run of terms.
#define SSIM_SUM_THREADS 256

// Terms that are read at once, before the first of them is used. Shaders are kept short.
#if defined(VULKAN)
#define SSIM_BATCH 1
#else
#define SSIM_BATCH 8
#endif

// Plain sums are integers in units of 2^-SSIM_PLAIN_BITS. Nothing but the binade that is expected depends on them.
#define SSIM_PLAIN_BITS 20

#define SSIM_MOST_SCALES 5
#define SSIM_MOST_SUMS 4

// The way from a picture's samples to a smaller picture, and sums that are cleared at the same time.
struct SsimReduceParams {
    int32_t width, height, reduced_width, reduced_height;
    int32_t reference_stride, distorted_stride; // in bytes
    int32_t factor;
    float tap; // for samples as they are, not yet scaled to those of 8 bits
    int32_t groups;
};

// A pair of pictures of one size.
struct SsimScale {
    int64_t pictures; // floats before the reference picture; the distorted one follows it
    int64_t terms;    // numbers before those of the scale's first sum; other sums' follow
    int32_t width, height;
    int32_t smooth_width, smooth_height;
    int32_t first_tile, tiles_across;
    int32_t first_group, groups, group_rows; // groups of each sum; those of one sum follow those of another
    int32_t stage;                           // the number of its SsimStage 0
};

struct SsimParams {
    SsimScale scales[SSIM_MOST_SCALES];
    int32_t sums;        // of a scale: of l, c and s, or of l · c · s and these
    uint32_t c1, c2, c3; // bits of what ssim_parts takes: kernels that add up have no f32
};

// A scale, chosen without an index, so that the parameters of kernels stay in registers.
ISOVMAF_FN SsimScale ssim_scale(SsimParams p, int32_t scale) {
    if (scale == 0)
        return p.scales[0];
    if (scale == 1)
        return p.scales[1];
    if (scale == 2)
        return p.scales[2];
    if (scale == 3)
        return p.scales[3];
    return p.scales[4];
}

// The numbers of the scales that have the tile, and the group. Scales that are not there begin behind the last ones.
ISOVMAF_FN int32_t ssim_scale_of_tile(SsimParams p, int32_t tile) {
    return (tile >= p.scales[1].first_tile ? 1 : 0) + (tile >= p.scales[2].first_tile ? 1 : 0) +
           (tile >= p.scales[3].first_tile ? 1 : 0) + (tile >= p.scales[4].first_tile ? 1 : 0);
}
ISOVMAF_FN int32_t ssim_scale_of_group(SsimParams p, int32_t group) {
    return (group >= p.scales[1].first_group ? 1 : 0) + (group >= p.scales[2].first_group ? 1 : 0) +
           (group >= p.scales[3].first_group ? 1 : 0) + (group >= p.scales[4].first_group ? 1 : 0);
}

#endif
