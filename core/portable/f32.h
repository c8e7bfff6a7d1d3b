// SPDX-License-Identifier: BSD-2-Clause-Patent
// Sums, products, quotients, square roots and reciprocal roots of f32, and integers as f32, with the same bits in C++,
// HIP, CUDA and GLSL: IEEE 754 binary32, each operation rounded once to nearest, ties to even, denormals kept. Sums,
// products and quotients have infinities and NaN as IEEE 754 says; the bits of a NaN differ. Roots are those of finite
// numbers.
//
// C++, HIP and CUDA compute so by themselves, with the options that their kernels are compiled with. Vulkan promises
// correctly rounded sums and products, but a device may flush denormals and choose the zero's sign, and its quotients
// and square roots are approximations. So shaders take the device's sum or product where no denormal can have taken
// part in it, which the result shows, and do the others in integers; of quotients and square roots they take an
// estimate. That a device rounds to nearest and fuses nothing is what the self-test checks (Device::exact_f32).
#ifndef ISOVMAF_F32_H
#define ISOVMAF_F32_H

#include "portable/binary64.h"

#define F32_SIGN 0x80000000u
#define F32_LEADING 0x800000u // the bit of a significand that a pattern leaves out
#define F32_INFINITY 0x7f800000u
#define F32_NAN 0x7fc00000u // of the functions in integers
#define F32_LEAST_EXPONENT (1 - F32_BIAS)

// The functions whose names end in _bits do everything in integers, on bit patterns.

ISOVMAF_FN uint32_t f32_magnitude(uint32_t v) { return v & ~F32_SIGN; }

ISOVMAF_FN bool f32_is_nan(uint32_t v) { return f32_magnitude(v) > F32_INFINITY; }

// A finite magnitude that is not zero is significand · 2^(exponent - 23), with the significand's bit 23 set.
ISOVMAF_FN int32_t f32_exponent(uint32_t magnitude) {
    return magnitude >= F32_LEADING ? int32_t(magnitude >> 23) - F32_BIAS
                                    : F32_LEAST_EXPONENT + floor_log2(uint64_t(magnitude)) - 23;
}
ISOVMAF_FN uint32_t f32_significand(uint32_t magnitude) {
    return magnitude >= F32_LEADING ? (magnitude & (F32_LEADING - 1u)) | F32_LEADING
                                    : magnitude << (23 - floor_log2(uint64_t(magnitude)));
}

// significand · 2^(exponent - 63), whose bit 63 is set, rounded once.
ISOVMAF_FN uint32_t f32_packed(uint32_t sign_bit, int32_t exponent, uint64_t significand) {
    if (exponent < F32_LEAST_EXPONENT) {
        significand = shift_right_sticky(significand, F32_LEAST_EXPONENT - exponent);
        exponent = F32_LEAST_EXPONENT;
    }
    const uint64_t magnitude = binary_rounded(exponent, significand, 24, F32_BIAS);
    return sign_bit | (magnitude < uint64_t(F32_INFINITY) ? uint32_t(magnitude) : F32_INFINITY);
}

ISOVMAF_FN uint32_t f32_multiply_bits(uint32_t a, uint32_t b) {
    const uint32_t sign_bit = (a ^ b) & F32_SIGN, left = f32_magnitude(a), right = f32_magnitude(b);
    const uint32_t large = left < right ? right : left;
    if (large >= F32_INFINITY)
        return large > F32_INFINITY || left == 0u || right == 0u ? F32_NAN : sign_bit | F32_INFINITY;
    if (left == 0u || right == 0u)
        return sign_bit;
    uint64_t product = multiply_wide(f32_significand(left), f32_significand(right)) << 16; // at least 2^62
    int32_t exponent = f32_exponent(left) + f32_exponent(right) + 1;
    if (product < F64_SIGN) {
        product <<= 1;
        exponent--;
    }
    return f32_packed(sign_bit, exponent, product);
}

