// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of CAMBI: a block prepares a tile of a picture and finds its mask (cambi.md §3, §4). Of a halved picture it
// keeps what scale 0 keeps. SAMPLE_BITS is 8 or 16.
#include "features/cambi/cambi_params.h"
#include "portable/body.h"

#define SAMPLE ISOVMAF_SAMPLE(SAMPLE_BITS)
#define SAMPLES ISOVMAF_SAMPLES(SAMPLE_BITS)

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT int32_t radius = CAMBI_MASK_RADIUS;
// Pixels whose flatness a tile's mask depends on; their samples with neighbours on the right and below; and these with
// the neighbours that they are averaged with.
ISOVMAF_CONSTANT int32_t flat_width = CAMBI_PICTURE_TILE_WIDTH + 2 * radius;
ISOVMAF_CONSTANT int32_t flat_height = CAMBI_PICTURE_TILE_HEIGHT + 2 * radius;
ISOVMAF_CONSTANT int32_t sample_width = flat_width + 1;
ISOVMAF_CONSTANT int32_t sample_height = flat_height + 1;
ISOVMAF_CONSTANT int32_t source_width = sample_width + 1;
ISOVMAF_CONSTANT int32_t source_height = sample_height + 1;
ISOVMAF_CONSTANT int32_t thread_samples = (sample_width * sample_height - 1) / CAMBI_PICTURE_THREADS + 1;

ISOVMAF_SHARED(uint16_t, tile_samples[source_height][source_width]);
ISOVMAF_SHARED(uint8_t, tile_flat[flat_height][flat_width]);
ISOVMAF_SHARED(uint8_t, column_sums[CAMBI_PICTURE_TILE_HEIGHT][flat_width]); // of flat pixels around the row

ISOVMAF_FN int32_t clamped(int32_t i, int32_t count) { return i < 0 ? 0 : i < count ? i : count - 1; }

ISOVMAF_FN uint32_t luma_sample(SAMPLES luma, ConstI32 table, ISOVMAF_IN(CambiPictureParams) p, int32_t x, int32_t y) {
    const int32_t column = p.columns < 0 ? x : table.at[p.columns + x], row = p.rows < 0 ? y : table.at[p.rows + y];
    return cambi_to_10_bits(uint32_t(plane_row(SAMPLES, luma, row, p.stride_bytes).at[column]), p.bit_depth);
}

// The samples of the tile and around it. Outside the picture are those of its edge, so that a pixel there is flat if
// its other neighbour is equal, and an average of two samples is that of the same two, twice.
ISOVMAF_FN void load_samples(SAMPLES luma, ConstI32 table, ISOVMAF_IN(CambiPictureParams) p, int32_t left,
                             int32_t top) {
    for (int32_t i = thread_x(); i < source_width * source_height; i += CAMBI_PICTURE_THREADS) {
        const int32_t column = i % source_width, row = i / source_width;
        const int32_t x = clamped(left + column - radius, p.width), y = clamped(top + row - radius, p.height);
        tile_samples[row][column] = uint16_t(luma_sample(luma, table, p, x, y));
    }
    barrier();
}

// Averages each sample with those on the right, below, and below on the right.
ISOVMAF_FN void average_samples() {
    uint32_t averages[thread_samples];
    ISOVMAF_UNROLL
    for (int32_t k = 0; k < thread_samples; k++) {
        const int32_t i = thread_x() + k * CAMBI_PICTURE_THREADS;
        const int32_t column = i % sample_width, row = i / sample_width;
        averages[k] = 0u;
        if (row < sample_height)
            averages[k] = (uint32_t(tile_samples[row][column]) + uint32_t(tile_samples[row][column + 1]) +
                           uint32_t(tile_samples[row + 1][column]) + uint32_t(tile_samples[row + 1][column + 1])) >>
                          2;
    }
    barrier();
    ISOVMAF_UNROLL
    for (int32_t k = 0; k < thread_samples; k++) {
        const int32_t i = thread_x() + k * CAMBI_PICTURE_THREADS;
        if (i / sample_width < sample_height)
            tile_samples[i / sample_width][i % sample_width] = uint16_t(averages[k]);
    }
    barrier();
}

