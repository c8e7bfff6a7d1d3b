// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of adm: one step of the wavelet (features.md §4.1). A block makes one tile of the bands of one picture.
// SCALE is 0 to 3; INPUT and OUTPUT are the pointers to samples of the input and of the bands.
#include "features/adm/adm_params.h"
#include "features/adm/adm_runs.h"
#include "portable/body.h"
#include "portable/edges.h"
#include "portable/products.h"

#define SAMPLE ISOVMAF_JOIN(ADM_SAMPLE_, INPUT)
#define SAMPLES ISOVMAF_JOIN(Const, INPUT)
#define SAMPLE_RUNS ISOVMAF_JOIN(SAMPLES, x4)
#define SAMPLE_RUN ISOVMAF_JOIN(ADM_RUN_, INPUT)
#define SAMPLE_BYTES ISOVMAF_JOIN(ADM_BYTES_, INPUT)
#define BAND_SAMPLE ISOVMAF_JOIN(ADM_SAMPLE_, OUTPUT)
#define BAND_RUNS ISOVMAF_JOIN(OUTPUT, x4)
#define BAND_RUN ISOVMAF_JOIN(ADM_RUN_, OUTPUT)
#define BAND_BYTES ISOVMAF_JOIN(ADM_BYTES_, OUTPUT)
#define PAIRS (SCALE == 0 && ISOVMAF_SIGNED_PAIRS)

ISOVMAF_BODY_BEGIN

// The input columns of a tile, and a run more on either side: the filters reach one column to the left and two to the
// right, and runs are aligned.
ISOVMAF_CONSTANT int32_t window_width = 2 * ADM_WAVELET_TILE_WIDTH + 2 * ADM_WAVELET_RUN;
ISOVMAF_CONSTANT int32_t window_runs = window_width / ADM_WAVELET_RUN;

// Output rows that a thread filters vertically, and the input rows for them.
ISOVMAF_CONSTANT int32_t output_rows = 2;
ISOVMAF_CONSTANT int32_t input_rows = 2 * output_rows + 2;

// Both stages have a task for every thread; of the second stage's tasks in a row, the last is idle.
ISOVMAF_STATIC_ASSERT(window_runs *ADM_WAVELET_TILE_HEIGHT == output_rows * ADM_WAVELET_THREADS, "a task each");
ISOVMAF_STATIC_ASSERT(window_runs / 2 * ADM_WAVELET_TILE_HEIGHT == ADM_WAVELET_THREADS, "a task each");

// At scale 0, samples of 16 bits are filtered in pairs where dot products of pairs are fast.
#if PAIRS
ISOVMAF_CONSTANT int32_t word_samples = 4 / SAMPLE_BYTES;
ISOVMAF_CONSTANT int32_t row_words = ADM_WAVELET_RUN / word_samples; // of a run of the input
struct alignas(4 * row_words) RowWords {
    uint32_t words[row_words];
};
ISOVMAF_POINTER(Words, RowWords, 4 * row_words);
struct alignas(8) RunWords { // a run of a band
    uint32_t words[2];
};
#define SHARED_RUN RunWords
#else
#define SHARED_RUN BAND_RUN
#endif

// A tile after the vertical filters; `high` only where details are wanted.
ISOVMAF_SHARED(SHARED_RUN, low[ADM_WAVELET_TILE_HEIGHT][window_runs]);
ISOVMAF_SHARED(SHARED_RUN, high[ADM_WAVELET_TILE_HEIGHT][window_runs]);

// The filters of one scale.
#if PAIRS
#elif SCALE == 0
ISOVMAF_FN int32_t centred(int32_t value, int32_t bit_depth) { return adm_centre(value, bit_depth); }
ISOVMAF_FN BAND_SAMPLE vertical(const int32_t filter_taps[ADM_TAP_COUNT], int32_t a, int32_t b, int32_t c, int32_t d,
                                int32_t bit_depth) {
    return adm_round_vertical_0(adm_filter_0(filter_taps, a, b, c, d), bit_depth);
}
ISOVMAF_FN BAND_SAMPLE horizontal(const int32_t filter_taps[ADM_TAP_COUNT], int32_t a, int32_t b, int32_t c,
                                  int32_t d) {
    return adm_round_horizontal_0(adm_filter_0(filter_taps, a, b, c, d));
}
#else
ISOVMAF_FN int32_t centred(int32_t value, int32_t) { return value; }
ISOVMAF_FN BAND_SAMPLE vertical(const int32_t filter_taps[ADM_TAP_COUNT], int32_t a, int32_t b, int32_t c, int32_t d,
                                int32_t) {
    return adm_round_vertical(adm_filter(filter_taps, a, b, c, d), SCALE);
}
ISOVMAF_FN BAND_SAMPLE horizontal(const int32_t filter_taps[ADM_TAP_COUNT], int32_t a, int32_t b, int32_t c,
                                  int32_t d) {
    return adm_round_horizontal(adm_filter(filter_taps, a, b, c, d), SCALE);
}
#endif

