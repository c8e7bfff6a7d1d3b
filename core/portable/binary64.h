// SPDX-License-Identifier: BSD-2-Clause-Patent
// IEEE 754 binary64 in integers, with the bits of the CPU's doubles. It is for shaders: a device may lack f64, round it
// in another way or divide it roughly. A value is its bit pattern. Every operation rounds to nearest, ties to even.
//
// Range: operands are finite; operands and results are zero or normal. A result that overflows, or that is not zero and
// below 2^-1022, has unspecified bits, and so has a division by zero.
#ifndef ISOVMAF_BINARY64_H
#define ISOVMAF_BINARY64_H

#include "portable/portable.h"

#define F64_SIGN (uint64_t(1) << 63)
#define F64_LEADING (uint64_t(1) << 52) // the bit of a significand that a pattern leaves out
#define F64_BIAS 1023
#define F32_BIAS 127

// High half of the product; a * b is the low one.
ISOVMAF_FN uint64_t multiply_high(uint64_t a, uint64_t b) {
    const uint64_t a_low = uint64_t(uint32_t(a)), a_high = a >> 32;
    const uint64_t b_low = uint64_t(uint32_t(b)), b_high = b >> 32;
    const uint64_t crossed = a_low * b_high;
    const uint64_t middle = a_high * b_low + uint64_t(uint32_t(crossed)) + (a_low * b_low >> 32); // < 2^64
    return a_high * b_high + (crossed >> 32) + (middle >> 32);
}

// v >> n for n >= 0; the lowest bit is also set if a set bit was shifted out.
ISOVMAF_FN uint64_t shift_right_sticky(uint64_t v, int32_t n) {
    if (n > 63)
        return uint64_t(v != uint64_t(0));
    const uint64_t shifted = v >> n;
    return shifted | uint64_t((shifted << n) != v);
}

// |v|. A comparison with 0 would not do: Mesa turns that into an absolute value, which llvmpipe 22.3 gets wrong for 64
// bits.
ISOVMAF_FN uint64_t magnitude_of_i64(int64_t v) {
    const uint64_t sign = uint64_t(v >> 63); // no bit or all
    return (uint64_t(v) ^ sign) - sign;
}

ISOVMAF_FN bool f64_is_zero(uint64_t v) { return (v << 1) == uint64_t(0); }
ISOVMAF_FN int32_t f64_exponent(uint64_t v) { return int32_t((v >> 52) & uint64_t(0x7ff)) - F64_BIAS; }
ISOVMAF_FN uint64_t f64_significand(uint64_t v) { return (v & (F64_LEADING - uint64_t(1))) | F64_LEADING; }

// The bit pattern, without the sign, of significand · 2^(exponent - 63) in a format with `kept` bits of significand and
// that bias. Bit 63 of `significand` is set. A carry out of the rounded significand increments the exponent.
ISOVMAF_FN uint64_t binary_rounded(int32_t exponent, uint64_t significand, int32_t kept, int32_t bias) {
    const uint64_t whole = significand >> (64 - kept);
    const uint64_t rest = significand << kept; // F64_SIGN is half of the last bit kept
    const bool up = rest > F64_SIGN || (rest == F64_SIGN && (whole & uint64_t(1)) != uint64_t(0));
    return (uint64_t(exponent + bias - 1) << (kept - 1)) + whole + uint64_t(up);
}

// `sign_bit` is F64_SIGN or zero.
ISOVMAF_FN uint64_t f64_rounded(uint64_t sign_bit, int32_t exponent, uint64_t significand) {
    return sign_bit | binary_rounded(exponent, significand, 53, F64_BIAS);
}
ISOVMAF_FN uint32_t f32_rounded(uint64_t sign_bit, int32_t exponent, uint64_t significand) {
    return uint32_t(sign_bit >> 32) | uint32_t(binary_rounded(exponent, significand, 24, F32_BIAS));
}

ISOVMAF_FN uint64_t f64_of_i64(int64_t v) {
    if (v == int64_t(0))
        return uint64_t(0);
    const uint64_t magnitude = magnitude_of_i64(v);
    const int32_t exponent = floor_log2(magnitude);
    return f64_rounded(uint64_t(v) & F64_SIGN, exponent, magnitude << (63 - exponent));
}

ISOVMAF_FN uint32_t f32_of_i64(int64_t v) {
    if (v == int64_t(0))
        return 0u;
    const uint64_t magnitude = magnitude_of_i64(v);
    const int32_t exponent = floor_log2(magnitude);
    return f32_rounded(uint64_t(v) & F64_SIGN, exponent, magnitude << (63 - exponent));
}

ISOVMAF_FN uint32_t f32_of_f64(uint64_t v) {
    if (f64_is_zero(v))
        return uint32_t(v >> 32);
    return f32_rounded(v & F64_SIGN, f64_exponent(v), f64_significand(v) << 11);
}

// Exact.
ISOVMAF_FN uint64_t f64_of_f32(uint32_t v) {
    const uint64_t sign_bit = uint64_t(v >> 31) << 63, magnitude = uint64_t(v & 0x7fffffffu);
    if (magnitude == uint64_t(0))
        return sign_bit;
    return sign_bit | ((magnitude << 29) + (uint64_t(F64_BIAS - F32_BIAS) << 52));
}

