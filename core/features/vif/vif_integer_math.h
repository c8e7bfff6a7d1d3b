// SPDX-License-Identifier: BSD-2-Clause-Patent
// vif_gain and vif_signal in integers, for shaders: the same bits on every device, however it rounds f32 and f64
// (§3.4).
//
// Let s1, s2 and s12 be the moments, E = s12^2 / s1 = q + r / s1, e the epsilon and u = 2^-53. Each f64 operation
// rounds by a factor of at most 1 + u. Hence, as (e / s1)^2 < 2^-68,
//
//     gain * s12    = explained = E (1 -  e / s1 + a),  |a| < 3.01 u   (a sum, a quotient, a product)
//     gain^2 * s1   = signal    = E (1 - 2e / s1 + b),  |b| < 6.01 u   (sum and quotient twice, two products)
//
// s1 < 2^31 makes e / s1 > 6.01 u: both are less than E and q + 1. s1 >= 2^17 and q < 2^31 make 2 E e / s1 < 1/4: both
// are more than q - 1/4. So, where q < 2^31,
//
//     trunc(signal) = q                 if     r - 2 e E + s1 E b >= 0,              else q - 1;
//     trunc(s2 - explained) = s2 - q - 1  if   r -   e E + s1 E a > s1 2^-23, and s2 - q  if it is < 0,
//
// the latter unless both are negative, which makes it 0: s2 - explained < 2^31 is rounded by 2^-23 at most. Near the
// borders vif_replay does the f64 operations in integers. It does so for q >= 2^31, too, which pictures do not have,
// since s12^2 exceeds s1 s2 by roundings alone.
#ifndef ISOVMAF_VIF_INTEGER_MATH_H
#define ISOVMAF_VIF_INTEGER_MATH_H

#include "features/vif/vif_math.h"
#include "portable/binary64.h"

// VIF_GAIN_EPSILON as bits, and in units of 2^-49, rounded down.
#define VIF_GAIN_EPSILON_BITS 0x3edb7cdfd9d7bdbbul
#define VIF_GAIN_EPSILON_FIXED uint32_t(f64_significand(VIF_GAIN_EPSILON_BITS) >> 21)

// root^2 = quotient * divisor + remainder, if it is exact.
struct VifQuotient {
    uint32_t quotient;
    uint32_t remainder; // < divisor
    bool exact;
};

// For root < 2^31, 2^17 <= divisor < 2^31 and root^2 < 2^31 * divisor. `reciprocal` is an estimate of 1 / divisor. Two
// digits are estimated from it, both from below: eight roundings of 2^-23 are less than the 2^-19 that is taken off.
// The first digit is less than 2^13 too small, so the rest has less than 44 bits; the second, floor included, is less
// than 2 too small. The remainder tells whether that was so.
ISOVMAF_FN VifQuotient vif_divide_square(uint32_t root, uint32_t divisor, float reciprocal) {
    ISOVMAF_PRECISE const float below = reciprocal * (1.0f - 1.0f / 524288.0f);
    ISOVMAF_PRECISE const float first_digit = float(root) * float(root) * below;
    const uint32_t first = uint32_t(first_digit);
    uint64_t rest = multiply_wide(root, root) - multiply_wide(first, divisor);
    ISOVMAF_PRECISE const float second_digit = float(uint32_t(rest >> 12)) * (below * 4096.0f);
    const uint32_t second = uint32_t(second_digit);
    rest -= multiply_wide(second, divisor);
    const bool one_more = rest >= uint64_t(divisor);
    rest -= one_more ? uint64_t(divisor) : uint64_t(0);
    VifQuotient result;
    result.quotient = first + second + uint32_t(one_more);
    result.remainder = uint32_t(rest);
    result.exact = rest < uint64_t(divisor);
    return result;
}

// Powers at one pixel: of the signal that the reference explains in the distorted picture, and of the rest, the noise.
struct VifPowers {
    uint32_t noise;  // n1 of §3.4
    uint64_t signal; // gain^2 * sigma1_sq, rounded down, for a gain that is not limited
    uint64_t gain;   // bits of f64; 0 where it was not needed
    bool decided;    // if false, the other members are unspecified
};

ISOVMAF_FN uint32_t vif_high_product(uint32_t a, uint32_t b) { return uint32_t(multiply_wide(a, b) >> 32); }

// n1 from the explained power, rounded up: q or q + 1.
ISOVMAF_FN uint32_t vif_noise(uint32_t sigma2_sq, uint32_t explained) {
    return (sigma2_sq > explained ? sigma2_sq - explained : 0u) + VIF_NOISE;
}

// For a remainder near a border, in units of 2^-16. By its roundings, `explained` (e E) is short by less than 2 and the
// bounds s1 E |a| and s1 E |b| exceed shares of `error` by less than 2; 8 is more than all of it, doubled for `signal`.
ISOVMAF_FN VifPowers vif_decide_near(VifMoments m, VifQuotient e) {
    const uint32_t s1 = uint32_t(m.sigma1_sq), r = e.remainder << 16;
    const uint32_t epsilon = vif_high_product(e.quotient, VIF_GAIN_EPSILON_FIXED) >> 1; // e q
    const uint32_t error = vif_high_product(e.quotient, s1);                            // s1 q 2^-48, or 32 u s1 q
    const bool explained_more = r > epsilon + (error >> 3) + (s1 >> 7) + 8;
    const bool explained_less = r + (error >> 3) + 8 < epsilon;
    const bool signal_more = r > 2 * epsilon + (error >> 2) + 8;
    const bool signal_less = r + (error >> 2) + 8 < 2 * epsilon;
    VifPowers powers;
    powers.noise = vif_noise(uint32_t(m.sigma2_sq), e.quotient + uint32_t(explained_more));
    powers.signal = uint64_t(e.quotient) - uint64_t(signal_less);
    powers.gain = uint64_t(0);
    powers.decided = (explained_more || explained_less) && (signal_more || signal_less);
    return powers;
}

