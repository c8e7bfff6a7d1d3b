// SPDX-License-Identifier: BSD-2-Clause-Patent
// Products and shifts for which AMD GPUs have one instruction each that their compiler does not always find. Elsewhere
// they are what they say.
#ifndef ISOVMAF_PRODUCTS_H
#define ISOVMAF_PRODUCTS_H

#include "portable/portable.h"

// value * factor + sum in 32 bits, for a value and a factor of at most 24 bits with their sign; the factor is the same
// in all threads of a wave. On AMD it is one instruction, four times as fast as a multiplication of 32 bits, which its
// compiler finds only where it knows the bits.
//
// multiply_add_wide is a * b + c in 64 bits, and shift_right_32 the low half of v >> n for a constant n from 1 to 31:
// one instruction each on AMD, whose compiler is kept from making several of them.
#if defined(__HIP__) && !defined(__CUDACC__)
ISOVMAF_FN int32_t multiply_add_24(int32_t value, int32_t factor, int32_t sum) {
    int32_t result;
    asm("v_mad_i32_i24 %0, %1, %2, %3" : "=v"(result) : "v"(value), "s"(factor), "v"(sum));
    return result;
}
ISOVMAF_FN uint64_t multiply_add_wide(uint32_t a, uint32_t b, uint64_t c) {
    asm("" : "+v"(a)); // nothing is known of its bits from here on
    return uint64_t(a) * b + c;
}
ISOVMAF_FN int64_t multiply_add_wide(int32_t a, int32_t b, int64_t c) {
    asm("" : "+v"(a));
    return int64_t(a) * b + c;
}
ISOVMAF_FN uint32_t shift_right_32(uint64_t v, int32_t n) {
    uint32_t low = uint32_t(v), high = uint32_t(v >> 32);
    asm("" : "+v"(low));
    asm("" : "+v"(high));
    return __builtin_amdgcn_alignbit(high, low, uint32_t(n));
}
#else
ISOVMAF_FN int32_t multiply_add_24(int32_t value, int32_t factor, int32_t sum) { return value * factor + sum; }
ISOVMAF_FN uint64_t multiply_add_wide(uint32_t a, uint32_t b, uint64_t c) { return multiply_wide(a, b) + c; }
ISOVMAF_FN int64_t multiply_add_wide(int32_t a, int32_t b, int64_t c) { return multiply_wide(a, b) + c; }
ISOVMAF_FN uint32_t shift_right_32(uint64_t v, int32_t n) { return uint32_t(v >> n); }
#endif

#endif
