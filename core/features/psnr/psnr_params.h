// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters of PSNR's kernels.
#ifndef ISOVMAF_PSNR_PARAMS_H
#define ISOVMAF_PSNR_PARAMS_H

#include "portable/integers.h"

// A block sums up one tile, 16 bytes of a row at a time.
#define PSNR_THREADS 256
#define PSNR_CHUNK_BYTES 16
#define PSNR_TILE_CHUNKS 64
#define PSNR_TILE_HEIGHT 16

struct PsnrPlane {
    int32_t width;
    int32_t height;
    int32_t stride_bytes; // of both pictures; a multiple of PSNR_CHUNK_BYTES
};

struct PsnrParams {
    PsnrPlane planes[3]; // the third coordinate of a block is the index of its plane and of its sum
};

#endif
