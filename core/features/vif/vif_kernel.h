// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of VIF: a block adds the pixels of a tile to the sums of their scale, and makes the tile's part of the next
// scale's pictures (features.md §3.1 to §3.4). SCALE is 0 to 3; SAMPLE_BITS is 8 or 16, and 16 at later scales than 0.
//
// Values of 32 bits are filtered as two halves of 16: then no product and no sum needs more than 32 bits, and no factor
// more than the 24 that AMD GPUs multiply at full speed.
#include "features/vif/vif_filter.h"
#include "features/vif/vif_math.h"
#include "features/vif/vif_params.h"
#include "portable/body.h"
#if defined(VULKAN)
#include "features/vif/vif_integer_math.h"
#endif

#define SAMPLE ISOVMAF_SAMPLE(SAMPLE_BITS)
#define SAMPLES ISOVMAF_SAMPLES(SAMPLE_BITS)
#define FILTER ISOVMAF_JOIN(VIF_FILTER_, SCALE)
#define RADIUS ISOVMAF_JOIN(VIF_RADIUS_, SCALE)
#if SCALE == 0
#define NEXT_FILTER VIF_FILTER_1
#define NEXT_RADIUS VIF_RADIUS_1
#elif SCALE == 1
#define NEXT_FILTER VIF_FILTER_2
#define NEXT_RADIUS VIF_RADIUS_2
#else // the last scale has no next one and does not use this
#define NEXT_FILTER VIF_FILTER_3
#define NEXT_RADIUS VIF_RADIUS_3
#endif

// Blocks that a processor should hold at a time; 0: the compiler's choice. At scale 1 nvcc chooses the registers of
// eight blocks. What eight blocks share leaves an NVIDIA multiprocessor so little cache that the table of logarithms
// misses it twice as often, and the kernel takes 1.15 times as long (docs/research/gpu-speed.md).
#if SCALE == 1
#define RESIDENT_BLOCKS 7
#else
#define RESIDENT_BLOCKS 0
#endif

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT bool makes_next = SCALE < VIF_LAST_SCALE;

// Values that filters reach from a column of the tile, from a run of pixels and from one sample of the next scale.
ISOVMAF_CONSTANT int32_t column_reach = VIF_TILE_HEIGHT + 2 * RADIUS;
ISOVMAF_CONSTANT int32_t run_reach = VIF_RUN + 2 * RADIUS;
ISOVMAF_CONSTANT int32_t next_reach = 2 * NEXT_RADIUS + 1;

// A thread's sums. All sums of a block's 896 pixels fit 32 bits: logarithms are below 2^17, and num_non has a sum of
// the lower and one of the upper 16 bits of its values.
ISOVMAF_CONSTANT int32_t den_log_sum = 0;
ISOVMAF_CONSTANT int32_t num_non_sum = 1;
ISOVMAF_CONSTANT int32_t den_non_sum = 2;
ISOVMAF_CONSTANT int32_t num_log_sums = 3;
ISOVMAF_CONSTANT int32_t num_non_upper_sum = VIF_SUMS;
ISOVMAF_CONSTANT int32_t thread_sums = VIF_SUMS + 1;

// A block's memory holds first the rows of filtered columns: means (m1, and m2 in the upper half), products xx, yy and
// xy, and means by the next scale's taps (both pictures in one element, too).
ISOVMAF_CONSTANT int32_t means_place = 0;
ISOVMAF_CONSTANT int32_t products_place = VIF_TILE_HEIGHT * VIF_COLUMNS;
ISOVMAF_CONSTANT int32_t product_size = VIF_TILE_HEIGHT * VIF_COLUMNS;
ISOVMAF_CONSTANT int32_t next_place = products_place + 3 * product_size;
ISOVMAF_CONSTANT int32_t memory_size = next_place + VIF_HALF_HEIGHT * VIF_COLUMNS;
ISOVMAF_SHARED(uint32_t, memory[memory_size]);

