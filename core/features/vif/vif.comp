#version 460
// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of VIF for Vulkan: a tile's pixels are added to the sums of their scale, and its part of the next scale's
// pictures is made (features.md §3.1 to §3.4), as vif_tile.h does. What decides at a pixel are integers.
//
//! kernel vif_scale0_8 SCALE=0 SAMPLES=ConstU8 SAMPLE_BITS=8
//! kernel vif_scale0_16 SCALE=0 SAMPLES=ConstU16 SAMPLE_BITS=16
//! kernel vif_scale1 SCALE=1 SAMPLES=ConstU16 SAMPLE_BITS=16
//! kernel vif_scale2 SCALE=2 SAMPLES=ConstU16 SAMPLE_BITS=16
//! kernel vif_scale3 SCALE=3 SAMPLES=ConstU16 SAMPLE_BITS=16
//! f32 estimates: vif_scale0_8 vif_scale0_16 vif_scale1 vif_scale2 vif_scale3
#include "features/vif/vif_integer_math.h"
#include "features/vif/vif_params.h"
#include "portable/kernel.glsl"
#include "portable/taps.glsl"

// Sum of taps times values around `centre`, for each radius: below 2^32 for values of 16 bits. Written out, as functions
// would copy the arrays, and glslc would take twice as long.
#define PAIR(gauss, values, centre, k)                                                                                 \
    gauss[gauss.length() / 2 - (k)] * (values[(centre) - (k)] + values[(centre) + (k)])
#define FILTER_1(gauss, values, centre) (gauss[gauss.length() / 2] * values[centre] + PAIR(gauss, values, centre, 1))
#define FILTER_2(gauss, values, centre) (FILTER_1(gauss, values, centre) + PAIR(gauss, values, centre, 2))
#define FILTER_4(gauss, values, centre)                                                                                \
    (FILTER_2(gauss, values, centre) + PAIR(gauss, values, centre, 3) + PAIR(gauss, values, centre, 4))
#define FILTER_8(gauss, values, centre)                                                                                \
    (FILTER_4(gauss, values, centre) + PAIR(gauss, values, centre, 5) + PAIR(gauss, values, centre, 6) +               \
     PAIR(gauss, values, centre, 7) + PAIR(gauss, values, centre, 8))

#define MAKES_NEXT (SCALE < VIF_LAST_SCALE)
#if SCALE == 0
#define FILTER(values, centre) FILTER_8(vif_taps_0, values, centre)
#define NEXT_FILTER(values, centre) FILTER_4(vif_taps_1, values, centre)
#define RADIUS 8
#define NEXT_RADIUS 4
#elif SCALE == 1
#define FILTER(values, centre) FILTER_4(vif_taps_1, values, centre)
#define NEXT_FILTER(values, centre) FILTER_2(vif_taps_2, values, centre)
#define RADIUS 4
#define NEXT_RADIUS 2
#elif SCALE == 2
#define FILTER(values, centre) FILTER_2(vif_taps_2, values, centre)
#define NEXT_FILTER(values, centre) FILTER_1(vif_taps_3, values, centre)
#define RADIUS 2
#define NEXT_RADIUS 1
#else
#define FILTER(values, centre) FILTER_1(vif_taps_3, values, centre)
#define RADIUS 1
#endif

// Values that filters reach from a column of the tile, from a run of pixels and from one sample of the next scale.
#define COLUMN_REACH (VIF_TILE_HEIGHT + 2 * RADIUS)
#define RUN_REACH (VIF_RUN + 2 * RADIUS)
#define NEXT_REACH (2 * NEXT_RADIUS + 1)

layout(local_size_x = VIF_THREADS) in;
ISOVMAF_ARGUMENTS {
    SAMPLES reference, distorted;
#if MAKES_NEXT
    U16 next_reference, next_distorted;
#endif
    ConstU16 table;
    ConstU64 gain_limits;
    I64 sums;
    ISOVMAF_TAPS_MEMBER
    VifParams p;
} arguments;