ISOVMAF_FN uint32_t f32_add_bits(uint32_t a, uint32_t b) {
    const bool swaps = f32_magnitude(a) < f32_magnitude(b);
    const uint32_t more = swaps ? b : a, less = swaps ? a : b;
    const uint32_t large = f32_magnitude(more), small = f32_magnitude(less);
    if (large >= F32_INFINITY)
        return large > F32_INFINITY || (small == large && a != b) ? F32_NAN : more;
    if (small == 0u)
        return large == 0u ? more & less : more; // -0 if both are
    // With 30 bits below the last one: what is shifted out leaves a mark that stays below half of the last bit kept.
    const int32_t exponent = f32_exponent(large);
    const uint64_t whole = uint64_t(f32_significand(large)) << 30;
    const uint64_t part = shift_right_sticky(uint64_t(f32_significand(small)) << 30, exponent - f32_exponent(small));
    const uint64_t sum = ((a ^ b) & F32_SIGN) == 0u ? whole + part : whole - part;
    if (sum == uint64_t(0))
        return 0u;
    const int32_t highest = floor_log2(sum);
    return f32_packed(more & F32_SIGN, exponent + highest - 53, sum << (63 - highest));
}

// The floor of n / d, which has 25 bits, from an estimate that is off by at most 15; d has 24 bits.
ISOVMAF_FN uint32_t f32_quotient_floor(uint64_t n, uint32_t d, uint32_t estimate) {
    const int32_t lacking = int32_t(int64_t(n) - int64_t(uint64_t(estimate) * uint64_t(d))); // less than 2^28
    const int32_t missing = lacking / int32_t(d);
    return uint32_t(int32_t(estimate) + missing - (lacking < missing * int32_t(d) ? 1 : 0));
}

// The estimate of the device's quotient of two significands times 2^shift: off by 2^-22 of it at most in Vulkan.
ISOVMAF_FN uint32_t f32_quotient_estimate(uint32_t a, uint32_t b, int32_t shift) {
#if defined(VULKAN)
    precise float quotient = float(a) / float(b);
    precise float scaled = quotient * float(1 << shift);
    return uint32_t(scaled);
#else
    return uint32_t(float(a) / float(b) * float(1 << shift));
#endif
}

ISOVMAF_FN uint32_t f32_divide_bits(uint32_t a, uint32_t b) {
    const uint32_t sign_bit = (a ^ b) & F32_SIGN, left = f32_magnitude(a), right = f32_magnitude(b);
    if (left >= F32_INFINITY || right >= F32_INFINITY || left == 0u || right == 0u) {
        if (f32_is_nan(left) || f32_is_nan(right) || left == right) // 0 / 0, or one infinity by another
            return F32_NAN;
        return sign_bit | (left == F32_INFINITY || right == 0u ? F32_INFINITY : 0u);
    }
    const uint32_t dividend = f32_significand(left), divisor = f32_significand(right);
    const int32_t shift = dividend < divisor ? 25 : 24;
    const uint64_t scaled = uint64_t(dividend) << shift;
    const uint32_t quotient =
        f32_quotient_floor(scaled, divisor, f32_quotient_estimate(dividend, divisor, shift)); // 25 bits
    const bool inexact = uint64_t(quotient) * uint64_t(divisor) != scaled;
    return f32_packed(sign_bit, f32_exponent(left) - f32_exponent(right) + 24 - shift,
                      (uint64_t(quotient) << 39) | uint64_t(inexact));
}

// A quotient's bits, and whether they are right.
struct F32Quotient {
    uint32_t bits;
    bool is_right;
};

