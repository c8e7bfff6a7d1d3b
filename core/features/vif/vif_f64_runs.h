// SPDX-License-Identifier: BSD-2-Clause-Patent
// How a thread of VIF's kernels adds up its run of pixels in f64 (vif_f64_pixels.h); part of a body (portable/body.h).

#define GAIN_LIMIT double
using GainLimits = Pointer<const double>;

// Shares the lines of the logarithms.
ISOVMAF_FN void share_constants(ConstU16 table, GainLimits, ISOVMAF_IN(VifParams), int32_t thread) {
    LogLines lines;
    load_lines(lines, table, thread);
    share_lines(lines, thread);
}

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
