// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of PSNR: the squared error of each plane (features.md §5).
#include "features/psnr/psnr_math.h"
#include "features/psnr/psnr_params.h"
#include "portable/reduce.h"

// What one load brings. Rows start at multiples of its size.
struct alignas(PSNR_CHUNK_BYTES) PsnrChunk {
    uint32_t words[PSNR_CHUNK_BYTES / 4];
};

// Squared error of the samples of one word, lowest bits first: at most 4 · 255² or 2 · 65535².
template <class Sample>
ISOVMAF_FN uint64_t psnr_word_error(uint32_t reference, uint32_t distorted) {
    constexpr int32_t bits = 8 * int32_t(sizeof(Sample));
    uint64_t error = 0;
    for (int32_t shift = 0; shift < 32; shift += bits)
        error += psnr_squared_error(Sample(reference >> shift), Sample(distorted >> shift));
    return error;
}

// Squared error of a row's samples from x on, a chunk of them or what is left; reads nothing beyond the width.
template <class Sample>
ISOVMAF_FN int64_t psnr_chunk_error(const Sample *reference, const Sample *distorted, int32_t x, int32_t width) {
    constexpr int32_t chunk_samples = PSNR_CHUNK_BYTES / int32_t(sizeof(Sample));
    uint64_t error = 0;
    if (x + chunk_samples <= width) {
        const PsnrChunk r = *(const PsnrChunk *)(reference + x), d = *(const PsnrChunk *)(distorted + x);
        for (int32_t i = 0; i < PSNR_CHUNK_BYTES / 4; i++)
            error += psnr_word_error<Sample>(r.words[i], d.words[i]);
    } else {
        for (; x < width; x++)
            error += psnr_squared_error(reference[x], distorted[x]);
    }
    return int64_t(error);
}

template <class Sample>
ISOVMAF_FN void psnr_plane_error(const Sample *reference, const Sample *distorted, int64_t *sum, PsnrPlane p) {
    ISOVMAF_SHARED(int64_t, slots[ISOVMAF_REDUCE_SLOTS(PSNR_THREADS)]);
    constexpr int32_t chunk_samples = PSNR_CHUNK_BYTES / int32_t(sizeof(Sample));
    constexpr int32_t rows_at_once = PSNR_THREADS / PSNR_TILE_CHUNKS;
    const int32_t thread = thread_x();
    const int32_t x = (group_x() * PSNR_TILE_CHUNKS + thread % PSNR_TILE_CHUNKS) * chunk_samples;
    const int32_t top = group_y() * PSNR_TILE_HEIGHT + thread / PSNR_TILE_CHUNKS;
    int64_t error = 0;
    for (int32_t row = 0; row < PSNR_TILE_HEIGHT; row += rows_at_once)
        if (top + row < p.height)
            error += psnr_chunk_error(plane_row(reference, top + row, p.stride_bytes),
                                      plane_row(distorted, top + row, p.stride_bytes), x, p.width);
    block_add<PSNR_THREADS>(sum, error, thread, slots);
}

template <class Sample>
ISOVMAF_FN void psnr_error(const Sample *reference_y, const Sample *reference_cb, const Sample *reference_cr,
                           const Sample *distorted_y, const Sample *distorted_cb, const Sample *distorted_cr,
                           int64_t *sums, const PsnrParams &p) {
    const int32_t plane = group_z(); // chosen without an index, so that the parameters stay in registers
    const PsnrPlane size = plane == 0 ? p.planes[0] : plane == 1 ? p.planes[1] : p.planes[2];
    psnr_plane_error(plane == 0   ? reference_y
                     : plane == 1 ? reference_cb
                                  : reference_cr,
                     plane == 0   ? distorted_y
                     : plane == 1 ? distorted_cb
                                  : distorted_cr,
                     sums + plane, size);
}

ISOVMAF_KERNEL(PSNR_THREADS)
psnr_error_8(const uint8_t *reference_y, const uint8_t *reference_cb, const uint8_t *reference_cr,
             const uint8_t *distorted_y, const uint8_t *distorted_cb, const uint8_t *distorted_cr, int64_t *sums,
             PsnrParams p) {
    psnr_error(reference_y, reference_cb, reference_cr, distorted_y, distorted_cb, distorted_cr, sums, p);
}
ISOVMAF_KERNEL(PSNR_THREADS)
psnr_error_16(const uint16_t *reference_y, const uint16_t *reference_cb, const uint16_t *reference_cr,
              const uint16_t *distorted_y, const uint16_t *distorted_cb, const uint16_t *distorted_cr, int64_t *sums,
              PsnrParams p) {
    psnr_error(reference_y, reference_cb, reference_cr, distorted_y, distorted_cb, distorted_cr, sums, p);
}