#if PAIRS
#include "features/adm/adm_wavelet_pairs_kernel.h"
#else

// The input rows for output row y and on, at a run of columns from x on, as the filters see them: mirrored outside the
// picture. Columns that no filter reaches are 0.
ISOVMAF_FN void load_rows(ISOVMAF_OUT int32_t samples[input_rows][ADM_WAVELET_RUN], SAMPLES picture, int32_t x,
                          int32_t y, ISOVMAF_IN(AdmWaveletParams) p) {
    SAMPLES rows[input_rows];
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < input_rows; r++)
        rows[r] = plane_row(SAMPLES, picture, mirror_asymmetric(2 * y - 1 + r, p.height), p.stride_bytes);
    if (x >= 0 && x + ADM_WAVELET_RUN <= p.width) {
        ISOVMAF_UNROLL
        for (int32_t r = 0; r < input_rows; r++) {
            const SAMPLE_RUN run = pointer_after(SAMPLE_RUNS, rows[r], int64_t(x) * SAMPLE_BYTES).at[0];
            ISOVMAF_UNROLL
            for (int32_t c = 0; c < ADM_WAVELET_RUN; c++)
                samples[r][c] = int32_t(run[c]);
        }
        return;
    }
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < ADM_WAVELET_RUN; c++) {
        const bool reached = x + c >= -1 && x + c <= p.width + 1;
        const int32_t source_x = mirror_asymmetric(x + c, p.width);
        ISOVMAF_UNROLL
        for (int32_t r = 0; r < input_rows; r++) {
            samples[r][c] = 0;
            if (reached)
                samples[r][c] = int32_t(rows[r].at[source_x]);
        }
    }
}

// The sample of output row r in a column of input rows.
ISOVMAF_FN BAND_SAMPLE filter_column(const int32_t filter_taps[ADM_TAP_COUNT],
                                     const int32_t rows[input_rows][ADM_WAVELET_RUN], int32_t r, int32_t column,
                                     int32_t bit_depth) {
    return vertical(filter_taps, rows[2 * r][column], rows[2 * r + 1][column], rows[2 * r + 2][column],
                    rows[2 * r + 3][column], bit_depth);
}

// The thread's part of the tile after the vertical filters.
ISOVMAF_FN void make_columns(SAMPLES picture, ISOVMAF_IN(AdmWaveletParams) p, int32_t left, int32_t top,
                             bool detailed) {
    const int32_t column = thread_x() % window_runs, row = thread_x() / window_runs * output_rows;
    if (top + row >= (p.height + 1) / 2)
        return;
    int32_t rows[input_rows][ADM_WAVELET_RUN];
    load_rows(rows, picture, 2 * left + (column - 1) * ADM_WAVELET_RUN, top + row, p);
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < input_rows; r++) {
        ISOVMAF_UNROLL
        for (int32_t c = 0; c < ADM_WAVELET_RUN; c++)
            rows[r][c] = centred(rows[r][c], p.bit_depth);
    }
    BAND_RUN low_rows[output_rows], high_rows[output_rows];
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < output_rows; r++) {
        ISOVMAF_UNROLL
        for (int32_t c = 0; c < ADM_WAVELET_RUN; c++) {
            low_rows[r][c] = filter_column(adm_low_taps, rows, r, c, p.bit_depth);
            high_rows[r][c] = BAND_SAMPLE(0);
            if (detailed)
                high_rows[r][c] = filter_column(adm_high_taps, rows, r, c, p.bit_depth);
        }
    }
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < output_rows; r++) {
        low[row + r][column] = low_rows[r];
        high[row + r][column] = high_rows[r];
    }
}

// The inputs of a run of outputs, from four columns before the centre of the first one on.
#define WINDOW BAND_SAMPLE
#define WINDOW_SIZE (4 * ADM_WAVELET_RUN)
#define LOAD_WINDOW(window, columns, row, column)                                                                      \
    ISOVMAF_UNROLL                                                                                                     \
    for (int32_t i = 0; i < 4; i++) {                                                                                  \
        const BAND_RUN run = columns[row][2 * column + i];                                                             \
        ISOVMAF_UNROLL                                                                                                 \
        for (int32_t c = 0; c < ADM_WAVELET_RUN; c++)                                                                  \
            window[i * ADM_WAVELET_RUN + c] = run[c];                                                                  \
    }

ISOVMAF_FN BAND_RUN filter_window(const int32_t filter_taps[ADM_TAP_COUNT], const WINDOW window[WINDOW_SIZE]) {
    BAND_RUN run;
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < ADM_WAVELET_RUN; c++) {
        const int32_t i = ADM_WAVELET_RUN - 1 + 2 * c;
        run[c] = horizontal(filter_taps, int32_t(window[i]), int32_t(window[i + 1]), int32_t(window[i + 2]),
                            int32_t(window[i + 3]));
    }
    return run;
}

#endif