// The quotient from an estimate of its bits. An estimate that is off by at most 3 units in the last place is corrected
// by the remainder, of which 32 bits are enough. It is not right where the estimate is farther off, and may not be
// where a number is small or large or next to a power of two.
ISOVMAF_FN F32Quotient f32_corrected_quotient(uint32_t a, uint32_t b, uint32_t estimate) {
    const int32_t dividend_field = int32_t(a >> 23 & 0xffu), divisor_field = int32_t(b >> 23 & 0xffu);
    const int32_t field = int32_t(estimate >> 23 & 0xffu);
    const int32_t shift = 23 + dividend_field - divisor_field + F32_BIAS - field; // 22 to 25 for a good estimate
    const uint32_t dividend = (a & (F32_LEADING - 1u)) | F32_LEADING, divisor = (b & (F32_LEADING - 1u)) | F32_LEADING;
    const uint32_t quotient = (estimate & (F32_LEADING - 1u)) | F32_LEADING;
    const int32_t twice = int32_t(((dividend << (shift & 31)) - quotient * divisor) << 1), one = int32_t(divisor);
    const int32_t up = (twice > one ? 1 : 0) + (twice > 3 * one ? 1 : 0) + (twice > 5 * one ? 1 : 0);
    const int32_t down = (twice < -one ? 1 : 0) + (twice < -3 * one ? 1 : 0) + (twice < -5 * one ? 1 : 0);
    const int32_t rest = twice - 2 * (up - down) * one;
    const uint32_t corrected = quotient + uint32_t(up - down);
    F32Quotient result;
    result.is_right = dividend_field > 0 && dividend_field < 255 && divisor_field > 0 && divisor_field < 253 &&
                      field > 1 && field < 254 && shift >= 22 && shift <= 25 && rest <= one && rest >= -one &&
                      corrected > F32_LEADING && corrected < 2u * F32_LEADING;
    result.bits = estimate + uint32_t(up - down);
    return result;
}

// The same; where it may not be right, everything is done in integers.
ISOVMAF_FN uint32_t f32_divide_from(uint32_t a, uint32_t b, uint32_t estimate) {
    const F32Quotient quotient = f32_corrected_quotient(a, b, estimate);
    return quotient.is_right ? quotient.bits : f32_divide_bits(a, b);
}

// The floor of the square root of v, 2^48 to 2^50, from an estimate that is off by at most 15.
ISOVMAF_FN uint32_t f32_root_floor(uint64_t v, uint32_t estimate) {
    const int32_t lacking = int32_t(int64_t(v) - int64_t(uint64_t(estimate) * uint64_t(estimate))); // less than 2^30
    const int32_t missing = lacking / int32_t(2u * estimate) - (lacking < 0 ? 1 : 0); // Newton's step, rounded down
    uint32_t root = uint32_t(int32_t(estimate) + missing);                            // now off by at most 1
    if (uint64_t(root) * uint64_t(root) > v)
        root--;
    else if (uint64_t(root + 1u) * uint64_t(root + 1u) <= v)
        root++;
    return root;
}

// The estimate of the device's square root for f32_root_floor: off by 2^-21 of the root at most, Vulkan promises less.
ISOVMAF_FN uint32_t f32_root_estimate(uint32_t significand, int32_t shift) {
#if defined(VULKAN)
    precise float scaled = float(significand) * float(1 << shift); // exact
    return uint32_t(sqrt(scaled));
#else
    return uint32_t(__builtin_sqrtf(float(significand) * float(1 << shift)));
#endif
}

// Of v >= 0, -0 included.
ISOVMAF_FN uint32_t f32_sqrt_bits(uint32_t v) {
    if (f32_magnitude(v) == 0u)
        return v;
    const uint32_t significand = f32_significand(v);
    const int32_t exponent = f32_exponent(v), shift = 25 + (exponent & 1); // exponent - 23 - shift is even
    const uint64_t square = uint64_t(significand) << shift;
    const uint32_t root = f32_root_floor(square, f32_root_estimate(significand, shift)); // 25 bits
    const bool inexact = uint64_t(root) * uint64_t(root) != square;
    return f32_packed(0u, 24 + (exponent - 23 - shift) / 2, (uint64_t(root) << 39) | uint64_t(inexact));
}

