// SPDX-License-Identifier: BSD-2-Clause-Patent
// Products and shifts for which GPUs have one instruction each that their compilers do not always find. Elsewhere they
// are what they say.
#ifndef ISOVMAF_PRODUCTS_H
#define ISOVMAF_PRODUCTS_H

#include "portable/portable.h"

// value * factor + sum in 32 bits, for a value and a factor of at most 24 bits with their sign; the factor is the same
// in all threads of a wave. On AMD it is one instruction, four times as fast as a multiplication of 32 bits, which its
// compiler finds only where it knows the bits.
//
// multiply_add_wide is a * b + c in 64 bits, and shift_right_32 the low half of v >> n for a constant n from 1 to 31:
// one instruction each on AMD, whose compiler is kept from making several of them. NVIDIA's makes four of a signed
// product where it knows that a factor is not negative.
#if defined(__HIP__) && !defined(__CUDACC__)
ISOVMAF_FN int32_t multiply_add_24(int32_t value, int32_t factor, int32_t sum) {
    int32_t result;
    asm("v_mad_i32_i24 %0, %1, %2, %3" : "=v"(result) : "v"(value), "s"(factor), "v"(sum));
    return result;
}
ISOVMAF_FN uint64_t multiply_add_wide(uint32_t a, uint32_t b, uint64_t c) {
    asm("" : "+v"(a)); // nothing is known of its bits from here on
    uint64_t sum = uint64_t(a) * b + c;
    asm("" : "+v"(sum)); // nor of where they came from
    return sum;
}
ISOVMAF_FN int64_t multiply_add_wide(int32_t a, int32_t b, int64_t c) {
    asm("" : "+v"(a));
    int64_t sum = int64_t(a) * b + c;
    asm("" : "+v"(sum));
    return sum;
}
ISOVMAF_FN uint32_t shift_right_32(uint64_t v, int32_t n) {
    asm("" : "+v"(v));
    return __builtin_amdgcn_alignbit(uint32_t(v >> 32), uint32_t(v), uint32_t(n));
}
#else
ISOVMAF_FN int32_t multiply_add_24(int32_t value, int32_t factor, int32_t sum) { return value * factor + sum; }
#if defined(__CUDACC__)
ISOVMAF_FN uint64_t multiply_add_wide(uint32_t a, uint32_t b, uint64_t c) { return multiply_wide(a, b) + c; }
ISOVMAF_FN int64_t multiply_add_wide(int32_t a, int32_t b, int64_t c) {
    int64_t product;
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
    return product + c;
}
#else
ISOVMAF_FN uint64_t multiply_add_wide(uint32_t a, uint32_t b, uint64_t c) { return multiply_wide(a, b) + c; }
ISOVMAF_FN int64_t multiply_add_wide(int32_t a, int32_t b, int64_t c) { return multiply_wide(a, b) + c; }
#endif
ISOVMAF_FN uint32_t shift_right_32(uint64_t v, int32_t n) { return uint32_t(v >> n); }
#endif

// The sum of a word's four bytes and of `sum`: one instruction on AMD and on NVIDIA.
#if defined(__CUDACC__)
ISOVMAF_FN uint32_t add_bytes(uint32_t word, uint32_t sum) { return __dp4a(word, 0x01010101u, sum); }
#elif defined(__HIP__)
ISOVMAF_FN uint32_t add_bytes(uint32_t word, uint32_t sum) { return __builtin_amdgcn_sad_u8(word, 0u, sum); }
#else
ISOVMAF_FN uint32_t add_bytes(uint32_t word, uint32_t sum) {
    const uint32_t pairs = (word & 0x00ff00ffu) + (word >> 8 & 0x00ff00ffu);
    return sum + (pairs & 0xffffu) + (pairs >> 16);
}
#endif

// Pairs of signed 16-bit numbers, the halves of words: their dot products, which AMD GPUs have as one instruction
// (CDNA, RDNA 2) or as two without unpacking (RDNA 3 and 4). The stand-in computes in the same way.
#if defined(VULKAN) || defined(__CUDACC__)
#define ISOVMAF_SIGNED_PAIRS 0
#else
#define ISOVMAF_SIGNED_PAIRS 1

// The numbers a and b; of each the lower 16 bits, or the upper ones.
ISOVMAF_FN uint32_t lower_halves(uint32_t a, uint32_t b) { return (a & 0xffffu) | b << 16; }
ISOVMAF_FN uint32_t upper_halves(uint32_t a, uint32_t b) { return a >> 16 | (b & 0xffff0000u); }

// The i-th bytes of a and b, and bits 8 to 23 of each.
#if defined(__HIP__)
ISOVMAF_FN uint32_t pair_of_bytes(uint32_t a, uint32_t b, uint32_t i) {
    return __builtin_amdgcn_perm(b, a, 0x0c040c00u + i * 0x00010001u); // 0x0c is a byte of 0, and 4 b's first one
}
ISOVMAF_FN uint32_t middle_halves(uint32_t a, uint32_t b) { return __builtin_amdgcn_perm(b, a, 0x06050201u); }
#else
ISOVMAF_FN uint32_t pair_of_bytes(uint32_t a, uint32_t b, uint32_t i) {
    return (a >> 8 * i & 0xffu) | (b >> 8 * i & 0xffu) << 16;
}
ISOVMAF_FN uint32_t middle_halves(uint32_t a, uint32_t b) { return lower_halves(a >> 8, b >> 8); }
#endif

// The sum of both products and of c; b is the same in all threads of a wave.
#if defined(__HIP__)
// GPUs that multiply pairs of 16-bit integers and add both products in one instruction: the compiler has the function
// for them alone.
#if __has_builtin(__builtin_amdgcn_sdot2)
#define ISOVMAF_AMD_DOT2 1
#else
#define ISOVMAF_AMD_DOT2 0
#endif
#if ISOVMAF_AMD_DOT2
using IsovmafHalves = int16_t __attribute__((ext_vector_type(2)));
ISOVMAF_FN int32_t dot2_signed(uint32_t a, uint32_t b, int32_t c) {
    return __builtin_amdgcn_sdot2(__builtin_bit_cast(IsovmafHalves, a), __builtin_bit_cast(IsovmafHalves, b), c, false);
}
#else
ISOVMAF_FN int32_t dot2_signed(uint32_t a, uint32_t b, int32_t c) {
    int32_t sum;
    asm("v_mad_i32_i16 %0, %1, %2, %3" : "=v"(sum) : "v"(a), "s"(b), "v"(c));
    asm("v_mad_i32_i16 %0, %1, %2, %3 op_sel:[1,1,0,0]" : "=v"(sum) : "v"(a), "s"(b), "v"(sum));
    return sum;
}
#endif
#else
ISOVMAF_FN int32_t dot2_signed(uint32_t a, uint32_t b, int32_t c) {
    return int16_t(a) * int16_t(b) + int16_t(a >> 16) * int16_t(b >> 16) + c;
}
#endif
#endif

#endif
