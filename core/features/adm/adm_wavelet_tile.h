// SPDX-License-Identifier: BSD-2-Clause-Patent
// One step of the wavelet on GPUs (features.md §4.1): a block makes one tile of the bands of one picture.
#ifndef ISOVMAF_ADM_WAVELET_TILE_H
#define ISOVMAF_ADM_WAVELET_TILE_H

#include "features/adm/adm_params.h"
#include "features/adm/adm_run.h"
#include "portable/edges.h"
#include "portable/kernel.h"
#include "portable/taps.h"

// The input columns of a tile, and a run more on either side: the filters reach one column to the left and two to the
// right, and runs are aligned.
#define ADM_WAVELET_WINDOW_WIDTH (2 * ADM_WAVELET_TILE_WIDTH + 2 * ADM_WAVELET_RUN)
#define ADM_WAVELET_WINDOW_RUNS (ADM_WAVELET_WINDOW_WIDTH / ADM_WAVELET_RUN)

// Output rows that a thread filters vertically, and the input rows for them.
#define ADM_WAVELET_ROWS 2
#define ADM_WAVELET_INPUT_ROWS (2 * ADM_WAVELET_ROWS + 2)

// Both stages have a task for every thread; of the second stage's tasks in a row, the last is idle.
static_assert(ADM_WAVELET_WINDOW_RUNS * ADM_WAVELET_TILE_HEIGHT == ADM_WAVELET_ROWS * ADM_WAVELET_THREADS, "");
static_assert(ADM_WAVELET_WINDOW_RUNS / 2 * ADM_WAVELET_TILE_HEIGHT == ADM_WAVELET_THREADS, "");

template <class T>
using AdmWaveletRun = AdmRun<T, ADM_WAVELET_RUN>;

// The filters of one scale.
template <int32_t scale, class T>
struct AdmWaveletStep {
    template <class Input>
    ISOVMAF_MEMBER static int32_t centre(Input sample, int32_t bit_depth) {
        if constexpr (scale == 0)
            return adm_centre(sample, bit_depth);
        else
            return sample;
    }
    ISOVMAF_MEMBER static T vertical(const int32_t (&taps)[ADM_TAP_COUNT], int32_t a, int32_t b, int32_t c, int32_t d,
                                     int32_t bit_depth) {
        if constexpr (scale == 0)
            return adm_round_vertical_0(adm_filter_0(taps, a, b, c, d), bit_depth);
        else
            return adm_round_vertical(adm_filter(taps, a, b, c, d), scale);
    }
    ISOVMAF_MEMBER static T horizontal(const int32_t (&taps)[ADM_TAP_COUNT], T a, T b, T c, T d) {
        if constexpr (scale == 0)
            return adm_round_horizontal_0(adm_filter_0(taps, a, b, c, d));
        else
            return adm_round_horizontal(adm_filter(taps, a, b, c, d), scale);
    }
};

// The input rows for output row y and on, at a run of columns from x on, as the filters see them: mirrored outside the
// picture. Columns that no filter reaches are 0.
template <class Input>
ISOVMAF_FN void adm_load_rows(const Input *picture, int32_t x, int32_t y, const AdmWaveletParams &p,
                              AdmWaveletRun<Input> (&runs)[ADM_WAVELET_INPUT_ROWS]) {
    const Input *rows[ADM_WAVELET_INPUT_ROWS];
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < ADM_WAVELET_INPUT_ROWS; r++)
        rows[r] = plane_row(picture, mirror_asymmetric(2 * y - 1 + r, p.height), p.stride_bytes);
    if (x >= 0 && x + ADM_WAVELET_RUN <= p.width) {
        ISOVMAF_UNROLL
        for (int32_t r = 0; r < ADM_WAVELET_INPUT_ROWS; r++)
            runs[r] = adm_load_run<ADM_WAVELET_RUN>(rows[r] + x);
        return;
    }
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < ADM_WAVELET_RUN; c++) {
        const bool reached = x + c >= -1 && x + c <= p.width + 1;
        const int32_t source_x = mirror_asymmetric(x + c, p.width);
        ISOVMAF_UNROLL
        for (int32_t r = 0; r < ADM_WAVELET_INPUT_ROWS; r++)
            runs[r].at[c] = reached ? rows[r][source_x] : Input(0);
    }
}