// 1 / sqrt(v) for 1 <= v <= 2, rounded to a multiple of 2^-24: from v's significand, 2^23 to 2^24, the number of such
// multiples, from an estimate that is off by at most 2. m of them are less than half too many, or too few, where
// (2m - 1)^2 · significand < 2^73 < (2m + 1)^2 · significand; both differ from 2^73 by less than 2^63, so that 64 bits
// of the product tell. No result lies in the middle.
ISOVMAF_FN uint32_t f32_reciprocal_root_count(uint32_t significand, uint32_t estimate) {
    const uint64_t v = uint64_t(significand);
    uint32_t m = estimate;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < 2; i++) {
        const uint64_t step = multiply_wide(m, significand) << 2;
        const uint64_t above = uint64_t(m) * step + v; // (4m^2 + 1) · significand, modulo 2^64
        if (int64_t(above - step) > int64_t(0))
            m--;
        else if (int64_t(above + step) < int64_t(0))
            m++;
    }
    return m;
}

// The estimate of the device's reciprocal root for f32_reciprocal_root_count: off by 2^-23 at most, Vulkan promises 2
// units in the last place.
ISOVMAF_FN uint32_t f32_reciprocal_root_estimate(float v) {
#if defined(VULKAN)
    precise float scaled = inversesqrt(v) * 16777216.0f;
    return uint32_t(scaled);
#elif defined(__HIP__) && !defined(__CUDACC__)
    return uint32_t(__builtin_amdgcn_rsqf(v) * 0x1p+24F);
#else
    return uint32_t(1 / __builtin_sqrtf(v) * 0x1p+24F);
#endif
}

// An f32 as an f64, and an f64 rounded to f32, as binary64.h has them; denormals of f32 too.
ISOVMAF_FN uint64_t f64_of_f32_or_denormal(uint32_t v) {
    const uint32_t magnitude = f32_magnitude(v);
    if (magnitude >= F32_LEADING || magnitude == 0u)
        return f64_of_f32(v);
    const uint64_t fraction = uint64_t(f32_significand(magnitude) - F32_LEADING) << 29;
    return uint64_t(v >> 31) << 63 | uint64_t(f32_exponent(magnitude) + F64_BIAS) << 52 | fraction;
}
ISOVMAF_FN uint32_t f32_or_denormal_of_f64(uint64_t v) {
    const uint32_t sign_bit = uint32_t(v >> 32) & F32_SIGN;
    return f64_is_zero(v) ? sign_bit : f32_packed(sign_bit, f64_exponent(v), f64_significand(v) << 11);
}

#if defined(VULKAN)

// Whether the magnitude is at least 2^(least - 127) and finite.
bool f32_is_at_least(float v, uint32_t least) {
    return (floatBitsToUint(v) >> 23 & 0xffu) - least < 255u - least; // wraps around below
}

// A denormal operand or result of a product shows in a result below 2^-125.
float f32_multiply(float a, float b) {
    precise float product = a * b;
    if (f32_is_at_least(product, 2u))
        return product;
    return uintBitsToFloat(f32_multiply_bits(floatBitsToUint(a), floatBitsToUint(b)));
}

// A sum of 2^-100 or more has at most one denormal operand, which is less than half of the other one's last bit.
float f32_add(float a, float b) {
    precise float sum = a + b;
    if (f32_is_at_least(sum, 27u))
        return sum;
    return uintBitsToFloat(f32_add_bits(floatBitsToUint(a), floatBitsToUint(b)));
}

float f32_subtract(float a, float b) { return f32_add(a, uintBitsToFloat(floatBitsToUint(b) ^ F32_SIGN)); }
float f32_divide(float a, float b) {
    precise float quotient = a / b;
    return uintBitsToFloat(f32_divide_from(floatBitsToUint(a), floatBitsToUint(b), floatBitsToUint(quotient)));
}
float f32_sqrt(float v) { return uintBitsToFloat(f32_sqrt_bits(floatBitsToUint(v))); }