// A block shares this first between columns and rows, as rows of filtered columns: means (m1, and m2 in the upper half),
// products xx, yy and xy, and means by the next scale's taps; then between pixels and sums: the threads' moments, their
// sums and parts of these.
#define MEANS_ROW 0
#define PRODUCTS_ROW VIF_TILE_HEIGHT
#define NEXT_ROW (4 * VIF_TILE_HEIGHT)
#define ROWS (NEXT_ROW + VIF_HALF_HEIGHT)
shared uint32_t memory[ROWS * VIF_COLUMNS];
#define MOMENTS 0
#define SUMS (MOMENTS + 3 * VIF_RUN * VIF_THREADS)
#define PARTS (SUMS + WORD_SUMS * VIF_THREADS)

// Sums of words: a block's 896 pixels have logarithms below 2^17. num_non is summed up without its upper 16 bits; these
// have a sum of their own, the last.
#define DEN_LOG_SUM 0
#define NUM_NON_SUM 1
#define DEN_NON_SUM 2
#define NUM_LOG_SUMS 3
#define NUM_NON_UPPER_SUM VIF_SUMS
#define WORD_SUMS (VIF_SUMS + 1)

shared int64_t row_offsets[COLUMN_REACH];
shared VifLimit limits[VIF_LIMITS];

void load_column(out uint32_t samples[COLUMN_REACH], SAMPLES picture, int32_t x) {
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < COLUMN_REACH; i++)
        samples[i] = uint32_t(pointer_after(SAMPLES, picture, row_offsets[i]).at[x]);
}

// Products of two pictures' samples, filtered down the columns. Those of 8-bit samples have 16 bits and sums that are not
// shifted; the others are filtered as two halves of 16.
void filter_products(uint32_t u[COLUMN_REACH], uint32_t v[COLUMN_REACH], int32_t place, int32_t shift) {
    uint32_t low[COLUMN_REACH], high[COLUMN_REACH];
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < COLUMN_REACH; i++) {
        low[i] = u[i] * v[i];
#if SAMPLE_BITS > 8
        high[i] = low[i] >> 16;
        low[i] &= 0xffffu;
#endif
    }
    ISOVMAF_UNROLL
    for (int32_t row = 0; row < VIF_TILE_HEIGHT; row++) {
        uint32_t sum = FILTER(low, row + RADIUS);
#if SAMPLE_BITS > 8
        sum = vif_round_product(FILTER(high, row + RADIUS), sum, shift);
#endif
        memory[place + row * VIF_COLUMNS] = sum;
    }
}

// All that is filtered down the thread's column.
void filter_columns(int32_t thread, int32_t left) {
    const VifParams p = arguments.p;
    const int32_t shift = vif_mean_shift(SCALE, p.bit_depth);
    const int32_t x = vif_source(left + thread - RADIUS, p.width, RADIUS);
    uint32_t r[COLUMN_REACH], d[COLUMN_REACH];
    load_column(r, arguments.reference, x);
    load_column(d, arguments.distorted, x);
#if MAKES_NEXT
    ISOVMAF_UNROLL
    for (int32_t row = 0; row < VIF_HALF_HEIGHT; row++) {
        const int32_t centre = 2 * row + RADIUS;
        memory[(NEXT_ROW + row) * VIF_COLUMNS + thread] =
            uint32_t(vif_round_mean(NEXT_FILTER(r, centre), shift)) |
            uint32_t(vif_round_mean(NEXT_FILTER(d, centre), shift)) << 16;
    }
#endif
    if (p.limit_count == 0)
        return;
    ISOVMAF_UNROLL
    for (int32_t row = 0; row < VIF_TILE_HEIGHT; row++)
        memory[(MEANS_ROW + row) * VIF_COLUMNS + thread] =
            uint32_t(vif_round_mean(FILTER(r, row + RADIUS), shift)) |
            uint32_t(vif_round_mean(FILTER(d, row + RADIUS), shift)) << 16;
    const int32_t product_shift = vif_product_shift(SCALE, p.bit_depth), plane = VIF_TILE_HEIGHT * VIF_COLUMNS;
    const int32_t place = PRODUCTS_ROW * VIF_COLUMNS + thread;
    filter_products(r, r, place, product_shift);
    filter_products(d, d, place + plane, product_shift);
    filter_products(r, d, place + 2 * plane, product_shift);
}

