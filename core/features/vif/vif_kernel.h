// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of VIF: a block adds the pixels of a tile to the sums of their scale, and makes the tile's part of the next
// scale's pictures (features.md §3.1 to §3.4). SCALE is 0 to 3; SAMPLE_BITS is 8 or 16, and 16 at later scales than 0.
// Values of 32 bits are filtered as two halves of 16: vif_pairs_kernel.h and vif_words_kernel.h do so.
#include "features/vif/vif_filter.h"
#include "features/vif/vif_math.h"
#include "features/vif/vif_params.h"
#include "features/vif/vif_thread_sums.h"
#include "portable/body.h"
#if ISOVMAF_SLOW_F64
#include "features/vif/vif_integer_math.h"
#endif

#define SAMPLE ISOVMAF_SAMPLE(SAMPLE_BITS)
#define SAMPLES ISOVMAF_SAMPLES(SAMPLE_BITS)
#define THREADS VIF_THREADS
#define FILTER ISOVMAF_JOIN(VIF_FILTER_, SCALE)
#define TAPS ISOVMAF_JOIN(vif_taps_, SCALE)
#define RADIUS ISOVMAF_JOIN(VIF_RADIUS_, SCALE)
#if SCALE == 0
#define NEXT_FILTER VIF_FILTER_1
#define NEXT_TAPS vif_taps_1
#define NEXT_RADIUS VIF_RADIUS_1
#elif SCALE == 1
#define NEXT_FILTER VIF_FILTER_2
#define NEXT_TAPS vif_taps_2
#define NEXT_RADIUS VIF_RADIUS_2
#else // the last scale has no next one and does not use this
#define NEXT_FILTER VIF_FILTER_3
#define NEXT_TAPS vif_taps_3
#define NEXT_RADIUS VIF_RADIUS_3
#endif

// Blocks that a processor should hold at a time; 0: the compiler's choice. At scale 1 nvcc chooses the registers of
// eight blocks. What eight blocks share leaves an NVIDIA multiprocessor so little cache that the table of logarithms
// misses it twice as often, and the kernel takes 1.15 times as long (docs/research/gpu-speed.md). At scale 2 nvcc would
// choose the registers of nine blocks.
#if SCALE == 1
#define RESIDENT_BLOCKS 7
#elif SCALE == 2
#define RESIDENT_BLOCKS 8
#else
#define RESIDENT_BLOCKS 0
#endif

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT bool makes_next = SCALE < VIF_LAST_SCALE;

// Values that filters reach from a column of the tile.
ISOVMAF_CONSTANT int32_t column_reach = VIF_TILE_HEIGHT + 2 * RADIUS;

ISOVMAF_STATIC_ASSERT(VIF_TILE_WIDTH + 2 * RADIUS <= VIF_THREADS, "one thread for each column");
ISOVMAF_STATIC_ASSERT(VIF_TILE_WIDTH == VIF_RUNS * VIF_RUN && VIF_THREADS == VIF_RUNS * VIF_TILE_HEIGHT, "a run each");
ISOVMAF_STATIC_ASSERT(VIF_TILE_WIDTH % 2 == 0 && VIF_TILE_HEIGHT % 2 == 0, "tiles of the next scale are whole");

// What decides at a pixel: doubles, or integers with the same results.
#if ISOVMAF_SLOW_F64

#define GAIN_LIMIT uint64_t // bits of a double
#define GainLimits ConstU64
#define Gain VifPowers
#define LIMITS_PARAMETER
#define LIMITS_ARGUMENT

ISOVMAF_SHARED(VifLimit, limits[VIF_LIMITS]);

// Limits from number `first` on, by the threads of place 0 and on; the last one again where there are no more.
ISOVMAF_FN void share_limits(GainLimits gain_limits, int32_t count, int32_t first, int32_t place) {
    if (place >= 0 && place < VIF_LIMITS)
        limits[place] = vif_limit(gain_limits.at[vif_min(first + place, count - 1)]);
}

// The gain at a pixel, decided for `count` limits.
ISOVMAF_FN Gain gain_of(VifMoments m, int32_t count) {
    VifPowers powers = vif_decide(m, estimated_reciprocal(float(m.sigma1_sq)));
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

#else

#define GAIN_LIMIT double
using GainLimits = Pointer<const double>;
using Gain = VifGain;
#define LIMITS_PARAMETER const double(&limits)[VIF_LIMITS],
#define LIMITS_ARGUMENT limits,

ISOVMAF_FN Gain gain_of(VifMoments m, int32_t) { return vif_gain(m); }
#if ISOVMAF_PAIRS
#define signal_of(gain, i, m) vif_signal_f64(gain, limits[i], m.sigma1_sq)
#else
#define signal_of(gain, i, m) vif_signal(gain, limits[i], m.sigma1_sq)
#endif

#endif

#if ISOVMAF_PAIRS
#include "features/vif/vif_pairs_kernel.h"
#else
#include "features/vif/vif_words_kernel.h"
#endif

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

ISOVMAF_FN int32_t log_of(ConstU16 table, VifLog log) { return int32_t(element_of(table, log.index)) + log.added; }

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
    const int32_t den_log = log_of(table, vif_log_of(vif_noisy_variance(m.sigma1_sq))) - VIF_LOG_NOISE;
    sums[den_log_sum] += den_log;
    tap_put(taps, p.den_log_stage, x, y, den_log);
    if (m.sigma12 <= 0 || m.sigma2_sq == 0)
        return;
    const Gain gain = gain_of(m, p.limit_count - first_limit);
    const int32_t noise_log = log_of(table, vif_log_of(gain.noise));
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_LIMITS; i++)
        if (i < p.limit_count - first_limit) {
            const int32_t num_log = log_of(table, vif_log_of(signal_of(gain, i, m))) - noise_log;
            sums[num_log_sums + i] += num_log;
            tap_put(taps, p.num_log_stages + first_limit + i, x, y, num_log);
        }
}