// Later the memory holds the moments of the threads' pixels, the threads' sums, and parts of the block's sums.
ISOVMAF_CONSTANT int32_t moments_place = 0;
ISOVMAF_CONSTANT int32_t sums_place = moments_place + 3 * VIF_RUN * VIF_THREADS;
ISOVMAF_CONSTANT int32_t parts_place = sums_place + thread_sums * VIF_THREADS;
ISOVMAF_STATIC_ASSERT(parts_place + VIF_PARTS * thread_sums <= memory_size, "both fit the same memory");

ISOVMAF_SHARED(int64_t, row_offsets[column_reach]);

ISOVMAF_STATIC_ASSERT(VIF_TILE_WIDTH + 2 * RADIUS <= VIF_THREADS, "one thread for each column");
ISOVMAF_STATIC_ASSERT(VIF_TILE_WIDTH == VIF_RUNS * VIF_RUN && VIF_THREADS == VIF_RUNS * VIF_TILE_HEIGHT, "a run each");
ISOVMAF_STATIC_ASSERT((VIF_COLUMNS - VIF_TILE_WIDTH) % 32 == 0, "runs of two rows lie in different banks");
ISOVMAF_STATIC_ASSERT(VIF_TILE_WIDTH % 2 == 0 && VIF_TILE_HEIGHT % 2 == 0, "tiles of the next scale are whole");

// What decides at a pixel: doubles in C++, and integers with the same results in GLSL.
#if defined(VULKAN)

#define GainLimits ConstU64 // bits of doubles
#define Gain VifPowers
#define LIMITS_PARAMETER
#define LIMITS_ARGUMENT

shared VifLimit limits[VIF_LIMITS];

// Limits from number `first` on, by the threads of place 0 and on; the last one again where there are no more.
void share_limits(GainLimits gain_limits, int32_t count, int32_t first, int32_t place) {
    if (place >= 0 && place < VIF_LIMITS)
        limits[place] = vif_limit(gain_limits.at[vif_min(first + place, count - 1)]);
}

// The gain at a pixel, decided for `count` limits.
Gain gain_of(VifMoments m, int32_t count) {
    ISOVMAF_PRECISE const float reciprocal = 1.0f / float(m.sigma1_sq);
    VifPowers powers = vif_decide(m, reciprocal);
    bool decided = powers.decided;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_LIMITS; i++)
        if (i < count)
            decided = decided && vif_limit_is_decided(m, limits[i]);
    if (!decided)
        powers = vif_replay(m);
    return powers;
}
#define signal_of(gain, i, m) vif_limited_signal(gain, limits[i], m)

#define PRODUCTS_LOOP ISOVMAF_NO_UNROLL // written out, all three would be in registers at once, twice as many
#define PRODUCT_OFFSET 0u

#else

using GainLimits = Pointer<const double>;
using Gain = VifGain;
#define LIMITS_PARAMETER const double(&limits)[VIF_LIMITS],
#define LIMITS_ARGUMENT limits,

ISOVMAF_FN Gain gain_of(VifMoments m, int32_t) { return vif_gain(m); }
#define signal_of(gain, i, m) vif_signal(gain, limits[i], m.sigma1_sq)

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
    const int32_t place = thread / VIF_RUNS * VIF_COLUMNS + thread % VIF_RUNS * VIF_RUN;
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

ISOVMAF_FN int32_t moment_place(int32_t i, int32_t thread) { return moments_place + 3 * VIF_THREADS * i + thread; }

ISOVMAF_FN VifMoments shared_moments(int32_t i, int32_t thread) {
    const int32_t place = moment_place(i, thread);
    VifMoments m;
    m.sigma1_sq = int32_t(memory[place]);
    m.sigma2_sq = int32_t(memory[place + VIF_THREADS]);
    m.sigma12 = int32_t(memory[place + 2 * VIF_THREADS]);
    return m;
}

ISOVMAF_FN void share_moments(int32_t i, int32_t thread, VifMoments m) {
    const int32_t place = moment_place(i, thread);
    memory[place] = uint32_t(m.sigma1_sq);
    memory[place + VIF_THREADS] = uint32_t(m.sigma2_sq);
    memory[place + 2 * VIF_THREADS] = uint32_t(m.sigma12);
}

