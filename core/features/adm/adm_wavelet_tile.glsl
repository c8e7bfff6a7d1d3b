// SPDX-License-Identifier: BSD-2-Clause-Patent
// One step of the wavelet (features.md §4.1): a block makes one tile of the bands of one picture, as adm_wavelet_tile.h
// does.
#include "features/adm/adm_params.h"
#include "features/adm/adm_run.glsl"
#include "portable/edges.h"
#include "portable/taps.glsl"

// The input columns of a tile, and a run more on either side: the filters reach one column to the left and two to the
// right, and runs are aligned.
#define WINDOW_WIDTH (2 * ADM_WAVELET_TILE_WIDTH + 2 * ADM_WAVELET_RUN)
#define WINDOW_RUNS (WINDOW_WIDTH / ADM_WAVELET_RUN)

// Output rows that a thread filters vertically, and the input rows for them.
#define ROWS 2
#define INPUT_ROWS (2 * ROWS + 2)

#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)
#define SAMPLES JOIN(Const, INPUT)
#define SAMPLE_RUNS JOIN(SAMPLES, x4)
#define BAND_RUNS JOIN(OUTPUT, x4)

#if SCALE == 0
#define RUN i16vec4
#define BAND_SAMPLE_BYTES 2
#else
#define RUN i32vec4
#define BAND_SAMPLE_BYTES 4
#endif

layout(local_size_x = ADM_WAVELET_THREADS) in;
ISOVMAF_ARGUMENTS {
    SAMPLES reference, distorted;
    OUTPUT approximations, details;
    ISOVMAF_TAPS_MEMBER
    AdmWaveletParams p;
} arguments;

// A tile after the vertical filters; `high` only where details are wanted.
shared RUN low[ADM_WAVELET_TILE_HEIGHT][WINDOW_RUNS];
shared RUN high[ADM_WAVELET_TILE_HEIGHT][WINDOW_RUNS];

// The filters of one scale.
int32_t centred(int32_t value) {
#if SCALE == 0
    return adm_centre(value, arguments.p.bit_depth);
#else
    return value;
#endif
}
int32_t vertical(const int32_t taps[ADM_TAP_COUNT], int32_t a, int32_t b, int32_t c, int32_t d) {
#if SCALE == 0
    return adm_round_vertical_0(adm_filter_0(taps, a, b, c, d), arguments.p.bit_depth);
#else
    return adm_round_vertical(adm_filter(taps, a, b, c, d), SCALE);
#endif
}
int32_t horizontal(const int32_t taps[ADM_TAP_COUNT], int32_t a, int32_t b, int32_t c, int32_t d) {
#if SCALE == 0
    return adm_round_horizontal_0(adm_filter_0(taps, a, b, c, d));
#else
    return adm_round_horizontal(adm_filter(taps, a, b, c, d), SCALE);
#endif
}

int32_t source_row(int32_t y, int32_t r) { return mirror_asymmetric(2 * y - 1 + r, arguments.p.height); }

// The input rows for output row y and on, at a run of columns from x on, as the filters see them: mirrored outside the
// picture, centred. Columns that no filter reaches are anything.
void load_rows(SAMPLES picture, int32_t x, int32_t y, out i32vec4 rows[INPUT_ROWS]) {
    const AdmWaveletParams p = arguments.p;
    if (x >= 0 && x + ADM_WAVELET_RUN <= p.width) {
        ISOVMAF_UNROLL
        for (int32_t r = 0; r < INPUT_ROWS; r++) {
            SAMPLE_RUNS row = plane_row(SAMPLE_RUNS, picture, source_row(y, r), p.stride_bytes);
            rows[r] = i32vec4(row.at[x / ADM_WAVELET_RUN]);
        }
    } else {
        ISOVMAF_UNROLL
        for (int32_t c = 0; c < ADM_WAVELET_RUN; c++) {
            const int32_t source_x = mirror_asymmetric(clamp(x + c, -1, p.width + 1), p.width);
            ISOVMAF_UNROLL
            for (int32_t r = 0; r < INPUT_ROWS; r++)
                rows[r][c] = int32_t(plane_row(SAMPLES, picture, source_row(y, r), p.stride_bytes).at[source_x]);
        }
    }
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < INPUT_ROWS; r++)
        ISOVMAF_UNROLL
        for (int32_t c = 0; c < ADM_WAVELET_RUN; c++)
            rows[r][c] = centred(rows[r][c]);
}

// The run of output row r of those.
RUN filter_columns(const int32_t taps[ADM_TAP_COUNT], const i32vec4 rows[INPUT_ROWS], int32_t r) {
    i32vec4 run;
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < ADM_WAVELET_RUN; c++)
        run[c] = vertical(taps, rows[2 * r][c], rows[2 * r + 1][c], rows[2 * r + 2][c], rows[2 * r + 3][c]);
    return RUN(run);
}

