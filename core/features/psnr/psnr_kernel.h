// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of PSNR: a block sums up the squared errors of a tile of one plane (features.md §5). SAMPLE_BITS is 8 or 16.
#include "features/psnr/psnr_math.h"
#include "features/psnr/psnr_params.h"
#include "portable/body.h"

#define SAMPLE ISOVMAF_SAMPLE(SAMPLE_BITS)
#define SAMPLES ISOVMAF_SAMPLES(SAMPLE_BITS)

ISOVMAF_BODY_BEGIN

// The samples of one load. Rows start at multiples of its size.
ISOVMAF_POINTER(Chunks, u32vec4, PSNR_CHUNK_BYTES);
ISOVMAF_CONSTANT int32_t chunk_words = PSNR_CHUNK_BYTES / 4;
ISOVMAF_CONSTANT int32_t word_samples = 32 / SAMPLE_BITS;
ISOVMAF_CONSTANT int32_t chunk_samples = chunk_words * word_samples;
ISOVMAF_CONSTANT int32_t rows_at_once = PSNR_THREADS / PSNR_TILE_CHUNKS;

ISOVMAF_BLOCK_ADD(PSNR_THREADS)

// The i-th sample of a word, from the lowest bits on.
ISOVMAF_FN int32_t sample_of(uint32_t word, int32_t i) {
    return int32_t(word >> (SAMPLE_BITS * i) & ((1u << SAMPLE_BITS) - 1u));
}

// Squared error of the samples of one word: at most 4 · 255² or 2 · 65535². The stage of a plane is its number.
ISOVMAF_FN uint64_t word_error(uint32_t reference, uint32_t distorted, int32_t plane, int32_t x, int32_t y,
                               KernelTaps taps) {
    uint64_t error = 0;
    for (int32_t i = 0; i < word_samples; i++) {
        const uint32_t own = psnr_squared_error(sample_of(reference, i), sample_of(distorted, i));
        tap_put(taps, plane, x + i, y, own);
        error += own;
    }
    return error;
}

// Squared error of a row's samples from x on, a chunk of them or the rest; reads nothing beyond the width.
ISOVMAF_FN uint64_t chunk_error(SAMPLES reference, SAMPLES distorted, int32_t plane, int32_t x, int32_t y,
                                int32_t width, KernelTaps taps) {
    uint64_t error = 0;
    if (x + chunk_samples <= width) {
        const int64_t bytes = int64_t(x) * (SAMPLE_BITS / 8);
        const u32vec4 r = pointer_after(ConstChunks, reference, bytes).at[0];
        const u32vec4 d = pointer_after(ConstChunks, distorted, bytes).at[0];
        for (int32_t i = 0; i < chunk_words; i++)
            error += word_error(r[i], d[i], plane, x + i * word_samples, y, taps);
    } else {
        for (; x < width; x++) {
            const uint32_t own = psnr_squared_error(int32_t(reference.at[x]), int32_t(distorted.at[x]));
            tap_put(taps, plane, x, y, own);
            error += own;
        }
    }
    return error;
}

// A tile of the plane of number `plane`.
ISOVMAF_FN void psnr_tile(SAMPLES reference, SAMPLES distorted, I64 sums, ISOVMAF_IN(PsnrPlane) size, int32_t plane,
                          KernelTaps taps) {
    const int32_t thread = thread_x();
    const int32_t x = (group_x() * PSNR_TILE_CHUNKS + thread % PSNR_TILE_CHUNKS) * chunk_samples;
    const int32_t top = group_y() * PSNR_TILE_HEIGHT + thread / PSNR_TILE_CHUNKS;
    uint64_t error = 0;
    for (int32_t row = 0; row < PSNR_TILE_HEIGHT; row += rows_at_once)
        if (top + row < size.height)
            error += chunk_error(plane_row(SAMPLES, reference, top + row, size.stride_bytes),
                                 plane_row(SAMPLES, distorted, top + row, size.stride_bytes), plane, x, top + row,
                                 size.width, taps);
    block_add(sums, plane, int64_t(error), thread);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = PSNR_THREADS) in;
ISOVMAF_ARGUMENTS {
    SAMPLES reference[3], distorted[3]; // luma, Cb, Cr
    I64 sums;
    ISOVMAF_TAPS_MEMBER
    PsnrParams p;
}
arguments;
void main() {
    const int32_t plane = group_z();
    psnr_tile(arguments.reference[plane], arguments.distorted[plane], arguments.sums, arguments.p.planes[plane], plane,
              ISOVMAF_TAPS_ARGUMENT);
}
#else
ISOVMAF_KERNEL(PSNR_THREADS)
ISOVMAF_KERNEL_NAME(const SAMPLE *reference_y, const SAMPLE *reference_cb, const SAMPLE *reference_cr,
                    const SAMPLE *distorted_y, const SAMPLE *distorted_cb, const SAMPLE *distorted_cr, int64_t *sums,
                    ISOVMAF_TAPS_PARAMETER PsnrParams p) {
    const int32_t plane = group_z(); // chosen without an index, so that the parameters stay in registers
    const PsnrPlane size = plane == 0 ? p.planes[0] : plane == 1 ? p.planes[1] : p.planes[2];
    KERNEL_BODY::psnr_tile({plane == 0   ? reference_y
                            : plane == 1 ? reference_cb
                                         : reference_cr},
                           {plane == 0   ? distorted_y
                            : plane == 1 ? distorted_cb
                                         : distorted_cr},
                           {sums}, size, plane, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
#undef SAMPLE_BITS
#undef SAMPLE
#undef SAMPLES
