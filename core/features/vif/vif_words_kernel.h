// SPDX-License-Identifier: BSD-2-Clause-Patent
// How VIF's kernels filter a tile on GPUs that multiply one pair of numbers at a time: all planes are filtered down the
// columns and shared, and then along the rows. Values of 32 bits are filtered as two halves of 16: then no product and
// no sum needs more than 32 bits. vif_pairs_kernel.h does the same with dot products.

// Values that filters reach from a run of pixels and from one sample of the next scale.
ISOVMAF_CONSTANT int32_t run_reach = VIF_RUN + 2 * RADIUS;
ISOVMAF_CONSTANT int32_t next_reach = 2 * NEXT_RADIUS + 1;

// A block's memory holds first the rows of filtered columns: means (m1, and m2 in the upper half), products xx, yy and
// xy, and means by the next scale's taps (both pictures in one element, too).
ISOVMAF_CONSTANT int32_t means_place = 0;
ISOVMAF_CONSTANT int32_t products_place = VIF_TILE_HEIGHT * VIF_COLUMNS;
ISOVMAF_CONSTANT int32_t product_size = VIF_TILE_HEIGHT * VIF_COLUMNS;
ISOVMAF_CONSTANT int32_t next_place = products_place + 3 * product_size;
ISOVMAF_CONSTANT int32_t memory_size = next_place + VIF_HALF_HEIGHT * VIF_COLUMNS;
ISOVMAF_SHARED(uint32_t, memory[memory_size]);

// Later the memory holds the moments of all pixels, the threads' sums, and parts of the block's sums.
#define PIXELS_AT_A_TIME VIF_RUN
ISOVMAF_CONSTANT int32_t moments_place = 0;
ISOVMAF_CONSTANT int32_t sums_place = moments_place + 3 * VIF_RUN * VIF_THREADS;
ISOVMAF_CONSTANT int32_t parts_place = sums_place + thread_sums * VIF_THREADS;
ISOVMAF_STATIC_ASSERT(parts_place + VIF_PARTS * thread_sums <= memory_size, "both fit the same memory");

ISOVMAF_SHARED(int64_t, row_offsets[column_reach]);

ISOVMAF_STATIC_ASSERT((VIF_COLUMNS - VIF_TILE_WIDTH) % 32 == 0, "runs of two rows lie in different banks");

ISOVMAF_FN int32_t run_row(int32_t thread) { return thread / VIF_RUNS; }
ISOVMAF_FN int32_t run_column(int32_t thread) { return thread % VIF_RUNS * VIF_RUN; }
ISOVMAF_FN int32_t pixel_column(int32_t i, int32_t thread) { return run_column(thread) + i; }
ISOVMAF_FN int32_t first_pixel(int32_t, int32_t) { return 0; }

#if defined(VULKAN)
#define PRODUCTS_LOOP ISOVMAF_NO_UNROLL // written out, all three would be in registers at once, twice as many
#define PRODUCT_OFFSET 0u
#else
#define PRODUCTS_LOOP ISOVMAF_UNROLL
// Added to each product of 8-bit samples. The sum of the taps is 65536 too, so sums modulo 2^32 stay the same. Without
// the offset nvcc finds an instruction that adds two 8-bit products, and packs factors for it, which takes longer than
// the additions and many more registers.
#define PRODUCT_OFFSET 65536u
#endif

ISOVMAF_FN void load_column(ISOVMAF_OUT uint32_t samples[column_reach], SAMPLES picture, int32_t x) {
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < column_reach; i++)
        samples[i] = uint32_t(pointer_after(SAMPLES, picture, row_offsets[i]).at[x]);
}

// Products of two pictures' samples, filtered down the columns. Products of 8-bit samples have 16 bits, and their sums
// are not shifted.
ISOVMAF_FN void filter_products(const uint32_t u[column_reach], const uint32_t v[column_reach], int32_t place,
                                int32_t shift) {
#if SAMPLE_BITS == 8
    uint32_t products[column_reach];
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < column_reach; i++)
        products[i] = u[i] * v[i] + PRODUCT_OFFSET;
    ISOVMAF_UNROLL
    for (int32_t row = 0; row < VIF_TILE_HEIGHT; row++)
        memory[place + row * VIF_COLUMNS] = vif_round_product(0u, FILTER(products, row + RADIUS), shift);
#else
    uint32_t low[column_reach], high[column_reach];
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < column_reach; i++) {
        const uint32_t product = u[i] * v[i];
        low[i] = product & 0xffffu;
        high[i] = product >> 16;
    }
    ISOVMAF_UNROLL
    for (int32_t row = 0; row < VIF_TILE_HEIGHT; row++)
        memory[place + row * VIF_COLUMNS] =
            vif_round_product(FILTER(high, row + RADIUS), FILTER(low, row + RADIUS), shift);
#endif
}

