// SPDX-License-Identifier: BSD-2-Clause-Patent
// Tables and per-sample arithmetic of VIF (features.md §3).
#ifndef ISOVMAF_VIF_MATH_H
#define ISOVMAF_VIF_MATH_H

#include "portable/edges.h"
#include "portable/portable.h"

#define VIF_SCALE_COUNT 4
#define VIF_LAST_SCALE (VIF_SCALE_COUNT - 1)

#if defined(VULKAN) // has no literals of 16 bits
#define VIF_TAP uint32_t
#else
#define VIF_TAP uint16_t
#endif

// Gaussians of the four scales, each of sum 65536 (libvmaf: integer_vif.h).
ISOVMAF_TABLE(VIF_TAP, vif_taps_0, 17) = {489,  935,  1640, 2640, 3896, 5274, 6547, 7455, 7784,
                                          7455, 6547, 5274, 3896, 2640, 1640, 935,  489};
ISOVMAF_TABLE(VIF_TAP, vif_taps_1, 9) = {1244, 3663, 7925, 12590, 14692, 12590, 7925, 3663, 1244};
ISOVMAF_TABLE(VIF_TAP, vif_taps_2, 5) = {3571, 16004, 26386, 16004, 3571};
ISOVMAF_TABLE(VIF_TAP, vif_taps_3, 3) = {10904, 43728, 10904};

// Noise variance of the eye, 2 in units of 1/65536 (Q of §3.4).
#define VIF_NOISE 131072

// Logarithms: u16 values of 2048 log2(i) for i = 32768..65535 (§3.3).
#define VIF_LOG_FIRST 32768
#define VIF_LOG_COUNT 32768
#define VIF_LOG_UNIT 2048

// log2 of the 17 bits of VIF_NOISE, in log units: 2048 * 17 (§3.4).
#define VIF_LOG_NOISE 34816

// Right shifts of the vertical sums (§3.1 and §3.2): samples of scale 0 have the video's depth, those of later scales
// have 16 bits.
ISOVMAF_FN int32_t vif_mean_shift(int32_t scale, int32_t bit_depth) { return scale == 0 ? bit_depth : 16; }
ISOVMAF_FN int32_t vif_product_shift(int32_t scale, int32_t bit_depth) { return scale == 0 ? 2 * (bit_depth - 8) : 16; }

ISOVMAF_FN int32_t vif_min(int32_t a, int32_t b) { return a < b ? a : b; }
ISOVMAF_FN int32_t vif_max(int32_t a, int32_t b) { return a < b ? b : a; }

// Index of the sample that stands for sample i of n in a filter's reach. What lies even further out is never used, and
// gets a place that exists.
ISOVMAF_FN int32_t vif_source(int32_t i, int32_t n, int32_t radius) {
    return mirror_101(vif_min(i, n - 1 + radius), n);
}

// Sum of taps times samples, rounded to u16. sum <= 65535 * 65536, so the half that is added fits.
ISOVMAF_FN uint16_t vif_round_mean(uint32_t sum, int32_t shift) {
    return uint16_t((sum + (uint32_t(1) << (shift - 1))) >> shift);
}

// Sum of taps times products of two samples, rounded; a shift of 0 leaves it as it is.
ISOVMAF_FN uint32_t vif_round_product(uint64_t sum, int32_t shift) {
    return uint32_t((sum + ((uint64_t(1) << shift) >> 1)) >> shift);
}

// The same for a sum of 65536 * high + low and a shift of at most 16. low <= 65535 * 65536, so the half fits.
ISOVMAF_FN uint32_t vif_round_product(uint32_t high, uint32_t low, int32_t shift) {
    return (high << (16 - shift)) + ((low + ((uint32_t(1) << shift) >> 1)) >> shift);
}

// Product of two unshifted means, in the units of a rounded sum of products: p(u, v) of §3.2.
ISOVMAF_FN uint32_t vif_mean_product(uint32_t u, uint32_t v) {
    return uint32_t((multiply_wide(u, v) + (uint64_t(1) << 31)) >> 32);
}

// Variances and covariance of one pixel, in units of 1/65536.
struct VifMoments {
    int32_t sigma1_sq;
    int32_t sigma2_sq;
    int32_t sigma12;
};

// sigma1_sq plus the noise. Samples beyond the bit depth make it wrap like u32.
ISOVMAF_FN uint32_t vif_noisy_variance(int32_t sigma1_sq) { return uint32_t(sigma1_sq) + uint32_t(VIF_NOISE); }