ISOVMAF_FN VifPowers vif_decide(VifMoments m, float reciprocal) {
    const uint32_t s1 = uint32_t(m.sigma1_sq), s12 = uint32_t(m.sigma12);
    VifPowers powers;
    powers.noise = 0u;
    powers.signal = uint64_t(0);
    powers.gain = uint64_t(0);
    powers.decided = false;
    if (multiply_wide(s12, s12) >> 31 >= uint64_t(s1))
        return powers;
    const VifQuotient e = vif_divide_square(s12, s1, reciprocal);
    // Beyond all borders of vif_decide_near: 2 epsilon + error / 4 < q.
    powers.decided = e.remainder > (e.quotient >> 16) + (s1 >> 23) + 2;
    powers.noise = vif_noise(uint32_t(m.sigma2_sq), e.quotient + 1);
    powers.signal = uint64_t(e.quotient);
    if (!powers.decided)
        powers = vif_decide_near(m, e);
    powers.decided = powers.decided && e.exact;
    return powers;
}

// The operations of vif_gain and vif_signal one by one, each rounded.
ISOVMAF_FN VifPowers vif_replay(VifMoments m) {
    const uint64_t s1 = f64_of_i64(int64_t(m.sigma1_sq)), s12 = f64_of_i64(int64_t(m.sigma12));
    VifPowers powers;
    powers.gain = f64_divide(s12, f64_add(s1, VIF_GAIN_EPSILON_BITS));
    const uint64_t explained = f64_multiply(powers.gain, s12);
    const int64_t rest = f64_to_i64(f64_add(f64_of_i64(int64_t(m.sigma2_sq)), explained ^ F64_SIGN));
    powers.noise = uint32_t(rest > int64_t(0) ? rest : int64_t(0)) + VIF_NOISE;
    powers.signal = uint64_t(f64_to_i64(f64_multiply(f64_multiply(powers.gain, powers.gain), s1)));
    powers.decided = true;
    return powers;
}

// A gain limit, in [1, 128).
struct VifLimit {
    uint64_t bits;    // of f64
    uint32_t scaled;  // in units of 2^-25, rounded down
    uint32_t inexact; // all ones if that dropped bits
    uint32_t squared; // the f64 product limit * limit: its integer part, and its fraction in units of 2^-64
    uint64_t fraction;
};

ISOVMAF_FN VifLimit vif_limit(uint64_t bits) {
    const uint64_t squared = f64_multiply(bits, bits);
    const int32_t exponent = f64_exponent(squared), shift = 27 - f64_exponent(bits);
    VifLimit limit;
    limit.bits = bits;
    limit.scaled = uint32_t(f64_significand(bits) >> shift);
    limit.inexact = (uint64_t(limit.scaled) << shift) == f64_significand(bits) ? 0u : 0xffffffffu;
    limit.squared = uint32_t(f64_significand(squared) >> (52 - exponent));
    limit.fraction = f64_significand(squared) << (12 + exponent);
    return limit;
}

// s12 <= limit * s1 makes the gain less than the limit, since e / s1 > u. From limit * (s1 + e) (1 + u) on it is not;
// that is less than limit * s1 + 2^-10.
ISOVMAF_FN bool vif_limit_is_above(VifMoments m, VifLimit limit) {
    return (uint64_t(m.sigma12) << 25) <= multiply_wide(limit.scaled, uint32_t(m.sigma1_sq));
}
ISOVMAF_FN bool vif_limit_is_reached(VifMoments m, VifLimit limit) {
    const uint64_t bound = multiply_wide(limit.scaled, uint32_t(m.sigma1_sq));
    return (uint64_t(m.sigma12) << 25) >= bound + uint64_t((uint32_t(m.sigma1_sq) & limit.inexact) + (1u << 15));
}
ISOVMAF_FN bool vif_limit_is_decided(VifMoments m, VifLimit limit) {
    return vif_limit_is_above(m, limit) || vif_limit_is_reached(m, limit);
}

// The f64 product of the squared limit and sigma1_sq, rounded down. Below 2^(k + 1) it has steps of 2^(k - 52), and
// what is not more than half of one below an integer is rounded to that; the integer is the even one of two.
ISOVMAF_FN uint64_t vif_limited_power(VifLimit limit, uint32_t sigma1_sq) {
    const uint64_t low = multiply_wide(uint32_t(limit.fraction), sigma1_sq);
    const uint64_t middle = multiply_wide(uint32_t(limit.fraction >> 32), sigma1_sq) + (low >> 32);
    const uint64_t whole = multiply_wide(limit.squared, sigma1_sq) + (middle >> 32); // < 2^45
    const uint64_t fraction = (middle << 32) | uint64_t(uint32_t(low));
    return whole + uint64_t(~fraction < (uint64_t(1) << (floor_log2(whole) + 11)));
}

// Signal plus noise, n2 of §3.4. Where the limit is not decided, the powers have a gain.
ISOVMAF_FN uint64_t vif_limited_signal(VifPowers powers, VifLimit limit, VifMoments m) {
    const bool reached = powers.gain != uint64_t(0) ? powers.gain >= limit.bits : !vif_limit_is_above(m, limit);
    const uint64_t signal = reached ? vif_limited_power(limit, uint32_t(m.sigma1_sq)) : powers.signal;
    return signal + uint64_t(powers.noise);
}

#endif
