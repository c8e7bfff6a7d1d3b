// SPDX-License-Identifier: BSD-2-Clause-Patent
// A tile of PSNR: squared errors of a plane (features.md §5).
#ifndef ISOVMAF_PSNR_TILE_H
#define ISOVMAF_PSNR_TILE_H

#include "features/psnr/psnr_math.h"
#include "features/psnr/psnr_params.h"
#include "portable/reduce.h"
#include "portable/taps.h"

// What one load brings. Rows start at multiples of its size.
struct alignas(PSNR_CHUNK_BYTES) PsnrChunk {
    uint32_t words[PSNR_CHUNK_BYTES / 4];
};

// Where a row's squared errors show: the stage of a plane is its number.
template <class Tap>
struct PsnrPlace {
    Tap taps;
    int32_t plane, y;
};

// Squared error of the samples of one word, lowest bits first: at most 4 · 255² or 2 · 65535².
template <class Sample, class Tap>
ISOVMAF_FN uint64_t psnr_word_error(uint32_t reference, uint32_t distorted, PsnrPlace<Tap> place, int32_t x) {
    constexpr int32_t bits = 8 * int32_t(sizeof(Sample));
    uint64_t error = 0;
    for (int32_t shift = 0; shift < 32; shift += bits) {
        const uint64_t own = psnr_squared_error(Sample(reference >> shift), Sample(distorted >> shift));
        place.taps.put(place.plane, x + shift / bits, place.y, int64_t(own));
        error += own;
    }
    return error;
}

// Squared error of a row's samples from x on, a chunk of them or what is left; reads nothing beyond the width.
template <class Sample, class Tap>
ISOVMAF_FN int64_t psnr_chunk_error(const Sample *reference, const Sample *distorted, int32_t x, int32_t width,
                                    PsnrPlace<Tap> place) {
    constexpr int32_t word_samples = 4 / int32_t(sizeof(Sample));
    constexpr int32_t chunk_samples = PSNR_CHUNK_BYTES / 4 * word_samples;
    uint64_t error = 0;
    if (x + chunk_samples <= width) {
        const PsnrChunk r = *(const PsnrChunk *)(reference + x), d = *(const PsnrChunk *)(distorted + x);
        for (int32_t i = 0; i < PSNR_CHUNK_BYTES / 4; i++)
            error += psnr_word_error<Sample>(r.words[i], d.words[i], place, x + i * word_samples);
    } else {
        for (; x < width; x++) {
            const uint64_t own = psnr_squared_error(reference[x], distorted[x]);
            place.taps.put(place.plane, x, place.y, int64_t(own));
            error += own;
        }
    }
    return int64_t(error);
}

template <class Sample, class Tap>
ISOVMAF_FN void psnr_plane_error(const Sample *reference, const Sample *distorted, int64_t *sum, PsnrPlane p,
                                 int32_t plane, Tap taps) {
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
                                      plane_row(distorted, top + row, p.stride_bytes), x, p.width,
                                      PsnrPlace<Tap>{taps, plane, top + row});
    block_add<PSNR_THREADS>(sum, error, thread, slots);
}

template <class Sample, class Tap>
ISOVMAF_FN void psnr_tile(const Sample *reference_y, const Sample *reference_cb, const Sample *reference_cr,
                          const Sample *distorted_y, const Sample *distorted_cb, const Sample *distorted_cr,
                          int64_t *sums, const PsnrParams &p, Tap taps) {
    const int32_t plane = group_z(); // chosen without an index, so that the parameters stay in registers
    const PsnrPlane size = plane == 0 ? p.planes[0] : plane == 1 ? p.planes[1] : p.planes[2];
    psnr_plane_error(plane == 0   ? reference_y
                     : plane == 1 ? reference_cb
                                  : reference_cr,
                     plane == 0   ? distorted_y
                     : plane == 1 ? distorted_cb
                                  : distorted_cr,
                     sums + plane, size, plane, taps);
}

#endif
