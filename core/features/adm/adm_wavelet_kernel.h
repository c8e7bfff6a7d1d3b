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

// The words of the input rows for output row y and on, at a run of columns from x on, as load_rows has the samples.
ISOVMAF_FN void load_words(ISOVMAF_OUT uint32_t words[input_rows][row_words], SAMPLES picture, int32_t x, int32_t y,
                           ISOVMAF_IN(AdmWaveletParams) p) {
    // Rows are found by their distance in bytes from `first`, a row that none of the tile's rows is above: below the
    // last of the output, the mirror leads back to 2 * tile - 3.
    const int32_t tile = group_y() * ADM_WAVELET_TILE_HEIGHT, first = tile > 0 ? 2 * tile - 4 : 0;
    SAMPLES tile_rows = uniform_pointer_after(SAMPLES, picture, int64_t(first) * p.stride_bytes);
    uint32_t rows[input_rows];
    if (tile > 0 && 2 * (tile + ADM_WAVELET_TILE_HEIGHT) < p.height) {
        rows[0] = uint32_t((2 * y - 1 - first) * p.stride_bytes);
        ISOVMAF_UNROLL
        for (int32_t r = 1; r < input_rows; r++)
            rows[r] = rows[r - 1] + uint32_t(p.stride_bytes);
    } else {
        ISOVMAF_UNROLL
        for (int32_t r = 0; r < input_rows; r++)
            rows[r] = uint32_t((mirror_asymmetric(2 * y - 1 + r, p.height) - first) * p.stride_bytes);
    }
    if (x >= 0 && x + ADM_WAVELET_RUN <= p.width) {
        ISOVMAF_UNROLL
        for (int32_t r = 0; r < input_rows; r++) {
            const uint32_t place = rows[r] + uint32_t(x * SAMPLE_BYTES);
            const RowWords run = pointer_after(ConstWords, tile_rows, place).at[0];
            ISOVMAF_UNROLL
            for (int32_t w = 0; w < row_words; w++)
                words[r][w] = run.words[w];
        }
        return;
    }
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < input_rows; r++)
        for (int32_t w = 0; w < row_words; w++)
            words[r][w] = 0u;
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < ADM_WAVELET_RUN; c++) {
        const bool reached = x + c >= -1 && x + c <= p.width + 1;
        const int32_t source_x = reached ? mirror_asymmetric(x + c, p.width) : 0;
        ISOVMAF_UNROLL
        for (int32_t r = 0; r < input_rows; r++) {
            const uint32_t place = rows[r] + uint32_t(source_x * SAMPLE_BYTES);
            const uint32_t sample = pointer_after(SAMPLES, tile_rows, place).at[0];
            words[r][c / word_samples] |= sample << (c % word_samples * 8 * SAMPLE_BYTES);
        }
    }
}

// The samples of two rows in column c, one above the other in a pair.
ISOVMAF_FN uint32_t pair_of(const uint32_t above[row_words], const uint32_t below[row_words], int32_t c) {
    const uint32_t a = above[c / word_samples], b = below[c / word_samples];
#if SAMPLE_BYTES == 1
    return pair_of_bytes(a, b, uint32_t(c));
#else
    return c % 2 == 0 ? lower_halves(a, b) : upper_halves(a, b);
#endif
}

// The sum of four taps, which are constants, times two pairs.
ISOVMAF_FN int32_t filter_pairs(const int32_t filter_taps[ADM_TAP_COUNT], uint32_t ab, uint32_t cd, int32_t rounding) {
    const uint32_t first = lower_halves(uint32_t(filter_taps[0]), uint32_t(filter_taps[1]));
    const uint32_t second = lower_halves(uint32_t(filter_taps[2]), uint32_t(filter_taps[3]));
    return dot2_signed(cd, second, dot2_signed(ab, first, rounding));
}

