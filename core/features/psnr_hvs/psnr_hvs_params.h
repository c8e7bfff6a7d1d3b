// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters of the kernels of PSNR-HVS.
#ifndef ISOVMAF_PSNR_HVS_PARAMS_H
#define ISOVMAF_PSNR_HVS_PARAMS_H

#include "features/psnr_hvs/psnr_hvs_math.h"

#define PSNR_HVS_PLANES 3

// A group is 64 blocks of a plane in raster order, and its terms are their errors, in the order in which they are
// added. The last group of a plane is filled up with terms of 0.
#define PSNR_HVS_GROUP_BLOCKS 64
#define PSNR_HVS_GROUP_TERMS (PSNR_HVS_GROUP_BLOCKS * PSNR_HVS_COEFFICIENTS)

// A block of threads computes the errors of a group.
#define PSNR_HVS_ERRORS_THREADS 512

// A block of threads finds a group's steps (ordered_sum.h), and one adds up a plane. A thread has a run of terms.
#define PSNR_HVS_SUM_THREADS 256
#define PSNR_HVS_RUN_TERMS (PSNR_HVS_GROUP_TERMS / PSNR_HVS_SUM_THREADS)

// Steps of a group: of the lowest binade in which the plane's sum can lie before the group, and the ones that follow. A
// plane of less than 2^23 terms needs three.
#define PSNR_HVS_BINADES 4

// A plane's weights and then its masks (PsnrHvsTables), one plane after the other.
#define PSNR_HVS_TABLE_BYTES (2 * 4 * PSNR_HVS_COEFFICIENTS)

struct PsnrHvsPlane {
    int32_t columns, blocks;                    // blocks beside each other, and all of them
    int32_t first_group, groups;                // groups of all planes follow each other
    int32_t reference_stride, distorted_stride; // in bytes
    int32_t stage;                              // PsnrHvsStages' first one
};
struct PsnrHvsParams {
    PsnrHvsPlane planes[PSNR_HVS_PLANES];
};

// A plane, chosen without an index, so that the parameters of kernels stay in registers.
ISOVMAF_FN PsnrHvsPlane psnr_hvs_plane(PsnrHvsParams p, int32_t plane) {
    if (plane == 0)
        return p.planes[0];
    if (plane == 1)
        return p.planes[1];
    return p.planes[2];
}

// The number of the plane that has the group.
ISOVMAF_FN int32_t psnr_hvs_plane_of(PsnrHvsParams p, int32_t group) {
    return (group >= p.planes[1].first_group ? 1 : 0) + (group >= p.planes[2].first_group ? 1 : 0);
}

#endif