ISOVMAF_FN void find_flat(ISOVMAF_IN(CambiPictureParams) p, int32_t left, int32_t top, KernelTaps taps) {
    for (int32_t i = thread_x(); i < flat_width * flat_height; i += CAMBI_PICTURE_THREADS) {
        const int32_t column = i % flat_width, row = i / flat_width;
        const int32_t x = left + column - radius, y = top + row - radius;
        const bool inside = x >= 0 && x < p.width && y >= 0 && y < p.height;
        const uint32_t own = uint32_t(tile_samples[row][column]);
        const bool is_flat =
            own == uint32_t(tile_samples[row][column + 1]) && own == uint32_t(tile_samples[row + 1][column]);
        tile_flat[row][column] = uint8_t(inside && is_flat ? 1 : 0);
        if (ISOVMAF_HAS_TAPS && inside && x >= left && x < left + CAMBI_PICTURE_TILE_WIDTH && y >= top &&
            y < top + CAMBI_PICTURE_TILE_HEIGHT)
            tap_put(taps, p.stage, x, y, own);
    }
}

// Flat pixels in the columns around the rows that are kept.
ISOVMAF_FN void sum_columns(ISOVMAF_IN(CambiPictureParams) p) {
    for (int32_t i = thread_x(); i < flat_width * (CAMBI_PICTURE_TILE_HEIGHT >> p.shift); i += CAMBI_PICTURE_THREADS) {
        const int32_t column = i % flat_width, row = i / flat_width << p.shift;
        uint32_t sum = 0u;
        ISOVMAF_UNROLL
        for (int32_t j = 0; j <= 2 * radius; j++)
            sum += uint32_t(tile_flat[row + j][column]);
        column_sums[row][column] = uint8_t(sum);
    }
}

ISOVMAF_FN void keep_pixels(U16 kept, ISOVMAF_IN(CambiPictureParams) p, int32_t left, int32_t top, KernelTaps taps) {
    const int32_t count_kept = CAMBI_PICTURE_TILE_WIDTH * CAMBI_PICTURE_TILE_HEIGHT >> 2 * p.shift;
    for (int32_t i = thread_x(); i < count_kept; i += CAMBI_PICTURE_THREADS) {
        const int32_t column = (i << p.shift) % CAMBI_PICTURE_TILE_WIDTH;
        const int32_t row = (i << p.shift) / CAMBI_PICTURE_TILE_WIDTH << p.shift;
        if (left + column >= p.width || top + row >= p.height)
            continue;
        int32_t count = 0;
        ISOVMAF_UNROLL
        for (int32_t j = 0; j <= 2 * radius; j++)
            count += int32_t(column_sums[row][column + j]);
        const bool masked = count > p.threshold;
        const int32_t x = (left + column) >> p.shift, y = (top + row) >> p.shift;
        const uint32_t value = uint32_t(tile_samples[row + radius][column + radius]);
        kept.at[y * p.kept_stride + x] = uint16_t(value | (masked ? CAMBI_MASKED : 0u));
        tap_put(taps, p.stage + 1, x, y, masked ? 1 : 0);
    }
}

ISOVMAF_FN void picture_tile(SAMPLES luma, ConstI32 table, U16 kept, ISOVMAF_IN(CambiPictureParams) p,
                             KernelTaps taps) {
    const int32_t left = group_x() * CAMBI_PICTURE_TILE_WIDTH, top = group_y() * CAMBI_PICTURE_TILE_HEIGHT;
    load_samples(luma, table, p, left, top);
    if (p.anti_dither != 0)
        average_samples();
    find_flat(p, left, top, taps);
    barrier();
    sum_columns(p);
    barrier();
    keep_pixels(kept, p, left, top, taps);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = CAMBI_PICTURE_THREADS) in;
ISOVMAF_ARGUMENTS {
    SAMPLES luma;
    ConstI32 table;
    U16 kept;
    ISOVMAF_TAPS_MEMBER
    CambiPictureParams p;
}
arguments;
void main() { picture_tile(arguments.luma, arguments.table, arguments.kept, arguments.p, ISOVMAF_TAPS_ARGUMENT); }
#else
ISOVMAF_KERNEL(CAMBI_PICTURE_THREADS)
ISOVMAF_KERNEL_NAME(const SAMPLE *luma, const int32_t *table, uint16_t *kept,
                    ISOVMAF_TAPS_PARAMETER CambiPictureParams p) {
    KERNEL_BODY::picture_tile({luma}, {table}, {kept}, p, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
#undef SAMPLE_BITS
#undef SAMPLE
#undef SAMPLES