// From horizontal sums: means a and b, rounded products xx, yy and xy (§3.2). Differences wrap like u32; the variance
// of the reference may be -1 by rounding, that of the distorted picture is clamped.
ISOVMAF_FN VifMoments vif_moments(uint32_t a, uint32_t b, uint32_t xx, uint32_t yy, uint32_t xy) {
    const int32_t sigma2_sq = int32_t(yy - vif_mean_product(b, b));
    VifMoments m;
    m.sigma1_sq = int32_t(xx - vif_mean_product(a, a));
    m.sigma2_sq = sigma2_sq < 0 ? 0 : sigma2_sq;
    m.sigma12 = int32_t(xy - vif_mean_product(a, b));
    return m;
}

// How 2048 log2(v) for v >= 32768 comes from the table of vif_log_table: L(v) = table[index] + added of §3.3. Bits
// below the table's 16 are dropped.
struct VifLog {
    uint32_t index;
    int32_t added;
};

ISOVMAF_FN VifLog vif_log_of(uint64_t v) {
    const int32_t k = floor_log2(v) - 15;
    VifLog log;
    log.index = uint32_t(v >> k) - VIF_LOG_FIRST;
    log.added = VIF_LOG_UNIT * k;
    return log;
}
ISOVMAF_FN VifLog vif_log_of(uint32_t v) {
    const int32_t k = floor_log2(uint64_t(v)) - 15;
    VifLog log;
    log.index = (v >> k) - VIF_LOG_FIRST;
    log.added = VIF_LOG_UNIT * k;
    return log;
}

#if !defined(VULKAN) // has neither pointers nor, everywhere, f64: see vif.comp and vif_integer_math.h

ISOVMAF_FN int32_t vif_log(const uint16_t *table, uint64_t v) {
    const VifLog log = vif_log_of(v);
    return table[log.index] + log.added;
}

// Keeps the gain finite: 65536 * 1e-10, rounded to f64 (§3.4).
#define VIF_GAIN_EPSILON 0x1.b7cdfd9d7bdbbp-18

// How the distorted picture follows the reference at one pixel: gain, and noise variance n1 around it (§3.4).
struct VifGain {
    double gain;
    uint32_t noise;
};

// For sigma1_sq >= VIF_NOISE, sigma12 > 0 and sigma2_sq > 0. Each operation is rounded by itself, never fused.
ISOVMAF_FN VifGain vif_gain(VifMoments m) {
    const double gain = double(m.sigma12) / (double(m.sigma1_sq) + VIF_GAIN_EPSILON);
    const double explained = gain * double(m.sigma12);
    const double rest = double(m.sigma2_sq) - explained; // <= sigma2_sq; may lie below what an i32 holds
    return VifGain{gain, uint32_t(rest > 0 ? int32_t(rest) : 0) + VIF_NOISE};
}

// Power of the signal, positive. A gain of at most 100 keeps it below 2^45.
ISOVMAF_FN double vif_signal_power(VifGain g, double gain_limit, int32_t sigma1_sq) {
    const double gain = g.gain < gain_limit ? g.gain : gain_limit;
    const double squared = gain * gain;
    return squared * double(sigma1_sq);
}

// Signal plus noise, n2 of §3.4.
ISOVMAF_FN uint64_t vif_signal(VifGain g, double gain_limit, int32_t sigma1_sq) {
    return uint64_t(int64_t(vif_signal_power(g, gain_limit, sigma1_sq))) + g.noise;
}

// The same as an f64, which is exact: for devices that convert f64 to 64-bit integers in many steps.
ISOVMAF_FN double vif_signal_f64(VifGain g, double gain_limit, int32_t sigma1_sq) {
    return __builtin_trunc(vif_signal_power(g, gain_limit, sigma1_sq)) + double(g.noise);
}

// The logarithm of a whole f64 v >= 32768. The first bits of its significand are those of the integer.
ISOVMAF_FN VifLog vif_log_of(double v) {
    const uint32_t upper = uint32_t(__builtin_bit_cast(uint64_t, v) >> 32); // exponent, and 20 bits of the significand
    VifLog log;
    log.index = upper >> 5 & 0x7fff;
    log.added = VIF_LOG_UNIT * (int32_t(upper >> 20) - 1023 - 15);
    return log;
}

#endif

#endif