#if MAKES_NEXT
// The tile's part of the next scale's pictures: rows filtered, every second sample.
void decimate(int32_t thread, int32_t left, int32_t top) {
    const VifParams p = arguments.p;
    for (int32_t i = thread; i < VIF_HALF_WIDTH * VIF_HALF_HEIGHT; i += VIF_THREADS) {
        const int32_t row = i / VIF_HALF_WIDTH, at = i % VIF_HALF_WIDTH;
        const int32_t x = left / 2 + at, y = top / 2 + row;
        if (x >= p.width / 2 || y >= p.height / 2)
            continue;
        const int32_t place = (NEXT_ROW + row) * VIF_COLUMNS + 2 * at + RADIUS - NEXT_RADIUS;
        uint32_t r[NEXT_REACH], d[NEXT_REACH];
        ISOVMAF_UNROLL
        for (int32_t k = 0; k < NEXT_REACH; k++) {
            r[k] = memory[place + k] & 0xffffu;
            d[k] = memory[place + k] >> 16;
        }
        const uint16_t next_r = vif_round_mean(NEXT_FILTER(r, NEXT_RADIUS), 16);
        plane_row(U16, arguments.next_reference, y, p.next_stride_bytes).at[x] = next_r;
        tap_put(arguments.taps, p.next_reference_stage, x, y, next_r);
        const uint16_t next_d = vif_round_mean(NEXT_FILTER(d, NEXT_RADIUS), 16);
        plane_row(U16, arguments.next_distorted, y, p.next_stride_bytes).at[x] = next_d;
        tap_put(arguments.taps, p.next_distorted_stage, x, y, next_d);
    }
}
#endif

// The lower and upper halves of a run of words and of what filters reach around it.
void load_run(out uint32_t low[RUN_REACH], out uint32_t high[RUN_REACH], int32_t place) {
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < RUN_REACH; i++) {
        const uint32_t word = memory[place + i];
        low[i] = word & 0xffffu;
        high[i] = word >> 16;
    }
}

void filter_run_means(out uint32_t a[VIF_RUN], out uint32_t b[VIF_RUN], int32_t place) {
    uint32_t m1[RUN_REACH], m2[RUN_REACH];
    load_run(m1, m2, place);
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_RUN; i++) {
        a[i] = FILTER(m1, i + RADIUS);
        b[i] = FILTER(m2, i + RADIUS);
    }
}

void filter_run_products(out uint32_t products[VIF_RUN], int32_t place) {
    uint32_t low[RUN_REACH], high[RUN_REACH];
    load_run(low, high, place);
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_RUN; i++)
        products[i] = vif_round_product(FILTER(high, i + RADIUS), FILTER(low, i + RADIUS), 16);
}

// Moments of the thread's run of pixels, from columns.
void filter_rows(out VifMoments moments[VIF_RUN], int32_t thread) {
    const int32_t place = thread / VIF_RUNS * VIF_COLUMNS + thread % VIF_RUNS * VIF_RUN;
    const int32_t products = place + PRODUCTS_ROW * VIF_COLUMNS, plane = VIF_TILE_HEIGHT * VIF_COLUMNS;
    uint32_t a[VIF_RUN], b[VIF_RUN], xx[VIF_RUN], yy[VIF_RUN], xy[VIF_RUN];
    filter_run_means(a, b, place + MEANS_ROW * VIF_COLUMNS);
    ISOVMAF_NO_UNROLL // compilers would work on all at once, in twice the registers
    for (int32_t q = 0; q < 3; q++) {
        uint32_t filtered[VIF_RUN];
        filter_run_products(filtered, products + q * plane);
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < VIF_RUN; i++) {
            xx[i] = q == 0 ? filtered[i] : xx[i];
            yy[i] = q == 1 ? filtered[i] : yy[i];
            xy[i] = filtered[i];
        }
    }
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_RUN; i++)
        moments[i] = vif_moments(a[i], b[i], xx[i], yy[i], xy[i]);
}