#include "features/vif/vif_block_sums.h"

// Shares the moments of the pixels of the thread's run from `first` on that the memory has room for. A loop over
// registers would repeat the code for pixels.
ISOVMAF_FN void share_run(const VifMoments moments[VIF_RUN], int32_t first, int32_t thread) {
    ISOVMAF_UNROLL
    for (int32_t i = first; i < vif_min(first + PIXELS_AT_A_TIME, VIF_RUN); i++)
        share_moments(i - first, thread, moments[i]);
}

// The first limits that integers are compared with are shared already.
ISOVMAF_FN void add_pixels(const VifMoments moments[VIF_RUN], ConstU16 table, GainLimits gain_limits, I64 sums,
                           ISOVMAF_IN(VifParams) p, int32_t thread, int32_t tile_left, int32_t top, KernelTaps taps) {
    const int32_t y = top + run_row(thread);
    const bool all_at_once = PIXELS_AT_A_TIME == VIF_RUN;
    if (all_at_once)
        share_run(moments, 0, thread);
    const int32_t begin = first_pixel(thread, p.width - tile_left);
    const int32_t end = y < p.height ? vif_min(VIF_RUN, p.width - tile_left - run_column(thread)) : 0;
    for (int32_t first = 0; first < p.limit_count; first += VIF_LIMITS) {
        int32_t own[thread_sums];
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < thread_sums; i++)
            own[i] = 0;
#if ISOVMAF_SLOW_F64
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
        if (!all_at_once && first > 0)
            barrier(); // the memory holds sums
        ISOVMAF_UNROLL
        for (int32_t pixel = 0; pixel < VIF_RUN; pixel += PIXELS_AT_A_TIME) {
            if (!all_at_once)
                share_run(moments, pixel, thread);
            ISOVMAF_NO_UNROLL
            for (int32_t i = vif_max(begin, pixel); i < vif_min(end, pixel + PIXELS_AT_A_TIME); i++) {
                const int32_t x = tile_left + pixel_column(i, thread);
                const VifMoments m = shared_moments(i - pixel, thread);
                if (ISOVMAF_HAS_TAPS && first == 0)
                    put_moments(m, p, x, y, taps);
                add_pixel(own, m, table, LIMITS_ARGUMENT first, p, x, y, taps);
            }
        }
        add_sums(own, sums, p, thread, first);
    }
}

ISOVMAF_FN void vif_tile(SAMPLES reference, SAMPLES distorted, U16 next_reference, U16 next_distorted, ConstU16 table,
                         GainLimits gain_limits, I64 sums, ISOVMAF_IN(VifParams) p, KernelTaps taps) {
    const int32_t thread = thread_x();
    const int32_t left = group_x() * VIF_TILE_WIDTH, top = group_y() * VIF_TILE_HEIGHT;
#if ISOVMAF_SLOW_F64
    if (p.limit_count > 0)
        share_limits(gain_limits, p.limit_count, 0, VIF_THREADS - 1 - thread); // by threads that have less to do
#endif
    VifMoments moments[VIF_RUN];
    filter_tile(moments, reference, distorted, next_reference, next_distorted, p, thread, left, top, taps);
    if (p.limit_count <= 0)
        return;
    barrier();
    add_pixels(moments, table, gain_limits, sums, p, thread, left, top, taps);
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
                    uint16_t *next_distorted, const uint16_t *table, const GAIN_LIMIT *gain_limits, int64_t *sums,
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
#undef TAPS
#undef RADIUS
#undef NEXT_FILTER
#undef NEXT_TAPS
#undef NEXT_RADIUS
#undef RESIDENT_BLOCKS
#undef LIMITS_PARAMETER
#undef LIMITS_ARGUMENT
#undef PRODUCTS_LOOP
#undef PRODUCT_OFFSET
#undef THREADS
#undef LOAD_HALVES
#undef PIXELS_AT_A_TIME
#undef signal_of
#undef GAIN_LIMIT
#undef GainLimits
#undef Gain