// A run of columns, from x on, of output rows y and on, after the vertical filters; `high` only where details are
// wanted.
template <class T>
struct AdmColumns {
    AdmWaveletRun<T> low[ADM_WAVELET_ROWS], high[ADM_WAVELET_ROWS];
};
template <int32_t scale, class T, class Input>
ISOVMAF_FN AdmColumns<T> adm_filter_columns(const Input *picture, int32_t x, int32_t y, bool detailed,
                                            const AdmWaveletParams &p) {
    using Step = AdmWaveletStep<scale, T>;
    AdmWaveletRun<Input> runs[ADM_WAVELET_INPUT_ROWS];
    adm_load_rows(picture, x, y, p, runs);
    int32_t in[ADM_WAVELET_INPUT_ROWS][ADM_WAVELET_RUN];
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < ADM_WAVELET_INPUT_ROWS; r++)
        ISOVMAF_UNROLL
    for (int32_t c = 0; c < ADM_WAVELET_RUN; c++)
        in[r][c] = Step::centre(runs[r].at[c], p.bit_depth);
    AdmColumns<T> out{};
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < ADM_WAVELET_ROWS; r++)
        ISOVMAF_UNROLL
    for (int32_t c = 0; c < ADM_WAVELET_RUN; c++) {
        const int32_t i = 2 * r;
        out.low[r].at[c] =
            Step::vertical(adm_low_taps, in[i][c], in[i + 1][c], in[i + 2][c], in[i + 3][c], p.bit_depth);
        if (detailed)
            out.high[r].at[c] =
                Step::vertical(adm_high_taps, in[i][c], in[i + 1][c], in[i + 2][c], in[i + 3][c], p.bit_depth);
    }
    return out;
}

// What a run of outputs is made of: from four columns before the first one's centre on.
template <class T>
struct AdmWindow {
    T at[4 * ADM_WAVELET_RUN];
};
template <class T>
ISOVMAF_FN AdmWindow<T> adm_load_window(const AdmWaveletRun<T> *runs) {
    AdmWindow<T> window;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < 4; i++) {
        const AdmWaveletRun<T> run = runs[i];
        ISOVMAF_UNROLL
        for (int32_t c = 0; c < ADM_WAVELET_RUN; c++)
            window.at[i * ADM_WAVELET_RUN + c] = run.at[c];
    }
    return window;
}
template <int32_t scale, class T>
ISOVMAF_FN AdmWaveletRun<T> adm_filter_window(const AdmWindow<T> &window, const int32_t (&taps)[ADM_TAP_COUNT]) {
    AdmWaveletRun<T> out;
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < ADM_WAVELET_RUN; c++) {
        const int32_t i = ADM_WAVELET_RUN - 1 + 2 * c;
        out.at[c] = AdmWaveletStep<scale, T>::horizontal(taps, window.at[i], window.at[i + 1], window.at[i + 2],
                                                         window.at[i + 3]);
    }
    return out;
}

// Where a run from (x, y) on shows; of its samples, those in columns [left, right).
template <class Tap>
struct AdmRunPlace {
    Tap taps;
    int32_t stage, x, y, left, right;
};

// Stores a run and shows it, `band` stages on.
template <class T, class Tap>
ISOVMAF_FN void adm_hand_on(T *to, const AdmWaveletRun<T> &run, AdmRunPlace<Tap> place, int32_t band) {
    adm_store_run(to, run);
    if constexpr (Tap::on)
        ISOVMAF_UNROLL
    for (int32_t i = 0; i < ADM_WAVELET_RUN; i++)
        if (place.x + i >= place.left && place.x + i < place.right)
            place.taps.put(place.stage + band, place.x + i, place.y, run.at[i]);
}