// The run of output row r (adm_round_vertical_0). `rounding` is what a sum gets before it is shifted.
ISOVMAF_FN RunWords filter_columns(const int32_t filter_taps[ADM_TAP_COUNT],
                                   const uint32_t pairs[input_rows / 2][ADM_WAVELET_RUN], int32_t r,
                                   [[maybe_unused]] int32_t bits, int32_t rounding) {
    uint32_t sums[ADM_WAVELET_RUN];
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < ADM_WAVELET_RUN; c++)
        sums[c] = uint32_t(filter_pairs(filter_taps, pairs[r][c], pairs[r + 1][c], rounding));
#if SAMPLE_BYTES == 1
    return RunWords{{middle_halves(sums[0], sums[1]), middle_halves(sums[2], sums[3])}};
#else
    return RunWords{{lower_halves(sums[0] >> bits, sums[1] >> bits), lower_halves(sums[2] >> bits, sums[3] >> bits)}};
#endif
}

// The thread's part of the tile after the vertical filters.
ISOVMAF_FN void make_columns(SAMPLES picture, ISOVMAF_IN(AdmWaveletParams) p, int32_t left, int32_t top,
                             bool detailed) {
    const int32_t column = thread_x() % window_runs, row = thread_x() / window_runs * output_rows;
    if (top + row >= (p.height + 1) / 2)
        return;
    uint32_t words[input_rows][row_words], pairs[input_rows / 2][ADM_WAVELET_RUN];
    load_words(words, picture, 2 * left + (column - 1) * ADM_WAVELET_RUN, top + row, p);
    // Half the range comes off every sample (adm_centre). Samples of 16 bits have it off when their top bit is
    // inverted, and fit pairs of numbers with signs. From those of fewer bits it comes off the sums, times the sum of
    // the taps, which is 0 in the high filter.
    const int32_t bits = SAMPLE_BYTES == 1 ? 8 : p.bit_depth, half_unit = 1 << (bits - 1);
    const uint32_t top_bits = bits == 16 ? 0x80008000u : 0u;
    const int32_t taps_sum = adm_low_taps[0] + adm_low_taps[1] + adm_low_taps[2] + adm_low_taps[3];
    const int32_t centre = bits == 16 ? 0 : taps_sum * half_unit;
    ISOVMAF_UNROLL
    for (int32_t k = 0; k < input_rows / 2; k++) {
        ISOVMAF_UNROLL
        for (int32_t c = 0; c < ADM_WAVELET_RUN; c++)
            pairs[k][c] = pair_of(words[2 * k], words[2 * k + 1], c) ^ top_bits;
    }
    ISOVMAF_UNROLL
    for (int32_t r = 0; r < output_rows; r++) {
        low[row + r][column] = filter_columns(adm_low_taps, pairs, r, bits, half_unit - centre);
        if (detailed)
            high[row + r][column] = filter_columns(adm_high_taps, pairs, r, bits, half_unit);
    }
}

// The inputs of a run of outputs: pairs from the column before the centre of the first one on.
#define WINDOW uint32_t
#define WINDOW_SIZE (ADM_WAVELET_RUN + 1)
#define LOAD_WINDOW(window, columns, row, column)                                                                      \
    {                                                                                                                  \
        uint32_t words[8];                                                                                             \
        ISOVMAF_UNROLL                                                                                                 \
        for (int32_t i = 0; i < 8; i++)                                                                                \
            words[i] = columns[row][2 * column + i / 2].words[i % 2];                                                  \
        ISOVMAF_UNROLL                                                                                                 \
        for (int32_t i = 0; i < WINDOW_SIZE; i++)                                                                      \
            window[i] = shift_right_32(uint64_t(words[i + 2]) << 32 | words[i + 1], 16);                               \
    }

// adm_round_horizontal_0
ISOVMAF_FN BAND_RUN filter_window(const int32_t filter_taps[ADM_TAP_COUNT], const WINDOW window[WINDOW_SIZE]) {
    uint32_t sums[ADM_WAVELET_RUN];
    ISOVMAF_UNROLL
    for (int32_t c = 0; c < ADM_WAVELET_RUN; c++)
        sums[c] = uint32_t(filter_pairs(filter_taps, window[c], window[c + 1], 32768));
    return __builtin_bit_cast(BAND_RUN, RunWords{{upper_halves(sums[0], sums[1]), upper_halves(sums[2], sums[3])}});
}

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
