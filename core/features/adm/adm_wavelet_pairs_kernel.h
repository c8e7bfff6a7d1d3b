// SPDX-License-Identifier: BSD-2-Clause-Patent
// How the wavelet's kernel of scale 0 filters a tile where dot products of pairs of 16-bit samples are fast: a part of
// adm_wavelet_kernel.h, in whose body it stands.

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