template <int32_t scale, class T, class Input, class Tap>
ISOVMAF_FN void adm_wavelet_tile(const Input *reference, const Input *distorted, T *approximations, T *details,
                                 const AdmWaveletParams &p, Tap taps) {
    using Row = AdmWaveletRun<T>[ADM_WAVELET_WINDOW_RUNS];
    ISOVMAF_SHARED(Row, low[ADM_WAVELET_TILE_HEIGHT]);
    ISOVMAF_SHARED(Row, high[ADM_WAVELET_TILE_HEIGHT]);
    const int32_t thread = thread_x(), picture = group_z();
    const int32_t left = group_x() * ADM_WAVELET_TILE_WIDTH, top = group_y() * ADM_WAVELET_TILE_HEIGHT;
    const int32_t width = (p.width + 1) / 2, height = (p.height + 1) / 2;
    const AdmRectangle &seen = p.details.seen;
    const bool detailed = left < seen.right && left + ADM_WAVELET_TILE_WIDTH > seen.left && top < seen.bottom &&
                          top + ADM_WAVELET_TILE_HEIGHT > seen.top;
    {
        const int32_t column = thread % ADM_WAVELET_WINDOW_RUNS;
        const int32_t row = thread / ADM_WAVELET_WINDOW_RUNS * ADM_WAVELET_ROWS;
        if (top + row < height) {
            const AdmColumns<T> columns =
                adm_filter_columns<scale, T>(picture == 0 ? reference : distorted,
                                             2 * left + (column - 1) * ADM_WAVELET_RUN, top + row, detailed, p);
            ISOVMAF_UNROLL
            for (int32_t r = 0; r < ADM_WAVELET_ROWS; r++) {
                low[row + r][column] = columns.low[r];
                high[row + r][column] = columns.high[r];
            }
        }
    }
    barrier();

    const int32_t column = thread % (ADM_WAVELET_WINDOW_RUNS / 2), row = thread / (ADM_WAVELET_WINDOW_RUNS / 2);
    const int32_t x = left + column * ADM_WAVELET_RUN, y = top + row;
    if (column * ADM_WAVELET_RUN >= ADM_WAVELET_TILE_WIDTH || x >= width || y >= height)
        return;
    const AdmWindow<T> l = adm_load_window(&low[row][2 * column]);
    if (p.approximation_stride > 0) {
        T *const to = approximations + int64_t(picture) * p.approximation + int64_t(y) * p.approximation_stride + x;
        const AdmRunPlace<Tap> place{taps, p.approximation_stage + picture, x, y, 0, width};
        adm_hand_on(to, adm_filter_window<scale>(l, adm_low_taps), place, 0);
    }
    if (x + ADM_WAVELET_RUN > seen.left && x < seen.right && y >= seen.top && y < seen.bottom) {
        const AdmWindow<T> h = adm_load_window(&high[row][2 * column]);
        T *const to = details + int64_t(picture * ADM_BAND_COUNT) * p.details.band +
                      int64_t(y - seen.top) * p.details.stride + x - p.details.column;
        const int32_t band = p.details.band;
        const AdmRunPlace<Tap> place{taps, p.detail_stage + picture * ADM_BAND_COUNT, x, y, seen.left, seen.right};
        adm_hand_on(to + int64_t(ADM_BAND_H) * band, adm_filter_window<scale>(h, adm_low_taps), place, ADM_BAND_H);
        adm_hand_on(to + int64_t(ADM_BAND_V) * band, adm_filter_window<scale>(l, adm_high_taps), place, ADM_BAND_V);
        adm_hand_on(to + int64_t(ADM_BAND_D) * band, adm_filter_window<scale>(h, adm_high_taps), place, ADM_BAND_D);
    }
}

#endif
