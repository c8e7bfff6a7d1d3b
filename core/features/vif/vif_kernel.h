// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of VIF: a block adds the pixels of a tile to the sums of their scale, and makes the tile's part of the next
// scale's pictures (features.md §3.1 to §3.4). SCALE is 0 to 3; SAMPLE_BITS is 8 or 16, and 16 at later scales than 0.
// Values of 32 bits are filtered as two halves of 16: vif_pairs_kernel.h and vif_words_kernel.h do so. VIF_MATRIX is 1
// where kernels that multiply matrices do scale 0 (vif_matrix.cu), else 0.
#include "features/vif/vif_filter.h"
#include "features/vif/vif_math.h"
#include "features/vif/vif_params.h"
#include "features/vif/vif_thread_sums.h"
#include "portable/body.h"
#if VIF_MATRIX
#include "features/vif/vif_log_lines.h"
#elif ISOVMAF_SLOW_F64
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

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT bool makes_next = SCALE < VIF_LAST_SCALE;

// Values that filters reach from a column of the tile.
ISOVMAF_CONSTANT int32_t column_reach = VIF_TILE_HEIGHT + 2 * RADIUS;

ISOVMAF_STATIC_ASSERT(VIF_TILE_WIDTH + 2 * RADIUS <= VIF_THREADS, "one thread for each column");
ISOVMAF_STATIC_ASSERT(VIF_TILE_WIDTH == VIF_RUNS * VIF_RUN && VIF_THREADS == VIF_RUNS * VIF_TILE_HEIGHT, "a run each");
ISOVMAF_STATIC_ASSERT(VIF_TILE_WIDTH % 2 == 0 && VIF_TILE_HEIGHT % 2 == 0, "tiles of the next scale are whole");

#if ISOVMAF_PAIRS && !VIF_MATRIX
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

#include "features/vif/vif_block_sums.h"

// Shares the moments of the pixels of the thread's run from `first` on that the memory has room for. A loop over
// registers would repeat the code for pixels.
ISOVMAF_FN void share_run(const VifMoments moments[VIF_RUN], int32_t first, int32_t thread) {
    ISOVMAF_UNROLL
    for (int32_t i = first; i < vif_min(first + PIXELS_AT_A_TIME, VIF_RUN); i++)
        share_moments(i - first, thread, moments[i]);
}

#if VIF_MATRIX
#include "features/vif/vif_f64_pixels.h"

#define GAIN_LIMIT double
using GainLimits = Pointer<const double>;

// Shares the lines of the logarithms.
ISOVMAF_FN void share_constants(ConstU16 table, GainLimits, ISOVMAF_IN(VifParams), int32_t thread) {
    LogLines lines;
    load_lines(lines, table, thread);
    share_lines(lines, thread);
}

// Adds the pixels of the thread's run for `count` gain limits from number `first_limit` on.
template <int32_t count>
ISOVMAF_FN void add_run_of(ISOVMAF_INOUT int32_t sums[thread_sums], GainLimits gain_limits, int32_t first_limit,
                           ISOVMAF_IN(VifParams) p, int32_t thread, int32_t left, int32_t top, KernelTaps taps) {
    double limits[VIF_LIMITS];
    load_limits(limits, gain_limits, first_limit, p);
    const int32_t x = left + run_column(thread), y = top + run_row(thread);
    const int32_t columns = y < p.height ? p.width - x : 0; // from x on
    ISOVMAF_UNROLL_BY(2)
    for (int32_t i = 0; i < VIF_RUN; i++) {
        const bool inside = i < columns;
        const VifMoments m = shared_moments(i, thread);
        if (ISOVMAF_HAS_TAPS && first_limit == 0 && inside)
            put_moments(m, p, x + i, y, taps);
        add_pixel<count>(sums, m, inside, limits, first_limit, p, x + i, y, taps);
    }
}

ISOVMAF_FN void add_run(ISOVMAF_INOUT int32_t sums[thread_sums], const VifMoments *, ConstU16, GainLimits gain_limits,
                        int32_t first_limit, ISOVMAF_IN(VifParams) p, int32_t thread, int32_t left, int32_t top,
                        KernelTaps taps) {
    if (p.limit_count - first_limit > 1)
        add_run_of<2>(sums, gain_limits, first_limit, p, thread, left, top, taps);
    else
        add_run_of<1>(sums, gain_limits, first_limit, p, thread, left, top, taps);
}

#else
#include "features/vif/vif_table_pixels.h"
#endif

// Adds up the thread's pixels for all gain limits, and then the block's.
ISOVMAF_FN void add_pixels(const VifMoments moments[VIF_RUN], ConstU16 table, GainLimits gain_limits, I64 sums,
                           ISOVMAF_IN(VifParams) p, int32_t thread, int32_t left, int32_t top, KernelTaps taps) {
    if (PIXELS_AT_A_TIME == VIF_RUN)
        share_run(moments, 0, thread);
    for (int32_t first = 0; first < p.limit_count; first += VIF_LIMITS) {
        int32_t own[thread_sums];
        ISOVMAF_UNROLL
        for (int32_t i = 0; i < thread_sums; i++)
            own[i] = 0;
        add_run(own, moments, table, gain_limits, first, p, thread, left, top, taps);
        add_sums(own, sums, p, thread, first);
    }
}

ISOVMAF_FN void vif_tile(SAMPLES reference, SAMPLES distorted, U16 next_reference, U16 next_distorted, ConstU16 table,
                         GainLimits gain_limits, I64 sums, ISOVMAF_IN(VifParams) p, KernelTaps taps) {
    const int32_t thread = thread_x();
    const int32_t left = group_x() * VIF_TILE_WIDTH, top = group_y() * VIF_TILE_HEIGHT;
    if (p.limit_count > 0)
        share_constants(table, gain_limits, p, thread);
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
ISOVMAF_KERNEL(VIF_THREADS)
ISOVMAF_KERNEL_NAME(const SAMPLE *reference, const SAMPLE *distorted, uint16_t *next_reference,
                    uint16_t *next_distorted, const uint16_t *table, const GAIN_LIMIT *gain_limits, int64_t *sums,
                    ISOVMAF_TAPS_PARAMETER VifParams p) {
    KERNEL_BODY::vif_tile({reference}, {distorted}, {next_reference}, {next_distorted}, {table}, {gain_limits}, {sums},
                          p, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
#undef SCALE
#undef VIF_MATRIX
#undef SAMPLE_BITS
#undef SAMPLE
#undef SAMPLES
#undef FILTER
#undef TAPS
#undef RADIUS
#undef NEXT_FILTER
#undef NEXT_TAPS
#undef NEXT_RADIUS
#undef PRODUCTS_LOOP
#undef PRODUCT_OFFSET
#undef THREADS
#undef LOAD_HALVES
#undef PIXELS_AT_A_TIME
#undef GAIN_LIMIT
#undef GainLimits
