// SPDX-License-Identifier: BSD-2-Clause-Patent
// How VIF's kernels filter a tile on GPUs that multiply halves of words (`dot2` in portable/kernel.h): all that is
// filtered lies in words of two 16-bit numbers, which are neighbours in the direction of the filter, and no half is
// taken out of its word. Where one instruction multiplies both halves and adds up, 17 taps take 9 instructions.
//
// One plane at a time goes through the block's memory: the means, then the products xx, yy and xy. A compute unit of
// CDNA has 64 KiB for that, and four of its SIMDs then hold four waves each. vif_words_kernel.h, for other GPUs, shares
// all planes at once.

// Pairs of rows of a column, and pairs of columns that the filters of a run reach.
ISOVMAF_CONSTANT int32_t column_pairs = column_reach / 2;
ISOVMAF_CONSTANT int32_t run_pairs = (VIF_RUN + 1) / 2 + RADIUS;

// Memory for one plane while threads filter its rows, and for the next plane. Element (row, x / 2) of a plane has four
// halves: two of columns x and x + 1 in a first word, two in a second one. These are samples of both pictures, or the
// lower and the upper halves of products. A thread loads both words in one instruction.
ISOVMAF_CONSTANT int32_t row_elements = VIF_THREADS / 2;
ISOVMAF_CONSTANT int32_t plane_elements = VIF_TILE_HEIGHT * row_elements;
ISOVMAF_CONSTANT int32_t memory_size = 2 * 2 * plane_elements;
ISOVMAF_SHARED(uint32_t, memory alignas(8)[memory_size]);

// Later the memory holds moments of four pixels of each thread, and then sums and parts of sums.
#define PIXELS_AT_A_TIME 4
ISOVMAF_CONSTANT int32_t moments_place = 0;
ISOVMAF_CONSTANT int32_t sums_place = 0;
ISOVMAF_CONSTANT int32_t parts_place = sums_place + thread_sums * VIF_THREADS;
ISOVMAF_STATIC_ASSERT(3 * PIXELS_AT_A_TIME * VIF_THREADS <= memory_size, "the moments fit");
ISOVMAF_STATIC_ASSERT(parts_place + VIF_PARTS * thread_sums <= memory_size, "the sums fit");

// Even runs begin at an even column, odd ones at an odd column. Both have the pixels 1 to 6 behind an even column, for
// which the filter's taps lie in halves in the same way. A thread's pixel 0 is the run's seventh: that even column in
// an even run, and in an odd run the column behind the six. The first half of the block's threads has the even runs, so
// that a wave has one kind.
ISOVMAF_STATIC_ASSERT(VIF_RUN % 2 == 1 && VIF_RUNS % 2 == 0 && VIF_THREADS % 128 == 0, "a wave has one kind of runs");
ISOVMAF_FN bool run_is_odd(int32_t thread) { return thread >= VIF_THREADS / 2; }
ISOVMAF_FN int32_t run_row(int32_t thread) { return thread % (VIF_THREADS / 2) / (VIF_RUNS / 2); }
ISOVMAF_FN int32_t run_column(int32_t thread) {
    return thread % (VIF_RUNS / 2) * 2 * VIF_RUN + (run_is_odd(thread) ? VIF_RUN - 1 : 0);
}
ISOVMAF_FN int32_t pixel_column(int32_t i, int32_t thread) {
    return run_column(thread) + (i == 0 && run_is_odd(thread) ? VIF_RUN : i);
}

// The first of the thread's pixels that lies within a width. Those behind it are in the order of their columns.
ISOVMAF_FN int32_t first_pixel(int32_t thread, int32_t width) { return pixel_column(0, thread) < width ? 0 : 1; }

// Taps i and i + 1 of a filter in the halves of a word.
ISOVMAF_FN uint32_t tap_pair(const VIF_TAP *taps, int32_t i) {
    return taps[i] | uint32_t(taps[i + 1]) << 16;
}

// A sum plus taps times halves of words, from half `first` on, is made in three steps: the first word, those between,
// the last one. The one tap that has a word for itself is in the last step, or in the first one. What is decided for
// each tap anew makes so many blocks that clang needs ten times as long.
template <uint32_t count>
ISOVMAF_FN uint32_t filter_first(const VIF_TAP (&taps)[count], const uint32_t *words, int32_t first, uint32_t sum) {
    if (first % 2 == 0)
        return dot2(words[first / 2], tap_pair(taps, 0), sum);
    return multiply_upper(words[first / 2], uint32_t(taps[0]) << 16, sum);
}

