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

// The logarithm without its table: cut into segments of 4096 or 1024 values, the table's value at m of a segment that
// starts at i is 30720 + i / 16 + floor(p(m / 32768)). p is a polynomial with the f32 coefficients [0..][segment]. They
// were found by a search for coefficients that meet all 32768 values: cubic ones with and without fused multiply-adds,
// quadratic ones with them. The former are written twice, for vectors of 16 lanes.
#if !defined(VULKAN) && !defined(__CUDACC__) && !defined(__HIP__)
#define VIF_TWICE(...)                                                                                                 \
    { __VA_ARGS__, __VA_ARGS__ }
alignas(64) static constexpr float vif_log_cubics[4][16] = {
    VIF_TWICE(0x1.02b0b2p-1f, 0x1.7208fp+6f, 0x1.279edcp+7f, 0x1.5ad5e4p+7f, 0x1.5d0244p+7f, 0x1.3600dap+7f,
              0x1.d7db26p+6f, 0x1.0740bap+6f),
    VIF_TWICE(0x1.71454ep+11f, 0x1.48451p+11f, 0x1.27719ep+11f, 0x1.0c974ap+11f, 0x1.ec6ca4p+10f, 0x1.c68cbcp+10f,
              0x1.a6157p+10f, 0x1.89f1ecp+10f),
    VIF_TWICE(-0x1.6da082p+10f, -0x1.21f4dp+10f, -0x1.d5e512p+9f, -0x1.8500eep+9f, -0x1.4707e6p+9f, -0x1.16d974p+9f,
              -0x1.e11cd4p+8f, -0x1.a314d2p+8f),
    VIF_TWICE(0x1.958b78p+9f, 0x1.278a3ap+9f, 0x1.b1df26p+8f, 0x1.4e0c54p+8f, 0x1.027d92p+8f, 0x1.9b191ep+7f,
              0x1.4c9b5ep+7f, 0x1.0dff26p+7f),
};
alignas(64) static constexpr float vif_log_quadratics[3][32] = {
    {0x1.011b7ep-1f, 0x1.b6bc3cp+4f, 0x1.9d014ap+5f, 0x1.2517d8p+6f, 0x1.72081ep+6f, 0x1.b5d926p+6f, 0x1.f1073p+6f,
     0x1.1202a8p+7f, 0x1.279edp+7f,  0x1.39893p+7f,  0x1.47ef58p+7f, 0x1.52fbbp+7f,  0x1.5ad5a6p+7f, 0x1.5fa29cp+7f,
     0x1.618328p+7f, 0x1.609936p+7f, 0x1.5d0248p+7f, 0x1.56da9ep+7f, 0x1.4e3cc6p+7f, 0x1.4341bp+7f,  0x1.3600e4p+7f,
     0x1.269086p+7f, 0x1.150586p+7f, 0x1.0173ap+7f,  0x1.d7db2ap+6f, 0x1.a90a2p+6f,  0x1.7695b8p+6f, 0x1.409ddap+6f,
     0x1.074092p+6f, 0x1.95359cp+5f, 0x1.158fb8p+5f, 0x1.1f871ap+4f},
    {0x1.7146ap+11f,  0x1.66141ep+11f, 0x1.5b8cd6p+11f, 0x1.519f82p+11f, 0x1.48409ep+11f, 0x1.3f60cap+11f,
     0x1.36fcfap+11f, 0x1.2eff7cp+11f, 0x1.276e28p+11f, 0x1.203834p+11f, 0x1.195d7ap+11f, 0x1.12d2b4p+11f,
     0x1.0c9408p+11f, 0x1.06989ap+11f, 0x1.00e728p+11f, 0x1.f6e02ep+10f, 0x1.ec669ap+10f, 0x1.e25a74p+10f,
     0x1.d8b52ap+10f, 0x1.cf70bp+10f,  0x1.c68772p+10f, 0x1.bdf446p+10f, 0x1.b5b07ap+10f, 0x1.adbcbep+10f,
     0x1.a6110ep+10f, 0x1.9ea9acp+10f, 0x1.9783a4p+10f, 0x1.909b7p+10f,  0x1.89ee8ap+10f, 0x1.83797cp+10f,
     0x1.7d3974p+10f, 0x1.772e94p+10f},
    {-0x1.66e60cp+10f, -0x1.51089cp+10f, -0x1.3dc6cep+10f, -0x1.2c1fc4p+10f, -0x1.1c94e2p+10f, -0x1.0cf636p+10f,
     -0x1.004106p+10f, -0x1.e44b8ap+9f,  -0x1.cd2d46p+9f,  -0x1.b6646cp+9f,  -0x1.a2ca54p+9f,  -0x1.8fc174p+9f,
     -0x1.7dfd68p+9f,  -0x1.6c4e9ap+9f,  -0x1.5dd5d8p+9f,  -0x1.4f427ap+9f,  -0x1.41938ap+9f,  -0x1.34b6c4p+9f,
     -0x1.289bacp+9f,  -0x1.1d335cp+9f,  -0x1.127056p+9f,  -0x1.08465ep+9f,  -0x1.fc7ad2p+8f,  -0x1.eaff44p+8f,
     -0x1.d9e898p+8f,  -0x1.c99148p+8f,  -0x1.ba0eacp+8f,  -0x1.ab0502p+8f,  -0x1.9d5p+8f,     -0x1.8ffaf4p+8f,
     -0x1.831086p+8f,  -0x1.783454p+8f},
};
#undef VIF_TWICE
#endif

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

// Signal plus noise, n2 of §3.4. A gain of at most 100 keeps it below 2^45.
ISOVMAF_FN uint64_t vif_signal(VifGain g, double gain_limit, int32_t sigma1_sq) {
    const double gain = g.gain < gain_limit ? g.gain : gain_limit;
    const double squared = gain * gain;
    return uint64_t(int64_t(squared * double(sigma1_sq))) + g.noise;
}

#endif

#endif