// All that is filtered down the thread's column.
ISOVMAF_FN void filter_columns(SAMPLES reference, SAMPLES distorted, ISOVMAF_IN(VifParams) p, int32_t thread,
                               int32_t left) {
    const int32_t shift = vif_mean_shift(SCALE, p.bit_depth);
    const int32_t x = vif_source(left + thread - RADIUS, p.width, RADIUS);
    uint32_t r[column_reach], d[column_reach];
    load_column(r, reference, x);
    load_column(d, distorted, x);
    if (makes_next) {
        ISOVMAF_UNROLL
        for (int32_t row = 0; row < VIF_HALF_HEIGHT; row++)
            memory[next_place + row * VIF_COLUMNS + thread] =
                uint32_t(vif_round_mean(NEXT_FILTER(r, 2 * row + RADIUS), shift)) |
                uint32_t(vif_round_mean(NEXT_FILTER(d, 2 * row + RADIUS), shift)) << 16;
    }
    if (p.limit_count == 0)
        return;
    ISOVMAF_UNROLL
    for (int32_t row = 0; row < VIF_TILE_HEIGHT; row++)
        memory[means_place + row * VIF_COLUMNS + thread] = uint32_t(vif_round_mean(FILTER(r, row + RADIUS), shift)) |
                                                           uint32_t(vif_round_mean(FILTER(d, row + RADIUS), shift))
                                                               << 16;
    const int32_t product_shift = vif_product_shift(SCALE, SAMPLE_BITS == 8 ? 8 : p.bit_depth);
    filter_products(r, r, products_place + thread, product_shift);
    filter_products(d, d, products_place + product_size + thread, product_shift);
    filter_products(r, d, products_place + 2 * product_size + thread, product_shift);
}

// The lower and upper halves of words of the memory.
#define LOAD_HALVES(low, high, count, place)                                                                           \
    ISOVMAF_UNROLL                                                                                                     \
    for (int32_t k = 0; k < count; k++) {                                                                              \
        const uint32_t word = memory[(place) + k];                                                                     \
        low[k] = word & 0xffffu;                                                                                       \
        high[k] = word >> 16;                                                                                          \
    }

// The tile's part of the next scale's pictures: rows filtered, every second sample.
ISOVMAF_FN void decimate(U16 next_reference, U16 next_distorted, ISOVMAF_IN(VifParams) p, int32_t thread, int32_t left,
                         int32_t top, KernelTaps taps) {
    for (int32_t i = thread; i < VIF_HALF_WIDTH * VIF_HALF_HEIGHT; i += VIF_THREADS) {
        const int32_t row = i / VIF_HALF_WIDTH, at = i % VIF_HALF_WIDTH;
        const int32_t x = left / 2 + at, y = top / 2 + row;
        if (x >= p.width / 2 || y >= p.height / 2)
            continue;
        uint32_t r[next_reach], d[next_reach];
        LOAD_HALVES(r, d, next_reach, next_place + row * VIF_COLUMNS + 2 * at + RADIUS - NEXT_RADIUS)
        const uint16_t next_r = vif_round_mean(NEXT_FILTER(r, NEXT_RADIUS), 16);
        plane_row(U16, next_reference, y, p.next_stride_bytes).at[x] = next_r;
        tap_put(taps, p.next_reference_stage, x, y, next_r);
        const uint16_t next_d = vif_round_mean(NEXT_FILTER(d, NEXT_RADIUS), 16);
        plane_row(U16, next_distorted, y, p.next_stride_bytes).at[x] = next_d;
        tap_put(taps, p.next_distorted_stage, x, y, next_d);
    }
}

// Moments of the thread's run of pixels, from columns.
ISOVMAF_FN void filter_rows(ISOVMAF_OUT VifMoments moments[VIF_RUN], int32_t thread) {
    const int32_t place = run_row(thread) * VIF_COLUMNS + run_column(thread);
    uint32_t low[run_reach], high[run_reach];
    uint32_t a[VIF_RUN], b[VIF_RUN], xx[VIF_RUN], yy[VIF_RUN], xy[VIF_RUN];
    LOAD_HALVES(low, high, run_reach, means_place + place)
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_RUN; i++) {
        a[i] = FILTER(low, i + RADIUS);
        b[i] = FILTER(high, i + RADIUS);
        xx[i] = 0u;
        yy[i] = 0u;
    }
    PRODUCTS_LOOP
    for (int32_t q = 0; q < 3; q++) {
        LOAD_HALVES(low, high, run_reach, products_place + q * product_size + place)
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < VIF_RUN; i++) {
            xy[i] = vif_round_product(FILTER(high, i + RADIUS), FILTER(low, i + RADIUS), 16);
            xx[i] = q == 0 ? xy[i] : xx[i];
            yy[i] = q == 1 ? xy[i] : yy[i];
        }
    }
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_RUN; i++)
        moments[i] = vif_moments(a[i], b[i], xx[i], yy[i], xy[i]);
}

// Makes the tile's part of the next scale's pictures and, if pixels are counted, the moments of the thread's run.
ISOVMAF_FN void filter_tile(ISOVMAF_OUT VifMoments moments[VIF_RUN], SAMPLES reference, SAMPLES distorted,
                            U16 next_reference, U16 next_distorted, ISOVMAF_IN(VifParams) p, int32_t thread,
                            int32_t left, int32_t top, KernelTaps taps) {
    if (thread < column_reach)
        row_offsets[thread] = int64_t(vif_source(top + thread - RADIUS, p.height, RADIUS)) * p.stride_bytes;
    barrier();
    if (thread < VIF_TILE_WIDTH + 2 * RADIUS)
        filter_columns(reference, distorted, p, thread, left);
    barrier();
    if (makes_next)
        decimate(next_reference, next_distorted, p, thread, left, top, taps);
    if (p.limit_count > 0)
        filter_rows(moments, thread);
}