template <uint32_t count>
ISOVMAF_FN uint32_t filter_last(const VIF_TAP (&taps)[count], const uint32_t *words, int32_t first, uint32_t sum) {
    const int32_t pairs = int32_t(count / 2);
    if (first % 2 == 0)
        return multiply_lower(words[first / 2 + pairs], taps[count - 1], sum);
    return dot2(words[first / 2 + pairs], tap_pair(taps, 2 * pairs - 1), sum);
}

// The step between adds the taps of word k behind the first.
template <uint32_t count>
ISOVMAF_FN uint32_t filter_word(const VIF_TAP (&taps)[count], const uint32_t *words, int32_t first, int32_t k,
                                uint32_t sum) {
    return dot2(words[first / 2 + k], tap_pair(taps, 2 * k - first % 2), sum);
}

template <uint32_t count>
ISOVMAF_FN uint32_t filter_pairs(const VIF_TAP (&taps)[count], const uint32_t *words, int32_t first, uint32_t sum) {
    sum = filter_first(taps, words, first, sum);
    ISOVMAF_UNROLL
    for (int32_t k = 1; k < int32_t(count / 2); k++)
        sum = filter_word(taps, words, first, k, sum);
    return filter_last(taps, words, first, sum);
}

// Two such sums, whose steps take turns: CDNA 3 and 4 idle for a cycle between two products of which one adds to the
// other's sum.
template <uint32_t count>
ISOVMAF_FN void filter_both(ISOVMAF_OUT uint32_t sums[2], const VIF_TAP (&taps)[count], const uint32_t *a_words,
                            int32_t a_first, const uint32_t *b_words, int32_t b_first, uint32_t sum_a, uint32_t sum_b) {
    uint32_t a = filter_first(taps, a_words, a_first, sum_a), b = filter_first(taps, b_words, b_first, sum_b);
    ISOVMAF_UNROLL
    for (int32_t k = 1; k < int32_t(count / 2); k++) {
        a = filter_word(taps, a_words, a_first, k, a);
        b = filter_word(taps, b_words, b_first, k, b);
    }
    sums[0] = filter_last(taps, a_words, a_first, a);
    sums[1] = filter_last(taps, b_words, b_first, b);
}

// Rows 2 k and 2 k + 1 of the thread's column in both pictures.
ISOVMAF_FN void load_pairs(ISOVMAF_OUT uint32_t r[column_pairs], ISOVMAF_OUT uint32_t d[column_pairs],
                           SAMPLES reference, SAMPLES distorted, ISOVMAF_IN(VifParams) p, uint32_t x, int32_t top) {
    ISOVMAF_UNROLL
    for (int32_t k = 0; k < column_pairs; k++) {
        if (k % 2 == 0)
            keep_order(); // all addresses at once are more than the scalar registers hold
        r[k] = 0u;
        d[k] = 0u;
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < 2; i++) {
            const int64_t y = vif_source(top + 2 * k + i - RADIUS, p.height, RADIUS);
            r[k] |= uint32_t(element_of(plane_row(SAMPLES, reference, y, p.stride_bytes), x)) << 16 * i;
            d[k] |= uint32_t(element_of(plane_row(SAMPLES, distorted, y, p.stride_bytes), x)) << 16 * i;
        }
    }
}

// The half of a plane's memory that belongs to a row and the thread's column.
ISOVMAF_FN int32_t half_place(int32_t row, int32_t word, int32_t thread) {
    return 4 * (row * row_elements + thread / 2) + 2 * word + thread % 2;
}

ISOVMAF_FN void share_half(int32_t plane, int32_t row, int32_t word, int32_t thread, uint32_t value) {
    SharedHalf *const halves = (SharedHalf *)memory;
    halves[4 * plane * plane_elements + half_place(row, word, thread)] = uint16_t(value);
}

// Words of a row's elements from element `first` on.
ISOVMAF_FN void load_words(uint32_t *first_words, uint32_t *second_words, int32_t count, int32_t plane, int32_t row,
                           int32_t first) {
    const SharedPair *const elements = (const SharedPair *)memory + plane * plane_elements + row * row_elements + first;
    ISOVMAF_UNROLL
    for (int32_t k = 0; k < count; k++) {
        const uint64_t words = elements[k];
        first_words[k] = uint32_t(words);
        second_words[k] = uint32_t(words >> 32);
    }
}