// A run of outputs, made of what lies from four columns before the first one's centre on.
RUN filter_window(const int32_t taps[ADM_TAP_COUNT], const int32_t window[4 * ADM_WAVELET_RUN]) {
    i32vec4 run;
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < ADM_WAVELET_RUN; c++) {
        const int32_t i = ADM_WAVELET_RUN - 1 + 2 * c;
        run[c] = horizontal(taps, window[i], window[i + 1], window[i + 2], window[i + 3]);
    }
    return RUN(run);
}

// Stores a run from (x, y) on in the `place`-th sample of `bands` and shows those samples that are in columns
// [left, right).
void hand_on(OUTPUT bands, int64_t place, RUN run, int32_t stage, int32_t x, int32_t y, int32_t left, int32_t right) {
    pointer_after(BAND_RUNS, bands, BAND_SAMPLE_BYTES * place).at[0] = run;
#if ISOVMAF_TAPS
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < ADM_WAVELET_RUN; i++)
        if (x + i >= left && x + i < right)
            tap_put(arguments.taps, stage, x + i, y, run[i]);
#endif
}

// Where details are wanted.
bool tile_is_seen(int32_t left, int32_t top) {
    const AdmRectangle seen = arguments.p.details.seen;
    return left < seen.right && left + ADM_WAVELET_TILE_WIDTH > seen.left && top < seen.bottom &&
           top + ADM_WAVELET_TILE_HEIGHT > seen.top;
}

void make_columns(int32_t thread, int32_t left, int32_t top) {
    const int32_t column = thread % WINDOW_RUNS, row = thread / WINDOW_RUNS * ROWS;
    if (top + row >= (arguments.p.height + 1) / 2)
        return;
    SAMPLES picture = arguments.reference;
    if (group_z() != 0)
        picture = arguments.distorted;
    i32vec4 rows[INPUT_ROWS];
    load_rows(picture, 2 * left + (column - 1) * ADM_WAVELET_RUN, top + row, rows);
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < ROWS; r++)
        low[row + r][column] = filter_columns(adm_low_taps, rows, r);
    if (tile_is_seen(left, top))
        ISOVMAF_UNROLL
        for (int32_t r = 0; r < ROWS; r++)
            high[row + r][column] = filter_columns(adm_high_taps, rows, r);
}

void make_bands(int32_t thread, int32_t left, int32_t top) {
    const AdmWaveletParams p = arguments.p;
    const AdmRectangle seen = p.details.seen;
    const int32_t picture = group_z(), width = (p.width + 1) / 2, height = (p.height + 1) / 2;
    const int32_t column = thread % (WINDOW_RUNS / 2), row = thread / (WINDOW_RUNS / 2);
    const int32_t x = left + column * ADM_WAVELET_RUN, y = top + row;
    if (column * ADM_WAVELET_RUN >= ADM_WAVELET_TILE_WIDTH || x >= width || y >= height)
        return;
    int32_t l[4 * ADM_WAVELET_RUN];
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < 4 * ADM_WAVELET_RUN; i++)
        l[i] = low[row][2 * column + i / ADM_WAVELET_RUN][i % ADM_WAVELET_RUN];
    if (p.approximation_stride > 0)
        hand_on(arguments.approximations,
                int64_t(picture) * p.approximation + int64_t(y) * p.approximation_stride + x,
                filter_window(adm_low_taps, l), p.approximation_stage + picture, x, y, 0, width);
    if (x + ADM_WAVELET_RUN > seen.left && x < seen.right && y >= seen.top && y < seen.bottom) {
        int32_t h[4 * ADM_WAVELET_RUN];
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < 4 * ADM_WAVELET_RUN; i++)
            h[i] = high[row][2 * column + i / ADM_WAVELET_RUN][i % ADM_WAVELET_RUN];
        const int32_t band = picture * ADM_BAND_COUNT, stage = p.detail_stage + band;
        const int64_t place = int64_t(y - seen.top) * p.details.stride + (x - p.details.column);
        hand_on(arguments.details, place + int64_t(band + ADM_BAND_H) * p.details.band, filter_window(adm_low_taps, h),
                stage + ADM_BAND_H, x, y, seen.left, seen.right);
        hand_on(arguments.details, place + int64_t(band + ADM_BAND_V) * p.details.band,
                filter_window(adm_high_taps, l), stage + ADM_BAND_V, x, y, seen.left, seen.right);
        hand_on(arguments.details, place + int64_t(band + ADM_BAND_D) * p.details.band,
                filter_window(adm_high_taps, h), stage + ADM_BAND_D, x, y, seen.left, seen.right);
    }
}

void main() {
    const int32_t thread = thread_x();
    const int32_t left = group_x() * ADM_WAVELET_TILE_WIDTH, top = group_y() * ADM_WAVELET_TILE_HEIGHT;
    make_columns(thread, left, top);
    barrier();
    make_bands(thread, left, top);
}