// Quick operations leave out what is done in integers and note that they may not be right. So a long computation in
// shaders has no integers in its way: it begins with f32_begin_quick, is done with quick = true, and once more with
// quick = false unless f32_quick_is_right. No device declares a result right that is zero, denormal or infinite.
#define F32_QUICK_LEAVES_OUT true
bool f32_quick_right = true;
void f32_begin_quick() { f32_quick_right = true; }
bool f32_quick_is_right() { return f32_quick_right; }
float f32_multiply_as(bool quick, float a, float b) {
    if (!quick)
        return f32_multiply(a, b);
    precise float product = a * b;
    f32_quick_right = f32_quick_right && f32_is_at_least(product, 2u);
    return product;
}
float f32_add_as(bool quick, float a, float b) {
    if (!quick)
        return f32_add(a, b);
    precise float sum = a + b;
    f32_quick_right = f32_quick_right && f32_is_at_least(sum, 27u);
    return sum;
}
float f32_divide_as(bool quick, float a, float b) {
    if (!quick)
        return f32_divide(a, b);
    precise float estimate = a / b;
    const F32Quotient quotient =
        f32_corrected_quotient(floatBitsToUint(a), floatBitsToUint(b), floatBitsToUint(estimate));
    f32_quick_right = f32_quick_right && quotient.is_right;
    return uintBitsToFloat(quotient.bits);
}

// Numbers of up to 24 bits are exact; larger ones are rounded here, since a device may choose the direction.
float f32_of_u32(uint32_t v) {
    return v < 2u * F32_LEADING ? float(v) : uintBitsToFloat(f32_of_i64(int64_t(uint64_t(v))));
}

uint32_t f32_bits(float v) { return floatBitsToUint(v); }
float f32_of_bits(uint32_t v) { return uintBitsToFloat(v); }

#else

ISOVMAF_FN uint32_t f32_bits(float v) { return __builtin_bit_cast(uint32_t, v); }
ISOVMAF_FN float f32_of_bits(uint32_t v) { return __builtin_bit_cast(float, v); }

#if defined(__CUDACC__)
ISOVMAF_FN float f32_add(float a, float b) { return __fadd_rn(a, b); }
ISOVMAF_FN float f32_subtract(float a, float b) { return __fsub_rn(a, b); }
ISOVMAF_FN float f32_multiply(float a, float b) { return __fmul_rn(a, b); }
ISOVMAF_FN float f32_divide(float a, float b) { return __fdiv_rn(a, b); }
ISOVMAF_FN float f32_sqrt(float v) { return __fsqrt_rn(v); }
#else
ISOVMAF_FN float f32_add(float a, float b) { return a + b; }
ISOVMAF_FN float f32_subtract(float a, float b) { return a - b; }
ISOVMAF_FN float f32_multiply(float a, float b) { return a * b; }
ISOVMAF_FN float f32_divide(float a, float b) { return a / b; }
ISOVMAF_FN float f32_sqrt(float v) { return __builtin_sqrtf(v); }
#endif

ISOVMAF_FN float f32_of_u32(uint32_t v) { return float(v); }

#define F32_QUICK_LEAVES_OUT false // quick operations are the whole ones
ISOVMAF_FN void f32_begin_quick() {}
ISOVMAF_FN bool f32_quick_is_right() { return true; }
ISOVMAF_FN float f32_add_as(bool, float a, float b) { return f32_add(a, b); }
ISOVMAF_FN float f32_multiply_as(bool, float a, float b) { return f32_multiply(a, b); }
ISOVMAF_FN float f32_divide_as(bool, float a, float b) { return f32_divide(a, b); }

#endif

ISOVMAF_FN float f32_subtract_as(bool quick, float a, float b) {
    return f32_add_as(quick, a, f32_of_bits(f32_bits(b) ^ F32_SIGN));
}

// 1 / sqrt(v) for 1 <= v <= 2.
#if defined(__CUDACC__)
ISOVMAF_FN float f32_reciprocal_root(float v) { return __frsqrt_rn(v); }
#else
ISOVMAF_FN float f32_reciprocal_root(float v) {
    const uint32_t count =
        f32_reciprocal_root_count(f32_significand(f32_bits(v)) << (v >= 2.0f ? 1 : 0), f32_reciprocal_root_estimate(v));
    return f32_of_bits(f32_bits(float(count)) - (24u << 23));
}
#endif

ISOVMAF_FN float f32_negative(float v) { return f32_of_bits(f32_bits(v) ^ F32_SIGN); }

#endif