int32_t moment_place(int32_t i, int32_t thread) { return MOMENTS + 3 * VIF_THREADS * i + thread; }

VifMoments shared_moments(int32_t i, int32_t thread) {
    const int32_t place = moment_place(i, thread);
    VifMoments m;
    m.sigma1_sq = int32_t(memory[place]);
    m.sigma2_sq = int32_t(memory[place + VIF_THREADS]);
    m.sigma12 = int32_t(memory[place + 2 * VIF_THREADS]);
    return m;
}

void share_moments(int32_t i, int32_t thread, VifMoments m) {
    const int32_t place = moment_place(i, thread);
    memory[place] = uint32_t(m.sigma1_sq);
    memory[place + VIF_THREADS] = uint32_t(m.sigma2_sq);
    memory[place + 2 * VIF_THREADS] = uint32_t(m.sigma12);
}

int32_t vif_log(uint64_t v) {
    const VifLog log = vif_log_of(v);
    return int32_t(arguments.table.at[log.index]) + log.added;
}

// Adds a pixel to sums (§3.4), with gain limits from number `first_limit` on.
void add_pixel(inout int32_t sums[WORD_SUMS], VifMoments m, int32_t first_limit, int32_t x, int32_t y) {
    const VifParams p = arguments.p;
    if (m.sigma1_sq < VIF_NOISE) {
        sums[NUM_NON_SUM] += m.sigma2_sq & 0xffff;
        sums[NUM_NON_UPPER_SUM] += m.sigma2_sq >> 16;
        sums[DEN_NON_SUM]++;
        return;
    }
    const int32_t den_log = vif_log(uint64_t(VIF_NOISE + m.sigma1_sq)) - VIF_LOG_NOISE;
    sums[DEN_LOG_SUM] += den_log;
    tap_put(arguments.taps, p.den_log_stage, x, y, den_log);
    if (m.sigma12 <= 0 || m.sigma2_sq == 0)
        return;
    ISOVMAF_PRECISE const float reciprocal = 1.0f / float(m.sigma1_sq);
    VifPowers powers = vif_decide(m, reciprocal);
    bool decided = powers.decided;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_LIMITS; i++)
        if (i < p.limit_count - first_limit)
            decided = decided && vif_limit_is_decided(m, limits[i]);
    if (!decided)
        powers = vif_replay(m);
    const int32_t noise_log = vif_log(uint64_t(powers.noise));
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_LIMITS; i++)
        if (i < p.limit_count - first_limit) {
            const int32_t num_log = vif_log(vif_limited_signal(powers, limits[i], m)) - noise_log;
            sums[NUM_LOG_SUMS + i] += num_log;
            tap_put(arguments.taps, p.num_log_stages + first_limit + i, x, y, num_log);
        }
}

