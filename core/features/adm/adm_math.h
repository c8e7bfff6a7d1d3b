// SPDX-License-Identifier: BSD-2-Clause-Patent
// Tables and per-sample arithmetic of adm (features.md §4). Functions ending in _0 serve scale 0, whose coefficients
// are 16 bits wide and below 22932 in magnitude; the others serve scales 1 to 3, with 32 bits and below 2^31 - 2^24.
// The rounding constants that look wrong are the reference's own.
#ifndef ISOVMAF_ADM_MATH_H
#define ISOVMAF_ADM_MATH_H

#include "portable/portable.h"

#define ADM_SCALE_COUNT 4
#define ADM_TAP_COUNT 4

// Bands in the order of every sum: horizontal edges' (h), vertical edges' (v), diagonal (d).
#define ADM_BAND_COUNT 3
#define ADM_BAND_H 0
#define ADM_BAND_V 1
#define ADM_BAND_D 2

// x / 2^shift, halves up.
ISOVMAF_FN int64_t adm_round(int64_t x, int32_t shift) {
    return shift > 0 ? (x + (int64_t(1) << (shift - 1))) >> shift : x;
}
ISOVMAF_FN uint64_t adm_round_unsigned(uint64_t x, int32_t shift) {
    return shift > 0 ? (x + (uint64_t(1) << (shift - 1))) >> shift : x;
}

ISOVMAF_FN uint32_t adm_magnitude(int32_t x) { return x < 0 ? 0u - uint32_t(x) : uint32_t(x); }

// §4.1 wavelet

// Daubechies-2 filters times 2^15; the sums are 46342 and 0 (libvmaf: integer_adm.h).
ISOVMAF_TABLE(int32_t, adm_low_taps, ADM_TAP_COUNT) = {15826, 27411, 7345, -4240};
ISOVMAF_TABLE(int32_t, adm_high_taps, ADM_TAP_COUNT) = {-4240, -7345, 27411, -15826};

// Rounding shifts of scales 1 to 3. Scale 0 shifts by the bit depth vertically.
ISOVMAF_TABLE(int32_t, adm_vertical_shift, ADM_SCALE_COUNT) = {0, 0, 16, 16};
ISOVMAF_TABLE(int32_t, adm_horizontal_shift, ADM_SCALE_COUNT) = {16, 15, 16, 15};

// Centres a sample: subtracts half the range. The low-pass taps sum to 46342 and the high-pass taps to 0, so only low-pass
// sums shift, by -46342 2^(bits - 1). All sums of scale 0 stay below 2^31. A sample of more than `bit_depth` bits wraps.
ISOVMAF_FN int16_t adm_centre(int32_t value, int32_t bit_depth) {
    return int16_t(value - (int32_t(1) << (bit_depth - 1)));
}

ISOVMAF_FN int32_t adm_filter_0(const int32_t taps[ADM_TAP_COUNT], int32_t a, int32_t b, int32_t c, int32_t d) {
    return taps[0] * a + taps[1] * b + taps[2] * c + taps[3] * d;
}
ISOVMAF_FN int64_t adm_filter(const int32_t taps[ADM_TAP_COUNT], int32_t a, int32_t b, int32_t c, int32_t d) {
    return multiply_wide(taps[0], a) + multiply_wide(taps[1], b) + multiply_wide(taps[2], c) +
           multiply_wide(taps[3], d);
}

ISOVMAF_FN int16_t adm_round_vertical_0(int32_t sum, int32_t bit_depth) {
    return int16_t((sum + (int32_t(1) << (bit_depth - 1))) >> bit_depth);
}
ISOVMAF_FN int16_t adm_round_horizontal_0(int32_t sum) { return int16_t((sum + 32768) >> 16); }
ISOVMAF_FN int32_t adm_round_vertical(int64_t sum, int32_t scale) {
    return int32_t(adm_round(sum, adm_vertical_shift[scale]));
}
ISOVMAF_FN int32_t adm_round_horizontal(int64_t sum, int32_t scale) {
    return int32_t(adm_round(sum, adm_horizontal_shift[scale]));
}

// §4.3 decouple: which part of the distorted band is the reference's, weakened

#if !defined(VULKAN) // see adm_integer_math.h

// cos²(1°) as f32, widened.
static constexpr double adm_cos_1deg_squared = 0x1.ffd814p-1;

// Whether the (h, v) vectors of both pictures point the same way to within a degree: from their dot product and their
// squared lengths, which are 64-bit integers; below 2^31 at scale 0.
template <class Integer>
ISOVMAF_FN bool adm_same_direction(Integer dot, Integer reference_squared, Integer distorted_squared) {
    const double p = double(float(dot)) / 4096.0;
    const double o = double(float(reference_squared)) / 4096.0;
    const double t = double(float(distorted_squared)) / 4096.0;
    return p >= 0 && p * p >= (adm_cos_1deg_squared * o) * t;
}

