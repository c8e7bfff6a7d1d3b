// SPDX-License-Identifier: BSD-2-Clause-Patent
// What VIF adds up of pixels (features.md §3.4) with the table of logarithms; part of a body (portable/body.h). A pixel
// is decided in doubles, or where f64 is slow in integers with the same results.

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

// Shares the first limits, by threads that have less to do than others.
ISOVMAF_FN void share_constants(ConstU16, GainLimits gain_limits, ISOVMAF_IN(VifParams) p, int32_t thread) {
    share_limits(gain_limits, p.limit_count, 0, VIF_THREADS - 1 - thread);
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

ISOVMAF_FN void share_constants(ConstU16, GainLimits, ISOVMAF_IN(VifParams), int32_t) {}

ISOVMAF_FN Gain gain_of(VifMoments m, int32_t) { return vif_gain(m); }
#define signal_of(gain, i, m) vif_signal_f64(gain, limits[i], m.sigma1_sq)

#endif

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

// Adds the pixels of the thread's run. The first limits that integers are compared with are shared already.
ISOVMAF_FN void add_run(ISOVMAF_INOUT int32_t sums[thread_sums], const VifMoments moments[VIF_RUN], ConstU16 table,
                        GainLimits gain_limits, int32_t first_limit, ISOVMAF_IN(VifParams) p, int32_t thread,
                        int32_t left, int32_t top, KernelTaps taps) {
    const int32_t y = top + run_row(thread), begin = first_pixel(thread, p.width - left);
    const int32_t end = y < p.height ? vif_min(VIF_RUN, p.width - left - run_column(thread)) : 0;
#if ISOVMAF_SLOW_F64
    if (first_limit > 0) {
        share_limits(gain_limits, p.limit_count, first_limit, thread);
        barrier();
    }
#else
    double limits[VIF_LIMITS];
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_LIMITS; i++)
        limits[i] = gain_limits.at[vif_min(first_limit + i, p.limit_count - 1)];
#endif
    if (PIXELS_AT_A_TIME < VIF_RUN && first_limit > 0)
        barrier(); // the memory holds sums
    ISOVMAF_UNROLL
    for (int32_t pixel = 0; pixel < VIF_RUN; pixel += PIXELS_AT_A_TIME) {
        if (PIXELS_AT_A_TIME < VIF_RUN)
            share_run(moments, pixel, thread);
        ISOVMAF_NO_UNROLL
        for (int32_t i = vif_max(begin, pixel); i < vif_min(end, pixel + PIXELS_AT_A_TIME); i++) {
            const int32_t x = left + pixel_column(i, thread);
            const VifMoments m = shared_moments(i - pixel, thread);
            if (ISOVMAF_HAS_TAPS && first_limit == 0)
                put_moments(m, p, x, y, taps);
            add_pixel(sums, m, table, LIMITS_ARGUMENT first_limit, p, x, y, taps);
        }
    }
}

#undef Gain
#undef LIMITS_PARAMETER
#undef LIMITS_ARGUMENT
#undef signal_of