// Filters a product of two pictures down the thread's column.
ISOVMAF_FN void share_products(int32_t plane, const uint32_t u[column_pairs], const uint32_t v[column_pairs],
                               int32_t shift, int32_t thread) {
    uint32_t low[column_pairs];
#if SAMPLE_BITS == 8
    ISOVMAF_UNROLL
    for (int32_t k = 0; k < column_pairs; k++)
        low[k] = multiply_halves(u[k], v[k]);
#else
    uint32_t high[column_pairs];
    ISOVMAF_UNROLL
    for (int32_t k = 0; k < column_pairs; k++) {
        const uint32_t first = (u[k] & 0xffffu) * (v[k] & 0xffffu), second = (u[k] >> 16) * (v[k] >> 16);
        low[k] = (first & 0xffffu) | second << 16;
        high[k] = first >> 16 | (second & 0xffff0000u);
    }
#endif
    const uint32_t half = (uint32_t(1) << shift) >> 1;
    uint32_t sums[2];
#if SAMPLE_BITS == 8
    ISOVMAF_STATIC_ASSERT(VIF_TILE_HEIGHT % 2 == 0, "rows are filtered in pairs");
    ISOVMAF_UNROLL
    for (int32_t row = 0; row < VIF_TILE_HEIGHT; row += 2) {
        filter_both(sums, TAPS, low, row, low, row + 1, half, half);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < 2; i++) {
            share_half(plane, row + i, 0, thread, sums[i] >> shift);
            share_half(plane, row + i, 1, thread, sums[i] >> shift >> 16);
        }
    }
#else
    ISOVMAF_UNROLL
    for (int32_t row = 0; row < VIF_TILE_HEIGHT; row++) {
        filter_both(sums, TAPS, low, row, high, row, half, 0u);
        const uint32_t product = (sums[0] >> shift) + (sums[1] << (16 - shift));
        share_half(plane, row, 0, thread, product);
        share_half(plane, row, 1, thread, product >> 16);
    }
#endif
}

// Filters both pictures down the thread's column, from the rows whose number is `step` times `row`.
template <uint32_t count>
ISOVMAF_FN void share_means(int32_t plane, const VIF_TAP (&taps)[count], const uint32_t r[column_pairs],
                            const uint32_t d[column_pairs], int32_t rows, int32_t step, int32_t shift, int32_t thread) {
    const uint32_t half = uint32_t(1) << (shift - 1);
    ISOVMAF_UNROLL
    for (int32_t row = 0; row < rows; row++) {
        const int32_t first = step * row + RADIUS - int32_t(count / 2);
        uint32_t sums[2];
        filter_both(sums, taps, r, first, d, first, half, half);
        share_half(plane, row, 0, thread, sums[0] >> shift);
        share_half(plane, row, 1, thread, sums[1] >> shift);
    }
}

// Pixel i's sum of taps times halves of its run's words, plus `sum`.
ISOVMAF_FN uint32_t filter_pixel(const uint32_t words[run_pairs], int32_t i, uint32_t sum, bool odd_run) {
    if (i == 0 && odd_run)
        return filter_pairs(TAPS, words, VIF_RUN, sum);
    return filter_pairs(TAPS, words, i, sum);
}

// The words that the filters of the thread's run reach.
ISOVMAF_FN void load_run(uint32_t first_words[run_pairs], uint32_t second_words[run_pairs], int32_t plane,
                         int32_t thread) {
    load_words(first_words, second_words, run_pairs, plane, run_row(thread), run_column(thread) / 2);
}

ISOVMAF_FN void filter_means(uint32_t a[VIF_RUN], uint32_t b[VIF_RUN], int32_t plane, bool odd_run, int32_t thread) {
    uint32_t r[run_pairs], d[run_pairs];
    load_run(r, d, plane, thread);
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_RUN; i++) {
        uint32_t sums[2];
        if (i == 0 && odd_run)
            filter_both(sums, TAPS, r, VIF_RUN, d, VIF_RUN, 0u, 0u);
        else
            filter_both(sums, TAPS, r, i, d, i, 0u, 0u);
        a[i] = sums[0];
        b[i] = sums[1];
    }
}