#endif

// D of the specification, m <= 32768. D(0), which only multiplies zeros, is D(1).
ISOVMAF_FN int32_t adm_reciprocal(uint32_t m) { return int32_t((uint32_t(1) << 30) / (m > 0 ? m : 1)); }

// A gain in 2^-15, held to [0, 1].
ISOVMAF_FN int32_t adm_clamp_gain(int64_t k) { return k < 0 ? 0 : k > 32768 ? 32768 : int32_t(k); }

// At scale 0, r is the one of 0, o and t that lies between the others if |o| is at most this.
//
// Let m = |o| and t' be t along o. For t' <= 0 the gain is 0. For t' >= m it is 1: D m > 2^30 - m is rounded up to 2^30
// as m <= 2^14. Between them the gain is k = 2^15 t' / m + e, where D is less than 2^30 / m by less than 1 and k is
// rounded, so that -t' / 2^15 - 1 / 2 < e <= 1 / 2. Then k m / 2^15 = t' + m e / 2^15 is above t' - 1 / 2, because
// m (m / 2^15 + 1 / 2) <= 2^14, and at most t' + 1 / 4: it is rounded to t' on either side of 0.
//
// For larger |o| below 2^15, r lies between 0 and t: m e / 2^15 < 1 / 2 still, so that r is never beyond t.
#define ADM_LARGEST_EXACT_0 16384

// The restored coefficient r: o times the gain t / o. With o = 0 that is 0 for any gain.
ISOVMAF_FN int16_t adm_restore_0(int32_t o, int32_t t) {
    const int32_t d = adm_reciprocal(adm_magnitude(o));
    const int32_t k = adm_clamp_gain((multiply_wide(d, o < 0 ? -t : t) + 16384) >> 15);
    return int16_t((k * o + 16384) >> 15);
}
ISOVMAF_FN int32_t adm_restore(int32_t o, int32_t t) {
    uint32_t m = adm_magnitude(o);
    int32_t shift = 0; // brings m to 15 bits
    if (m >= 32768) {
        shift = floor_log2(m) - 14;
        m = (m + (uint32_t(1) << (shift - 1))) >> shift;
    }
    const int64_t quotient = multiply_wide(adm_reciprocal(m), o < 0 ? -t : t);
    const int32_t k = adm_clamp_gain((quotient + (int64_t(1) << (14 + shift))) >> (15 + shift));
    return int32_t((multiply_wide(k, o) + 16384) >> 15);
}

// r times the limit, truncated, held to t.
ISOVMAF_FN int32_t adm_limited_gain(int32_t r, int32_t t, int64_t x) {
    const int64_t low = x < t ? x : t;
    const int64_t high = x > t ? x : t;
    return r > 0 ? int32_t(low) : r < 0 ? int32_t(high) : 0;
}

#if !defined(VULKAN) // see adm_integer_math.h

// Enhancement limit of a pixel whose direction is kept. k > 0 of the specification need not be known: r has o's sign,
// and r = 0, the one value that k = 0 gives, stays 0 for every limit.
ISOVMAF_FN int32_t adm_limit_gain(int32_t r, int32_t t, double limit) {
    const double x = double(r) * limit;
    const double low = x < double(t) ? x : double(t);
    const double high = x > double(t) ? x : double(t);
    return r > 0 ? int32_t(low) : r < 0 ? int32_t(high) : 0;
}

#endif

// The same for a limit that is a whole number below 2^22. Then r * limit is below 2^53 and exact as a double, and
// nothing is left to truncate, so that 64-bit integers give the same.
ISOVMAF_FN int32_t adm_limit_gain_whole(int32_t r, int32_t t, int32_t limit) {
    return adm_limited_gain(r, t, multiply_wide(r, limit));
}

// §4.5 contrast sensitivity of the masking picture

ISOVMAF_TABLE(int32_t, adm_csf_shift_0, ADM_BAND_COUNT) = {15, 15, 17};
ISOVMAF_TABLE(int32_t, adm_csf_rounding_0, ADM_BAND_COUNT) = {16384, 16384, 65535}; // not 65536

// `csf` is the band's fixed-point factor: 16 bits at scale 0, 32 later.
ISOVMAF_FN int16_t adm_sensitivity_0(uint32_t csf, int32_t x, int32_t band) {
    return int16_t((int32_t(csf) * x + adm_csf_rounding_0[band]) >> adm_csf_shift_0[band]);
}
ISOVMAF_FN int32_t adm_sensitivity(uint32_t csf, int32_t x) {
    return int32_t((int64_t(csf) * x + (int64_t(1) << 27)) >> 28);
}