ISOVMAF_FN int32_t log_of(ConstU16 table, uint64_t v) {
    const VifLog log = vif_log_of(v);
    return int32_t(table.at[log.index]) + log.added;
}

// Adds a pixel to the thread's sums (§3.4). `limits` are the gain limits from number `first_limit` on.
ISOVMAF_FN void add_pixel(ISOVMAF_INOUT int32_t sums[thread_sums], VifMoments m, ConstU16 table,
                          LIMITS_PARAMETER int32_t first_limit, ISOVMAF_IN(VifParams) p, int32_t x, int32_t y,
                          KernelTaps taps) {
    if (m.sigma1_sq < VIF_NOISE) {
        sums[num_non_sum] += m.sigma2_sq & 0xffff;
        sums[num_non_upper_sum] += m.sigma2_sq >> 16;
        sums[den_non_sum]++;
        return;
    }
    const int32_t den_log = log_of(table, uint64_t(vif_noisy_variance(m.sigma1_sq))) - VIF_LOG_NOISE;
    sums[den_log_sum] += den_log;
    tap_put(taps, p.den_log_stage, x, y, den_log);
    if (m.sigma12 <= 0 || m.sigma2_sq == 0)
        return;
    const Gain gain = gain_of(m, p.limit_count - first_limit);
    const int32_t noise_log = log_of(table, uint64_t(gain.noise));
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_LIMITS; i++)
        if (i < p.limit_count - first_limit) {
            const int32_t num_log = log_of(table, signal_of(gain, i, m)) - noise_log;
            sums[num_log_sums + i] += num_log;
            tap_put(taps, p.num_log_stages + first_limit + i, x, y, num_log);
        }
}

// Adds the block's sums; those without num_log when `first_limit` is 0.
ISOVMAF_FN void add_sums(const int32_t own[thread_sums], I64 sums, ISOVMAF_IN(VifParams) p, int32_t thread,
                         int32_t first_limit) {
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < thread_sums; i++)
        memory[sums_place + i * VIF_THREADS + thread] = uint32_t(own[i]);
    barrier();
    if (thread < thread_sums * VIF_PARTS) {
        const int32_t sum = thread / VIF_PARTS, part = thread % VIF_PARTS;
        uint32_t total = 0;
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < VIF_THREADS; i += VIF_PARTS)
            total += memory[sums_place + sum * VIF_THREADS + part + i];
        memory[parts_place + part * thread_sums + sum] = total;
    }
    barrier();
    const int32_t limit = thread - num_log_sums + first_limit;
    const bool of_limits = thread >= num_log_sums && thread < num_non_upper_sum;
    if (thread >= thread_sums || (of_limits ? limit >= p.limit_count : first_limit > 0))
        return;
    int32_t total = 0;
    for (int32_t part = 0; part < VIF_PARTS; part++)
        total += int32_t(memory[parts_place + part * thread_sums + thread]);
    const int32_t sum = of_limits               ? p.num_log_sums + limit
                        : thread == den_log_sum ? p.den_log_sum
                        : thread == den_non_sum ? p.den_non_sum
                                                : p.num_non_sum;
    if (total != 0)
        atomic_add(sums, sum, int64_t(total) << (thread == num_non_upper_sum ? 16 : 0));
}

ISOVMAF_FN void put_moments(VifMoments m, ISOVMAF_IN(VifParams) p, int32_t x, int32_t y, KernelTaps taps) {
    tap_put(taps, p.reference_variance_stage, x, y, m.sigma1_sq);
    tap_put(taps, p.distorted_variance_stage, x, y, m.sigma2_sq);
    tap_put(taps, p.covariance_stage, x, y, m.sigma12);
}

