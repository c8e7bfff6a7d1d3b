// SPDX-License-Identifier: BSD-2-Clause-Patent
// What VIF adds up of pixels (features.md §3.4), in f64 and without branches, so that a thread computes several pixels
// side by side; part of a body (portable/body.h). The results are those of vif_math.h: whole numbers below 2^52 are
// exact in f64, and where the definition drops the part behind the point, so does this.

// The lines of vif_log_lines.h, in shared memory.
ISOVMAF_SHARED(uint32_t, log_lines[VIF_LINES]);

// A thread's part of the lines, which stand behind the table of the logarithms.
struct LogLines {
    uint32_t own[VIF_LINES / THREADS];
};
ISOVMAF_FN void load_lines(LogLines &lines, ConstU16 table, int32_t thread) {
    const ConstU32 first = pointer_moved<ConstU32>(table, sizeof(uint16_t) * VIF_LOG_COUNT);
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_LINES / THREADS; i++)
        lines.own[i] = first.at[i * THREADS + thread];
}
ISOVMAF_FN void share_lines(ISOVMAF_IN(LogLines) lines, int32_t thread) {
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_LINES / THREADS; i++)
        log_lines[i * THREADS + thread] = lines.own[i];
}

// The gain limits from number `first` on; the last one again where there are no more.
ISOVMAF_FN void load_limits(double (&limits)[VIF_LIMITS], Pointer<const double> gain_limits, int32_t first,
                            ISOVMAF_IN(VifParams) p) {
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < VIF_LIMITS; i++)
        limits[i] = gain_limits.at[vif_min(first + i, p.limit_count - 1)];
}

// The logarithm of a whole number v >= 32768, plus log_offset: exponent and first bits of an f64 are those of the
// integer.
ISOVMAF_CONSTANT int32_t log_offset = VIF_LOG_UNIT * (1023 + 15) - VIF_LINE_ORIGIN;
ISOVMAF_FN int32_t log_of(double v) {
    const uint32_t upper = uint32_t(__builtin_bit_cast(uint64_t, v) >> 32); // exponent, and 20 bits of the significand
    const uint32_t line = log_lines[upper >> 11 & (VIF_LINES - 1)];
    return int32_t(vif_on_line(line, upper >> 5 & (VIF_LINE_LOGS - 1))) + (int32_t(upper >> 20) * VIF_LOG_UNIT);
}

// From here to twice as much f64 are the whole numbers.
ISOVMAF_CONSTANT double offset_f64 = 0x1p52;

// v >= 0 as f64.
ISOVMAF_FN double f64_of(int32_t v) {
    return __builtin_bit_cast(double, uint64_t(0x43300000) << 32 | uint32_t(v)) - offset_f64;
}

// Adds a pixel to the thread's sums, for `count` gain limits from number `first_limit` on. What is computed of a pixel
// that is not counted is dropped.
template <int32_t count>
ISOVMAF_FN void add_pixel(ISOVMAF_INOUT int32_t sums[thread_sums], VifMoments m, bool inside,
                          const double (&limits)[VIF_LIMITS], int32_t first_limit, ISOVMAF_IN(VifParams) p, int32_t x,
                          int32_t y, KernelTaps taps) {
    const bool noisy = inside && m.sigma1_sq < VIF_NOISE, has_signal = inside && !noisy;
    const bool counted = has_signal && m.sigma12 > 0 && m.sigma2_sq != 0;
    const int32_t non = noisy ? m.sigma2_sq : 0;
    sums[num_non_sum] += non & 0xffff;
    sums[num_non_upper_sum] += non >> 16;
    sums[den_non_sum] += noisy ? 1 : 0;
    const double sigma1_sq = f64_of(m.sigma1_sq), sigma12 = f64_of(m.sigma12);
    const int32_t den_log = log_of(sigma1_sq + VIF_NOISE) - log_offset - VIF_LOG_NOISE;
    sums[den_log_sum] += has_signal ? den_log : 0;
    if (has_signal)
        tap_put(taps, p.den_log_stage, x, y, den_log);
    const double gain = divide(sigma12, sigma1_sq + VIF_GAIN_EPSILON);
    const double explained = gain * sigma12;
    const double rest = f64_of(m.sigma2_sq) - explained;
    const double noise = whole_part_above(rest > 0 ? rest : 0) - (offset_f64 - VIF_NOISE);
    const int32_t noise_log = log_of(noise);
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < count; i++) {
        const double limited = gain < limits[i] ? gain : limits[i];
        const double squared = limited * limited;
        const double power = squared * sigma1_sq;
        const int32_t num_log = log_of(whole_part_above(power) - offset_f64 + noise) - noise_log;
        sums[num_log_sums + i] += counted ? num_log : 0;
        if (counted)
            tap_put(taps, p.num_log_stages + first_limit + i, x, y, num_log);
    }
}