// |g| / 30 and 2 |g| / 30, a pixel's share in the threshold of its neighbours and its own. The second wraps at scale 0
// when |g| >= 15360. The factors are 2^12 times 16 / 15 and twice that at scale 0, 2^32 / 30 and 2^32 / 15 later.
#define ADM_NEIGHBOUR_FACTOR_0 4369
#define ADM_CENTRE_FACTOR_0 8738
#define ADM_NEIGHBOUR_FACTOR 143165577u
#define ADM_CENTRE_FACTOR 286331153u
ISOVMAF_FN int16_t adm_neighbour_share_0(int32_t g) {
    return int16_t((ADM_NEIGHBOUR_FACTOR_0 * (g < 0 ? -g : g) + 2048) >> 12);
}
ISOVMAF_FN int16_t adm_centre_share_0(int32_t g) {
    return int16_t((ADM_CENTRE_FACTOR_0 * (g < 0 ? -g : g) + 2048) >> 12);
}

// `rounding` is added before the shift (AdmShareRounding). The negative one makes -1 of zero.
#define ADM_PLUS_HALF (int64_t(1) << 31)
#define ADM_MINUS_HALF (-(int64_t(1) << 31))
ISOVMAF_FN int32_t adm_neighbour_share(int32_t g, int64_t rounding) {
    return int32_t((int64_t(multiply_wide(ADM_NEIGHBOUR_FACTOR, adm_magnitude(g))) + rounding) >> 32);
}
ISOVMAF_FN int32_t adm_centre_share(int32_t g, int64_t rounding) {
    return int32_t((int64_t(multiply_wide(ADM_CENTRE_FACTOR, adm_magnitude(g))) + rounding) >> 32);
}

// §4.6 contrast masking

ISOVMAF_TABLE(int32_t, adm_threshold_shift_0, ADM_BAND_COUNT) = {10, 10, 12};
ISOVMAF_TABLE(int32_t, adm_square_shift_0, ADM_BAND_COUNT) = {29, 29, 30};
ISOVMAF_TABLE(int32_t, adm_cube_shift_0, ADM_BAND_COUNT) = {4, 4, 3}; // taken from ceil(log2(width))
#define ADM_SQUARE_SHIFT 30

// The part of a coefficient above the masking threshold, at least 0. 32-bit wrap-around as in the reference.
ISOVMAF_FN int32_t adm_visible_0(uint32_t csf, int32_t x, int32_t threshold, int32_t band) {
    const uint32_t seen = adm_magnitude(int32_t(csf) * x);
    const int32_t rest = int32_t(seen - (uint32_t(threshold) << adm_threshold_shift_0[band]));
    return rest > 0 ? rest : 0;
}
ISOVMAF_FN int32_t adm_visible(uint32_t csf, int32_t x, int32_t threshold) {
    const int32_t rest = int32_t(adm_magnitude(adm_sensitivity(csf, x)) - uint32_t(threshold));
    return rest > 0 ? rest : 0;
}

// x³ for x >= 0, rounded after the square and after the cube.
ISOVMAF_FN int64_t adm_cube(int32_t x, int32_t square_shift, int32_t cube_shift) {
    const int32_t square = int32_t(adm_round(multiply_wide(x, x), square_shift));
    return adm_round(multiply_wide(square, x), cube_shift);
}

// §4.7 denominator

ISOVMAF_TABLE(int32_t, adm_reference_square_shift, ADM_SCALE_COUNT) = {0, 31, 30, 31}; // scales 1 to 3

ISOVMAF_FN uint64_t adm_reference_cube_0(int32_t x) {
    const uint32_t m = adm_magnitude(x);
    return multiply_wide(m * m, m);
}

// The square's rounding adds a whole unit.
ISOVMAF_FN uint64_t adm_reference_cube(int32_t x, int32_t square_shift, int32_t cube_shift) {
    const uint32_t m = adm_magnitude(x);
    const uint32_t square = uint32_t((multiply_wide(m, m) + (uint64_t(1) << square_shift)) >> square_shift);
    return adm_round_unsigned(multiply_wide(square, m), cube_shift);
}

// §4.6 and §4.7: exponents of the integer sums' scale, before the rounding shifts

ISOVMAF_TABLE(int32_t, adm_masked_exponent_0, ADM_BAND_COUNT) = {52, 52, 57};
ISOVMAF_TABLE(int32_t, adm_masked_exponent, ADM_SCALE_COUNT) = {0, 45, 39, 36};
ISOVMAF_TABLE(int32_t, adm_reference_exponent, ADM_SCALE_COUNT) = {18, 32, 27, 23};

#endif
