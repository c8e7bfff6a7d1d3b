#version 460
// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of PSNR for Vulkan: a block sums up the squared errors of a tile of a plane (features.md §5), as psnr_tile.h
// does.
//
//! kernel psnr_error_8 SAMPLES=ConstU8 SAMPLE_BITS=8
//! kernel psnr_error_16 SAMPLES=ConstU16 SAMPLE_BITS=16
#include "features/psnr/psnr_math.h"
#include "features/psnr/psnr_params.h"
#include "portable/reduce.glsl"
#include "portable/taps.glsl"

#define CHUNK_SAMPLES (PSNR_CHUNK_BYTES * 8 / SAMPLE_BITS)
#define WORD_SAMPLES (32 / SAMPLE_BITS)
#define ROWS_AT_ONCE (PSNR_THREADS / PSNR_TILE_CHUNKS)

// What one load brings. Rows start at multiples of its size.
ISOVMAF_POINTER(Chunks, uvec4, PSNR_CHUNK_BYTES);

layout(local_size_x = PSNR_THREADS) in;
ISOVMAF_ARGUMENTS {
    SAMPLES reference[3], distorted[3]; // luma, Cb, Cr
    I64 sums;
    ISOVMAF_TAPS_MEMBER
    PsnrParams p;
} arguments;

ISOVMAF_BLOCK_ADD(PSNR_THREADS)

// Squared error of the samples of one word, lowest bits first: at most 4 · 255² or 2 · 65535². The stage of a plane is
// its number.
uint64_t word_error(uint32_t reference, uint32_t distorted, int32_t plane, int32_t x, int32_t y) {
    uint64_t error = 0;
    for (int32_t i = 0; i < WORD_SAMPLES; i++) {
        const uint32_t own = psnr_squared_error(int32_t(bitfieldExtract(reference, i * SAMPLE_BITS, SAMPLE_BITS)),
                                                int32_t(bitfieldExtract(distorted, i * SAMPLE_BITS, SAMPLE_BITS)));
        tap_put(arguments.taps, plane, x + i, y, own);
        error += own;
    }
    return error;
}

// Squared error of a row's samples from x on, a chunk of them or what is left; reads nothing beyond the width.
uint64_t chunk_error(int32_t plane, int32_t x, int32_t y) {
    const PsnrPlane size = arguments.p.planes[plane];
    SAMPLES reference = plane_row(SAMPLES, arguments.reference[plane], y, size.stride_bytes);
    SAMPLES distorted = plane_row(SAMPLES, arguments.distorted[plane], y, size.stride_bytes);
    uint64_t error = 0;
    if (x + CHUNK_SAMPLES <= size.width) {
        const uvec4 r = ConstChunks(reference).at[x / CHUNK_SAMPLES], d = ConstChunks(distorted).at[x / CHUNK_SAMPLES];
        for (int32_t i = 0; i < PSNR_CHUNK_BYTES / 4; i++)
            error += word_error(r[i], d[i], plane, x + i * WORD_SAMPLES, y);
    } else {
        for (; x < size.width; x++) {
            const uint32_t own = psnr_squared_error(int32_t(reference.at[x]), int32_t(distorted.at[x]));
            tap_put(arguments.taps, plane, x, y, own);
            error += own;
        }
    }
    return error;
}

void main() {
    const int32_t thread = thread_x(), plane = group_z();
    const int32_t x = (group_x() * PSNR_TILE_CHUNKS + thread % PSNR_TILE_CHUNKS) * CHUNK_SAMPLES;
    const int32_t top = group_y() * PSNR_TILE_HEIGHT + thread / PSNR_TILE_CHUNKS;
    uint64_t error = 0;
    for (int32_t row = 0; row < PSNR_TILE_HEIGHT; row += ROWS_AT_ONCE)
        if (top + row < arguments.p.planes[plane].height)
            error += chunk_error(plane, x, top + row);
    block_add(arguments.sums, plane, int64_t(error), thread);
}