// Toward zero, for |v| < 2^63.
ISOVMAF_FN int64_t f64_to_i64(uint64_t v) {
    const int32_t exponent = f64_exponent(v);
    if (exponent < 0)
        return int64_t(0);
    const uint64_t significand = f64_significand(v);
    const uint64_t magnitude = exponent < 52 ? significand >> (52 - exponent) : significand << (exponent - 52);
    return (v & F64_SIGN) != uint64_t(0) ? -int64_t(magnitude) : int64_t(magnitude);
}

// A number that grows with the value and is the same for both zeros.
ISOVMAF_FN int64_t f64_order(uint64_t v) {
    const int64_t magnitude = int64_t(v & ~F64_SIGN);
    return (v & F64_SIGN) != uint64_t(0) ? -magnitude : magnitude;
}

ISOVMAF_FN bool f64_less(uint64_t a, uint64_t b) { return f64_order(a) < f64_order(b); }

ISOVMAF_FN uint64_t f64_multiply(uint64_t a, uint64_t b) {
    const uint64_t sign_bit = (a ^ b) & F64_SIGN;
    if (f64_is_zero(a) || f64_is_zero(b))
        return sign_bit;
    const uint64_t left = f64_significand(a) << 11, right = f64_significand(b) << 11;
    uint64_t product = multiply_high(left, right) | uint64_t(left * right != uint64_t(0)); // at least 2^62
    int32_t exponent = f64_exponent(a) + f64_exponent(b) + 1;
    if (product < F64_SIGN) {
        product <<= 1;
        exponent--;
    }
    return f64_rounded(sign_bit, exponent, product);
}

// a - b is f64_add(a, b ^ F64_SIGN).
ISOVMAF_FN uint64_t f64_add(uint64_t a, uint64_t b) {
    const bool swaps = (a & ~F64_SIGN) < (b & ~F64_SIGN);
    const uint64_t more = swaps ? b : a, less = swaps ? a : b;
    if (f64_is_zero(less))
        return f64_is_zero(more) ? more & less : more; // -0 if both are
    // Ten bits follow the last bit of `more`. Either the exponents are so near that no bit is shifted out, or the
    // highest bit of the sum is at most one lower, so that the sticky bit stays below the half of the last bit kept.
    const int32_t apart = f64_exponent(more) - f64_exponent(less);
    const uint64_t large = f64_significand(more) << 10;
    const uint64_t small = shift_right_sticky(f64_significand(less) << 10, apart);
    const uint64_t sum = ((a ^ b) & F64_SIGN) == uint64_t(0) ? large + small : large - small;
    if (sum == uint64_t(0))
        return uint64_t(0);
    const int32_t highest = floor_log2(sum);
    return f64_rounded(more & F64_SIGN, f64_exponent(more) + highest - 62, sum << (63 - highest));
}

// 2^84 / divisor for a divisor of 53 bits: never too large, too small by less than 1.3 · 2^-29 of it; less than 2^32.
ISOVMAF_FN uint64_t f64_reciprocal(uint64_t divisor) {
    // The 32 leading bits, in (2^31, 2^32]: above the divisor by at most 2^-31 of it.
    const uint64_t leading = (divisor >> 21) + uint64_t(1);
    // 2^48 / leading from 16 bits: too small by at most 1.25 · 2^-15 of it, less than 2^17.
    const uint64_t rough = uint64_t(0xffffffffu / (uint32_t(divisor >> 37) + 1u));
    // Newton's step squares what is lacking, to 1.6 · 2^-30; its floor takes at most 2^-31.
    const uint64_t lacking = (uint64_t(1) << 48) - leading * rough; // at least 0, less than 2^34
    return (rough << 15) + (rough * lacking >> 33);
}

// The quotient has two digits of 28 bits. Each is estimated from below; exact remainders tell what is missing.
ISOVMAF_FN uint64_t f64_divide(uint64_t a, uint64_t b) {
    const uint64_t sign_bit = (a ^ b) & F64_SIGN;
    if (f64_is_zero(a))
        return sign_bit;
    const uint64_t divisor = f64_significand(b), reciprocal = f64_reciprocal(divisor);
    uint64_t dividend = f64_significand(a);
    int32_t exponent = f64_exponent(a) - f64_exponent(b);
    if (dividend < divisor) {
        dividend <<= 1;
        exponent--;
    }
    // dividend / divisor is in [1, 2). Its product by 2^28 exceeds the first digit by less than 2.8, so that the
    // remainder, which is calculated modulo 2^64, is less than 2^55.
    const uint64_t first = (dividend >> 22) * reciprocal >> 34;
    uint64_t remainder = (dividend << 28) - first * divisor;
    // The second digit is estimated in the same way from less than 2.8 · 2^28: less than 3.3 are missing. The loop
    // below finds up to 3.
    const uint64_t second = (remainder >> 23) * reciprocal >> 33;
    remainder = (remainder << 28) - second * divisor;
    uint64_t quotient = (first << 28) + second;
    for (int32_t missing = 2; missing > 0; missing >>= 1)
        if (remainder >= divisor * uint64_t(missing)) {
            remainder -= divisor * uint64_t(missing);
            quotient += uint64_t(missing);
        }
    // The floor of the quotient by 2^56: 57 bits.
    return f64_rounded(sign_bit, exponent, (quotient << 7) | uint64_t(remainder != uint64_t(0)));
}

#endif
