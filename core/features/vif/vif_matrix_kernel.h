// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of VIF's scale 0 on GPUs that multiply matrices of bytes: a block adds the pixels of a tile to the sums, and
// makes the tile's part of the next scale's pictures (features.md §3.1 to §3.4). SAMPLE_BITS is 8 or 16.
//
// A wave filters 16 columns down, which gives 16 rows. Then it filters these and the 16 columns of the wave to the
// right along the rows, which gives 16 columns. What a lane has of one product of matrices is what it needs for the
// next one, so that nothing moves between the lanes of a wave.
#include "features/vif/vif_filter.h"
#include "features/vif/vif_log_lines.h"
#include "features/vif/vif_thread_sums.h"

#define SAMPLE ISOVMAF_SAMPLE(SAMPLE_BITS)
#define THREADS VIF_MATRIX_THREADS

ISOVMAF_BODY_BEGIN

#include "features/vif/vif_matrix_filter.h"

ISOVMAF_CONSTANT int32_t source_rows = VIF_MATRIX_HEIGHT + 2 * margin;
ISOVMAF_CONSTANT int32_t wave_columns = 16; // that a wave filters down
ISOVMAF_CONSTANT int32_t waves = THREADS / MATRIX_LANES;
ISOVMAF_STATIC_ASSERT(VIF_MATRIX_HEIGHT == 16 && source_rows == 32, "the size of a matrix");
ISOVMAF_STATIC_ASSERT(waves *wave_columns == VIF_TILE_WIDTH + 2 * margin, "the last wave filters for the one before");

ISOVMAF_CONSTANT int32_t sample_bytes = SAMPLE_BITS / 8;
ISOVMAF_CONSTANT int32_t product_bytes = 2 * sample_bytes; // of two samples
ISOVMAF_CONSTANT int32_t mean_planes = 2;                  // bytes of a filtered column's means
ISOVMAF_CONSTANT int32_t product_planes = 4;               // and of its filtered products

// What a lane has of filtered columns: four columns of row lane / 4 and of the row 8 further on, one byte of each in a
// word. Of the next scale's it has one of 8 rows.
struct Filtered {
    uint32_t means[2][2][mean_planes];       // [picture][row][plane]
    uint32_t products[3][2][product_planes]; // [xx, yy, xy][row][plane]
    uint32_t next[2][mean_planes];           // [picture][plane]
};
ISOVMAF_CONSTANT int32_t means_words = 0; // place of the first word
ISOVMAF_CONSTANT int32_t products_words = means_words + 4 * mean_planes;
ISOVMAF_CONSTANT int32_t next_words = products_words + 6 * product_planes;
ISOVMAF_CONSTANT int32_t words = next_words + 2 * mean_planes;

// A block's memory holds first the samples of both pictures, row by row. With this distance of rows, the lanes of a
// wave read from different banks.
ISOVMAF_CONSTANT int32_t row_words = MATRIX_LANES * sample_bytes + 2;
ISOVMAF_CONSTANT int32_t picture_words = source_rows * row_words;

// Then it holds the filtered columns of all waves but the first, for the wave to the left.
ISOVMAF_CONSTANT int32_t memory_size = (waves - 1) * words * MATRIX_LANES;
ISOVMAF_SHARED(uint32_t, memory[memory_size]);
ISOVMAF_STATIC_ASSERT(2 * picture_words <= memory_size, "both fit the same memory");

// Later it holds the moments of all pixels, the threads' sums, and parts of the block's sums.
ISOVMAF_CONSTANT int32_t tile_pixels = VIF_TILE_WIDTH * VIF_MATRIX_HEIGHT;
ISOVMAF_CONSTANT int32_t own_pixels = 8;                     // whose moments a thread computes
ISOVMAF_CONSTANT int32_t run_pixels = tile_pixels / THREADS; // that a thread adds up
ISOVMAF_CONSTANT int32_t sums_place = 3 * tile_pixels;
ISOVMAF_CONSTANT int32_t parts_place = sums_place + thread_sums * THREADS;
ISOVMAF_STATIC_ASSERT(parts_place + VIF_PARTS * thread_sums <= memory_size, "all fit the same memory");

#include "features/vif/vif_block_sums.h"
#include "features/vif/vif_f64_pixels.h"

#include "features/vif/vif_matrix_columns.h"

ISOVMAF_FN int32_t word_place(int32_t wave, int32_t word, int32_t lane) {
    return ((wave - 1) * words + word) * MATRIX_LANES + lane;
}

template <int32_t count>
ISOVMAF_FN void share_words(const uint32_t (&from)[uint32_t(count)], int32_t wave, int32_t word, int32_t lane) {
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < count; i++)
        memory[word_place(wave, word + i, lane)] = from[i];
}