// Adds the tile's pixels to the sums. In GLSL the first limits are shared already.
ISOVMAF_FN void add_pixels(ConstU16 table, GainLimits gain_limits, I64 sums, ISOVMAF_IN(VifParams) p, int32_t thread,
                           int32_t tile_left, int32_t top, KernelTaps taps) {
    const int32_t left = tile_left + thread % VIF_RUNS * VIF_RUN, y = top + thread / VIF_RUNS;
    VifMoments moments[VIF_RUN];
    filter_rows(moments, thread);
    barrier();
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_RUN; i++) // a loop over registers would repeat the code for pixels
        share_moments(i, thread, moments[i]);

    const int32_t count = y < p.height ? vif_min(VIF_RUN, p.width - left) : 0;
    if (ISOVMAF_HAS_TAPS)
        for (int32_t i = 0; i < count; i++)
            put_moments(shared_moments(i, thread), p, left + i, y, taps);
    for (int32_t first = 0; first < p.limit_count; first += VIF_LIMITS) {
        int32_t own[thread_sums];
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < thread_sums; i++)
            own[i] = 0;
#if defined(VULKAN)
        if (first > 0) {
            share_limits(gain_limits, p.limit_count, first, thread);
            barrier();
        }
#else
        double limits[VIF_LIMITS];
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < VIF_LIMITS; i++)
            limits[i] = gain_limits.at[vif_min(first + i, p.limit_count - 1)];
#endif
        ISOVMAF_NO_UNROLL
        for (int32_t i = 0; i < count; i++)
            add_pixel(own, shared_moments(i, thread), table, LIMITS_ARGUMENT first, p, left + i, y, taps);
        add_sums(own, sums, p, thread, first);
    }
}

ISOVMAF_FN void vif_tile(SAMPLES reference, SAMPLES distorted, U16 next_reference, U16 next_distorted, ConstU16 table,
                         GainLimits gain_limits, I64 sums, ISOVMAF_IN(VifParams) p, KernelTaps taps) {
    const int32_t thread = thread_x();
    const int32_t left = group_x() * VIF_TILE_WIDTH, top = group_y() * VIF_TILE_HEIGHT;
    if (thread < column_reach)
        row_offsets[thread] = int64_t(vif_source(top + thread - RADIUS, p.height, RADIUS)) * p.stride_bytes;
#if defined(VULKAN)
    if (p.limit_count > 0)
        share_limits(gain_limits, p.limit_count, 0, VIF_THREADS - 1 - thread); // by threads that have less to do
#endif
    barrier();
    if (thread < VIF_TILE_WIDTH + 2 * RADIUS)
        filter_columns(reference, distorted, p, thread, left);
    barrier();
    if (makes_next)
        decimate(next_reference, next_distorted, p, thread, left, top, taps);
    if (p.limit_count > 0)
        add_pixels(table, gain_limits, sums, p, thread, left, top, taps);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = VIF_THREADS) in;
ISOVMAF_ARGUMENTS {
    SAMPLES reference, distorted;
    U16 next_reference, next_distorted;
    ConstU16 table;
    GainLimits gain_limits;
    I64 sums;
    ISOVMAF_TAPS_MEMBER
    VifParams p;
}
arguments;
void main() {
    vif_tile(arguments.reference, arguments.distorted, arguments.next_reference, arguments.next_distorted,
             arguments.table, arguments.gain_limits, arguments.sums, arguments.p, ISOVMAF_TAPS_ARGUMENT);
}
#else
ISOVMAF_KERNEL_RESIDENT(VIF_THREADS, RESIDENT_BLOCKS)
ISOVMAF_KERNEL_NAME(const SAMPLE *reference, const SAMPLE *distorted, uint16_t *next_reference,
                    uint16_t *next_distorted, const uint16_t *table, const double *gain_limits, int64_t *sums,
                    ISOVMAF_TAPS_PARAMETER VifParams p) {
    KERNEL_BODY::vif_tile({reference}, {distorted}, {next_reference}, {next_distorted}, {table}, {gain_limits}, {sums},
                          p, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
#undef SCALE
#undef SAMPLE_BITS
#undef SAMPLE
#undef SAMPLES
#undef FILTER
#undef RADIUS
#undef NEXT_FILTER
#undef NEXT_RADIUS
#undef RESIDENT_BLOCKS
#undef LIMITS_PARAMETER
#undef LIMITS_ARGUMENT
#undef PRODUCTS_LOOP
#undef PRODUCT_OFFSET
#undef LOAD_HALVES
#undef signal_of