ISOVMAF_FN void filter_products(uint32_t products[VIF_RUN], int32_t plane, bool odd_run, int32_t thread) {
    uint32_t low[run_pairs], high[run_pairs];
    load_run(low, high, plane, thread);
    products[0] = filter_pixel(high, 0, filter_pixel(low, 0, 1u << 15, odd_run) >> 16, odd_run);
    ISOVMAF_UNROLL
    for (int32_t i = 1; i < VIF_RUN; i += 2) {
        uint32_t sums[2];
        filter_both(sums, TAPS, low, i, low, i + 1, 1u << 15, 1u << 15);
        filter_both(sums, TAPS, high, i, high, i + 1, sums[0] >> 16, sums[1] >> 16);
        products[i] = sums[0];
        products[i + 1] = sums[1];
    }
}

// The tile's part of the next scale's pictures: rows filtered, every second sample.
ISOVMAF_FN void decimate(int32_t plane, U16 next_reference, U16 next_distorted, ISOVMAF_IN(VifParams) p, int32_t thread,
                         int32_t left, int32_t top, KernelTaps taps) {
    ISOVMAF_CONSTANT int32_t first = RADIUS - NEXT_RADIUS; // half of a row where the filter of its first sample begins
    for (int32_t i = thread; i < VIF_HALF_WIDTH * VIF_HALF_HEIGHT; i += VIF_THREADS) {
        const int32_t row = i / VIF_HALF_WIDTH, at = i % VIF_HALF_WIDTH;
        const int32_t x = left / 2 + at, y = top / 2 + row;
        if (x >= p.width / 2 || y >= p.height / 2)
            continue;
        uint32_t r[NEXT_RADIUS + 1], d[NEXT_RADIUS + 1];
        load_words(r, d, NEXT_RADIUS + 1, plane, row, at + first / 2);
        const uint16_t next_r = uint16_t(filter_pairs(NEXT_TAPS, r, first % 2, 1u << 15) >> 16);
        plane_row(U16, next_reference, y, p.next_stride_bytes).at[x] = next_r;
        tap_put(taps, p.next_reference_stage, x, y, next_r);
        const uint16_t next_d = uint16_t(filter_pairs(NEXT_TAPS, d, first % 2, 1u << 15) >> 16);
        plane_row(U16, next_distorted, y, p.next_stride_bytes).at[x] = next_d;
        tap_put(taps, p.next_distorted_stage, x, y, next_d);
    }
}

// Makes the tile's part of the next scale's pictures and, if pixels are counted, the moments of the thread's run.
// Planes take turns in the two halves of the memory: while rows of one are filtered, the columns of the next one are.
ISOVMAF_FN void filter_tile(ISOVMAF_OUT VifMoments moments[VIF_RUN], SAMPLES reference, SAMPLES distorted,
                            U16 next_reference, U16 next_distorted, ISOVMAF_IN(VifParams) p, int32_t thread,
                            int32_t left, int32_t top, KernelTaps taps) {
    const int32_t mean_shift = vif_mean_shift(SCALE, SAMPLE_BITS == 8 ? 8 : p.bit_depth);
    const int32_t product_shift = vif_product_shift(SCALE, SAMPLE_BITS == 8 ? 8 : p.bit_depth);
    const uint32_t x = uint32_t(vif_source(left + thread - RADIUS, p.width, RADIUS));
    uint32_t r[column_pairs], d[column_pairs];
    load_pairs(r, d, reference, distorted, p, x, top);
    if (makes_next) {
        share_means(0, NEXT_TAPS, r, d, VIF_HALF_HEIGHT, 2, mean_shift, thread);
        barrier();
        decimate(0, next_reference, next_distorted, p, thread, left, top, taps);
    }
    if (p.limit_count <= 0)
        return;
    uint32_t a[VIF_RUN], b[VIF_RUN], xx[VIF_RUN], yy[VIF_RUN], xy[VIF_RUN];
    const bool odd_run = uniform(int64_t(run_is_odd(thread))) != 0;
    share_means(1, TAPS, r, d, VIF_TILE_HEIGHT, 1, mean_shift, thread);
    barrier();
    share_products(0, r, r, product_shift, thread);
    filter_means(a, b, 1, odd_run, thread);
    barrier();
    share_products(1, d, d, product_shift, thread);
    filter_products(xx, 0, odd_run, thread);
    barrier();
    share_products(0, r, d, product_shift, thread);
    filter_products(yy, 1, odd_run, thread);
    barrier();
    filter_products(xy, 0, odd_run, thread);
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_RUN; i++)
        moments[i] = vif_moments(a[i], b[i], xx[i], yy[i], xy[i]);
}