// For the wave to the left.
ISOVMAF_FN void share_columns(ISOVMAF_IN(Filtered) own, ISOVMAF_IN(VifParams) p, int32_t wave, int32_t lane) {
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < 2; i++)
        share_words<mean_planes>(own.next[i], wave, next_words + i * mean_planes, lane);
    if (p.limit_count == 0)
        return;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < 4; i++)
        share_words<mean_planes>(own.means[i / 2][i % 2], wave, means_words + i * mean_planes, lane);
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < 6; i++)
        share_words<product_planes>(own.products[i / 2][i % 2], wave, products_words + i * product_planes, lane);
}

// Words of the wave's own columns, each with that of the columns to the right.
template <int32_t count>
ISOVMAF_FN void join_columns(uint32_t (&to)[uint32_t(count)][2], const uint32_t (&own)[uint32_t(count)], int32_t wave,
                             int32_t word, int32_t lane) {
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < count; i++) {
        to[i][0] = own[i];
        to[i][1] = memory[word_place(wave + 1, word + i, lane)];
    }
}

// Of the next scale's pictures 8 rows and 8 columns: every second of the window's.
ISOVMAF_FN void decimate(U16 next_reference, U16 next_distorted, ISOVMAF_IN(VifParams) p, ISOVMAF_IN(Taps) taps,
                         ISOVMAF_IN(Filtered) own, int32_t wave, int32_t lane, int32_t left, int32_t top,
                         KernelTaps tap) {
    uint32_t r[2], d[2], bytes[mean_planes][2];
    join_columns<mean_planes>(bytes, own.next[0], wave, next_words, lane);
    filter_next<mean_planes>(r, taps, bytes, 16);
    join_columns<mean_planes>(bytes, own.next[1], wave, next_words + mean_planes, lane);
    filter_next<mean_planes>(d, taps, bytes, 16);
    const int32_t x = left + lane / 4;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < 2; i++) {
        const int32_t y = top + lane % 4 * 2 + i;
        if (x >= p.width / 2 || y >= p.height / 2)
            continue;
        plane_row(U16, next_reference, y, p.next_stride_bytes).at[x] = uint16_t(r[i]);
        tap_put(tap, p.next_reference_stage, x, y, r[i]);
        plane_row(U16, next_distorted, y, p.next_stride_bytes).at[x] = uint16_t(d[i]);
        tap_put(tap, p.next_distorted_stage, x, y, d[i]);
    }
}

// What the rows' filter gives of a lane's words from number `word` on.
template <int32_t planes>
ISOVMAF_FN void filter_row(int32_t (&sums)[uint32_t(planes + 1)][4], ISOVMAF_IN(Taps) taps,
                           const uint32_t (&own)[uint32_t(planes)], int32_t wave, int32_t word, int32_t lane) {
    uint32_t bytes[uint32_t(planes)][2];
    join_columns<planes>(bytes, own, wave, word, lane);
    filter<planes>(sums, taps, bytes);
}

// The moments of eight pixels: of four in each of the lane's two groups of rows.
ISOVMAF_FN void filter_rows(ISOVMAF_OUT VifMoments moments[own_pixels], ISOVMAF_IN(Taps) taps, ISOVMAF_IN(Filtered) own,
                            int32_t wave, int32_t lane) {
    ISOVMAF_UNROLL
    for (int32_t row = 0; row < 2; row++) {
        uint32_t means[2][4], products[3][4];
        ISOVMAF_UNROLL
        for (int32_t picture = 0; picture < 2; picture++) {
            int32_t sums[mean_planes + 1][4];
            filter_row<mean_planes>(sums, taps, own.means[picture][row], wave,
                                    means_words + (2 * picture + row) * mean_planes, lane);
            ISOVMAF_UNROLL
            for (int32_t i = 0; i < 4; i++)
                means[picture][i] = whole_sum<mean_planes>(sums, i);
        }
        ISOVMAF_UNROLL
        for (int32_t q = 0; q < 3; q++) {
            int32_t sums[product_planes + 1][4];
            filter_row<product_planes>(sums, taps, own.products[q][row], wave,
                                       products_words + (2 * q + row) * product_planes, lane);
            ISOVMAF_UNROLL
            for (int32_t i = 0; i < 4; i++)
                products[q][i] =
                    vif_round_product(high_part<product_planes>(sums, i), low_part<product_planes>(sums, i), 16);
        }
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < 4; i++)
            moments[4 * row + i] =
                vif_moments(means[0][i], means[1][i], products[0][i], products[1][i], products[2][i]);
    }
}

// A thread computes pixels of its wave, eight of them, and adds up one pixel of each wave that has some: number i of
// the thread is the one that lane thread % 32 of wave i computed as its number thread / 32.
ISOVMAF_FN void share_moments(const VifMoments moments[own_pixels], int32_t wave, int32_t lane) {
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < own_pixels; i++) {
        const int32_t place = (wave * own_pixels + i) * MATRIX_LANES + lane;
        memory[place] = uint32_t(moments[i].sigma1_sq);
        memory[place + tile_pixels] = uint32_t(moments[i].sigma2_sq);
        memory[place + 2 * tile_pixels] = uint32_t(moments[i].sigma12);
    }
}
ISOVMAF_STATIC_ASSERT(own_pixels == waves && run_pixels == waves - 1, "all pixels are added up");