// Adds the block's sums; those without num_log when `first_limit` is 0.
void add_sums(int32_t own[WORD_SUMS], int32_t thread, int32_t first_limit) {
    const VifParams p = arguments.p;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < WORD_SUMS; i++)
        memory[SUMS + i * VIF_THREADS + thread] = uint32_t(own[i]);
    barrier();
    if (thread < WORD_SUMS * VIF_PARTS) {
        const int32_t sum = thread / VIF_PARTS, part = thread % VIF_PARTS;
        uint32_t total = 0;
        for (int32_t i = part; i < VIF_THREADS; i += VIF_PARTS)
            total += memory[SUMS + sum * VIF_THREADS + i];
        memory[PARTS + part * WORD_SUMS + sum] = total;
    }
    barrier();
    const int32_t limit = thread - NUM_LOG_SUMS + first_limit;
    if (thread >= VIF_SUMS || limit >= p.limit_count || (thread < NUM_LOG_SUMS && first_limit > 0))
        return;
    int32_t total = 0, upper = 0;
    for (int32_t part = 0; part < VIF_PARTS; part++) {
        total += int32_t(memory[PARTS + part * WORD_SUMS + thread]);
        upper += int32_t(memory[PARTS + part * WORD_SUMS + NUM_NON_UPPER_SUM]);
    }
    const int32_t sum = thread == DEN_LOG_SUM   ? p.den_log_sum
                        : thread == NUM_NON_SUM ? p.num_non_sum
                        : thread == DEN_NON_SUM ? p.den_non_sum
                                                : p.num_log_sums + limit;
    const int64_t value = int64_t(total) + (thread == NUM_NON_SUM ? int64_t(upper) << 16 : int64_t(0));
    if (value != 0)
        atomic_add(arguments.sums, sum, value);
}

// Limits from number `first` on; the last one again where there are no more.
void share_limits(int32_t slot, int32_t first) {
    if (slot >= 0 && slot < VIF_LIMITS)
        limits[slot] = vif_limit(arguments.gain_limits.at[vif_min(first + slot, arguments.p.limit_count - 1)]);
}

// Adds the tile's pixels to the sums. The first limits are there.
void add_pixels(int32_t thread, int32_t tile_left, int32_t top) {
    const VifParams p = arguments.p;
    const int32_t left = tile_left + thread % VIF_RUNS * VIF_RUN, y = top + thread / VIF_RUNS;
    VifMoments moments[VIF_RUN];
    filter_rows(moments, thread);
    barrier();
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_RUN; i++) // a loop over registers would repeat the code for pixels
        share_moments(i, thread, moments[i]);

    const int32_t count = y < p.height ? vif_min(VIF_RUN, p.width - left) : 0;
#if ISOVMAF_TAPS
    for (int32_t i = 0; i < count; i++) {
        const VifMoments m = shared_moments(i, thread);
        tap_put(arguments.taps, p.reference_variance_stage, left + i, y, m.sigma1_sq);
        tap_put(arguments.taps, p.distorted_variance_stage, left + i, y, m.sigma2_sq);
        tap_put(arguments.taps, p.covariance_stage, left + i, y, m.sigma12);
    }
#endif
    for (int32_t first = 0; first < p.limit_count; first += VIF_LIMITS) {
        if (first > 0) {
            share_limits(thread, first);
            barrier();
        }
        int32_t own[WORD_SUMS];
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < WORD_SUMS; i++)
            own[i] = 0;
        ISOVMAF_NO_UNROLL
        for (int32_t i = 0; i < count; i++)
            add_pixel(own, shared_moments(i, thread), first, left + i, y);
        add_sums(own, thread, first);
    }
}

void main() {
    const VifParams p = arguments.p;
    const int32_t thread = thread_x();
    const int32_t left = group_x() * VIF_TILE_WIDTH, top = group_y() * VIF_TILE_HEIGHT;
    if (thread < COLUMN_REACH)
        row_offsets[thread] = int64_t(vif_source(top + thread - RADIUS, p.height, RADIUS)) * p.stride_bytes;
    if (p.limit_count > 0)
        share_limits(VIF_THREADS - 1 - thread, 0); // by threads that have less to do
    barrier();
    if (thread < VIF_TILE_WIDTH + 2 * RADIUS)
        filter_columns(thread, left);
    barrier();
#if MAKES_NEXT
    decimate(thread, left, top);
#endif
    if (p.limit_count > 0)
        add_pixels(thread, left, top);
}