// Stores a run from (x, y) on at the `place`-th sample of a band. Of its samples, the tap gets those in columns
// [left, right).
ISOVMAF_FN void hand_on(OUTPUT band, int64_t place, BAND_RUN run, int32_t stage, int32_t x, int32_t y, int32_t left,
                        int32_t right, KernelTaps taps) {
    store_whole(pointer_after(BAND_RUNS, band, BAND_BYTES * place), run);
    if (ISOVMAF_HAS_TAPS) {
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < ADM_WAVELET_RUN; i++)
            if (x + i >= left && x + i < right)
                tap_put(taps, stage, x + i, y, run[i]);
    }
}

// The thread's run of each band of the tile.
ISOVMAF_FN void make_bands(OUTPUT approximations, OUTPUT details, ISOVMAF_IN(AdmWaveletParams) p, int32_t left,
                           int32_t top, KernelTaps taps) {
    const int32_t picture = group_z(), width = (p.width + 1) / 2, height = (p.height + 1) / 2;
    const int32_t column = thread_x() % (window_runs / 2), row = thread_x() / (window_runs / 2);
    const int32_t x = left + column * ADM_WAVELET_RUN, y = top + row;
    if (column * ADM_WAVELET_RUN >= ADM_WAVELET_TILE_WIDTH || x >= width || y >= height)
        return;
    WINDOW l[WINDOW_SIZE];
    LOAD_WINDOW(l, low, row, column)
    if (p.approximation_stride > 0)
        hand_on(approximations, int64_t(picture) * p.approximation + int64_t(y) * p.approximation_stride + x,
                filter_window(adm_low_taps, l), p.approximation_stage + picture, x, y, 0, width, taps);
    const AdmRectangle seen = p.details.seen;
    if (x + ADM_WAVELET_RUN > seen.left && x < seen.right && y >= seen.top && y < seen.bottom) {
        WINDOW h[WINDOW_SIZE];
        LOAD_WINDOW(h, high, row, column)
        const int32_t stage = p.detail_stage + picture * ADM_BAND_COUNT, band = p.details.band;
        const int64_t place =
            int64_t(picture * ADM_BAND_COUNT) * band + int64_t(y - seen.top) * p.details.stride + x - p.details.column;
        hand_on(details, place + int64_t(ADM_BAND_H) * band, filter_window(adm_low_taps, h), stage + ADM_BAND_H, x, y,
                seen.left, seen.right, taps);
        hand_on(details, place + int64_t(ADM_BAND_V) * band, filter_window(adm_high_taps, l), stage + ADM_BAND_V, x, y,
                seen.left, seen.right, taps);
        hand_on(details, place + int64_t(ADM_BAND_D) * band, filter_window(adm_high_taps, h), stage + ADM_BAND_D, x, y,
                seen.left, seen.right, taps);
    }
}

ISOVMAF_FN void wavelet_tile(SAMPLES picture, OUTPUT approximations, OUTPUT details, ISOVMAF_IN(AdmWaveletParams) p,
                             KernelTaps taps) {
    const int32_t left = group_x() * ADM_WAVELET_TILE_WIDTH, top = group_y() * ADM_WAVELET_TILE_HEIGHT;
    const AdmRectangle seen = p.details.seen;
    const bool detailed = left < seen.right && left + ADM_WAVELET_TILE_WIDTH > seen.left && top < seen.bottom &&
                          top + ADM_WAVELET_TILE_HEIGHT > seen.top;
    make_columns(picture, p, left, top, detailed);
    barrier();
    make_bands(approximations, details, p, left, top, taps);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = ADM_WAVELET_THREADS) in;
ISOVMAF_ARGUMENTS {
    SAMPLES reference, distorted;
    OUTPUT approximations, details;
    ISOVMAF_TAPS_MEMBER
    AdmWaveletParams p;
}
arguments;
void main() {
    SAMPLES picture = arguments.reference;
    if (group_z() != 0)
        picture = arguments.distorted;
    wavelet_tile(picture, arguments.approximations, arguments.details, arguments.p, ISOVMAF_TAPS_ARGUMENT);
}
#else
ISOVMAF_KERNEL(ADM_WAVELET_THREADS)
ISOVMAF_KERNEL_NAME(const SAMPLE *reference, const SAMPLE *distorted, BAND_SAMPLE *approximations, BAND_SAMPLE *details,
                    ISOVMAF_TAPS_PARAMETER AdmWaveletParams p) {
    KERNEL_BODY::wavelet_tile({group_z() == 0 ? reference : distorted}, {approximations}, {details}, p,
                              ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
#undef SCALE
#undef INPUT
#undef OUTPUT
#undef SAMPLE
#undef SAMPLES
#undef SAMPLE_RUNS
#undef SAMPLE_RUN
#undef SAMPLE_BYTES
#undef BAND_RUNS
#undef BAND_RUN
#undef BAND_BYTES
#undef BAND_SAMPLE
#undef LOAD_WINDOW
#undef WINDOW
#undef WINDOW_SIZE
#undef SHARED_RUN
#undef PAIRS