template <int32_t count>
ISOVMAF_FN void add_run(ISOVMAF_INOUT int32_t sums[thread_sums], const double (&limits)[VIF_LIMITS],
                        int32_t first_limit, ISOVMAF_IN(VifParams) p, int32_t thread, int32_t left, int32_t top,
                        KernelTaps taps) {
    const int32_t number = thread / MATRIX_LANES, lane = thread % MATRIX_LANES;
    const int32_t x = left + number / 2 % 2 * 8 + lane / 4, y = top + number / 4 * 8 + lane % 4 * 2 + number % 2;
    const int32_t columns = y < p.height ? p.width - x : 0; // from x on
    ISOVMAF_UNROLL_BY(4)
    for (int32_t i = 0; i < run_pixels; i++) {
        const bool inside = i * wave_columns < columns;
        const int32_t place = i * THREADS + thread;
        VifMoments m;
        m.sigma1_sq = int32_t(memory[place]);
        m.sigma2_sq = int32_t(memory[place + tile_pixels]);
        m.sigma12 = int32_t(memory[place + 2 * tile_pixels]);
        if (ISOVMAF_HAS_TAPS && first_limit == 0 && inside)
            put_moments(m, p, x + i * wave_columns, y, taps);
        add_pixel<count>(sums, m, inside, limits, first_limit, p, x + i * wave_columns, y, taps);
    }
}

ISOVMAF_FN void add_pixels(Pointer<const double> gain_limits, I64 sums, ISOVMAF_IN(VifParams) p, int32_t thread,
                           int32_t left, int32_t top, KernelTaps taps) {
    for (int32_t first = 0; first < p.limit_count; first += VIF_LIMITS) {
        double limits[VIF_LIMITS];
        load_limits(limits, gain_limits, first, p);
        int32_t own[thread_sums];
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < thread_sums; i++)
            own[i] = 0;
        if (p.limit_count - first > 1)
            add_run<2>(own, limits, first, p, thread, left, top, taps);
        else
            add_run<1>(own, limits, first, p, thread, left, top, taps);
        add_sums(own, sums, p, thread, first);
    }
}

ISOVMAF_FN void vif_tile(const uint8_t *reference, const uint8_t *distorted, U16 next_reference, U16 next_distorted,
                         ConstU16 table, Pointer<const double> gain_limits, I64 sums, ISOVMAF_IN(VifParams) p,
                         KernelTaps tap) {
    const int32_t thread = thread_x(), wave = thread / MATRIX_LANES, lane = thread % MATRIX_LANES;
    const int32_t left = group_x() * VIF_TILE_WIDTH, top = group_y() * VIF_MATRIX_HEIGHT;
    const Taps taps = tap_table.of_lane[lane];
    LogLines lines;
    load_lines(lines, table, thread);
    share_samples(reference, distorted, p, wave, lane, left, top);
    share_lines(lines, thread);
    barrier();
    Filtered own;
    filter_columns(own, taps, p, wave, lane);
    if (wave > 0)
        share_columns(own, p, wave, lane);
    barrier();
    VifMoments moments[own_pixels];
    const bool has_pixels = wave + 1 < waves; // no columns follow those of the last wave
    if (has_pixels) {
        decimate(next_reference, next_distorted, p, taps, own, wave, lane, (left + wave * wave_columns) / 2, top / 2,
                 tap);
        if (p.limit_count > 0)
            filter_rows(moments, taps, own, wave, lane);
    }
    if (p.limit_count == 0)
        return;
    barrier();
    if (has_pixels)
        share_moments(moments, wave, lane);
    barrier();
    add_pixels(gain_limits, sums, p, thread, left, top, tap);
}

ISOVMAF_BODY_END

// So that three blocks fit a processor: some registers are spilled, and it is faster (docs/research/gpu-speed.md).
ISOVMAF_KERNEL_RESIDENT(VIF_MATRIX_THREADS, 3)
ISOVMAF_KERNEL_NAME(const SAMPLE *reference, const SAMPLE *distorted, uint16_t *next_reference,
                    uint16_t *next_distorted, const uint16_t *table, const double *gain_limits, int64_t *sums,
                    ISOVMAF_TAPS_PARAMETER VifParams p) {
    KERNEL_BODY::vif_tile((const uint8_t *)reference, (const uint8_t *)distorted, {next_reference}, {next_distorted},
                          {table}, {gain_limits}, {sums}, p, ISOVMAF_TAPS_ARGUMENT);
}

#undef KERNEL
#undef SAMPLE_BITS
#undef SAMPLE
#undef THREADS
