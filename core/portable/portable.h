// SPDX-License-Identifier: BSD-2-Clause-Patent
// The dialect of `<feature>_math.h`: arithmetic written once and compiled by every backend. It has plain functions on
// sized integers and floats, tables without pointers, and no library calls. ISOVMAF_MEMBER marks member functions. Text
// that is compiled as GLSL too keeps to what integers.h says, and has no f64.
#ifndef ISOVMAF_PORTABLE_H
#define ISOVMAF_PORTABLE_H

#include "portable/integers.h"

#if defined(VULKAN)
#define ISOVMAF_FN
#define ISOVMAF_TABLE(type, name, count) const type name[count]
#elif defined(__CUDACC__)
// Without `static`: into names of internal linkage nvcc puts a digest of the folder that the source lies in.
#define ISOVMAF_FN __device__ __forceinline__
#define ISOVMAF_MEMBER ISOVMAF_FN
#define ISOVMAF_TABLE(type, name, count)                                                                               \
    extern __constant__ const type name[count];                                                                        \
    __constant__ constexpr type name[count]
#elif defined(__HIP__)
#define ISOVMAF_FN static __attribute__((device, always_inline)) inline
#define ISOVMAF_MEMBER __attribute__((device, always_inline)) inline
#define ISOVMAF_TABLE(type, name, count) static __attribute__((constant)) const type name[count]
#else
#define ISOVMAF_FN static inline
#define ISOVMAF_MEMBER inline
#define ISOVMAF_TABLE(type, name, count) static constexpr type name[count]
#endif

// Before a loop whose count is known: written out in full, so that arrays it indexes can lie in registers.
#if defined(VULKAN)
#define ISOVMAF_UNROLL [[unroll]]
#elif defined(__CUDACC__) || defined(__HIP__)
#define ISOVMAF_UNROLL _Pragma("unroll")
#else
#define ISOVMAF_UNROLL
#endif

// Before a variable in GLSL: the operations that lead to it are done one by one, as they are written. C++ compilers get
// options that say so.
#if defined(VULKAN)
#define ISOVMAF_PRECISE precise
#else
#define ISOVMAF_PRECISE
#endif

// The 64-bit product of 32-bit integers. GLSL has an operation for it, which its compilers need not find by themselves.
#if defined(VULKAN)
ISOVMAF_FN uint64_t multiply_wide(uint32_t a, uint32_t b) {
    uint32_t high, low;
    umulExtended(a, b, high, low);
    return packUint2x32(u32vec2(low, high));
}
ISOVMAF_FN int64_t multiply_wide(int32_t a, int32_t b) {
    int32_t high, low;
    imulExtended(a, b, high, low);
    return packInt2x32(i32vec2(low, high));
}
#else
ISOVMAF_FN uint64_t multiply_wide(uint32_t a, uint32_t b) { return uint64_t(a) * b; }
ISOVMAF_FN int64_t multiply_wide(int32_t a, int32_t b) { return int64_t(a) * b; }
#endif

// Position of the highest set bit of v > 0. NVIDIA has one instruction for it, and none that counts leading zeros.
#if defined(VULKAN)
ISOVMAF_FN int32_t floor_log2(uint32_t v) { return findMSB(v); }
ISOVMAF_FN int32_t floor_log2(uint64_t v) {
    const uint32_t high = uint32_t(v >> 32);
    return high != 0 ? 32 + findMSB(high) : findMSB(uint32_t(v));
}
#elif defined(__CUDACC__)
ISOVMAF_FN int32_t floor_log2(uint32_t v) {
    int32_t bit;
    asm("bfind.u32 %0, %1;" : "=r"(bit) : "r"(v));
    return bit;
}
ISOVMAF_FN int32_t floor_log2(uint64_t v) { return 63 - __clzll((long long)v); }
#else
ISOVMAF_FN int32_t floor_log2(uint32_t v) { return 31 - __builtin_clz(v); }
ISOVMAF_FN int32_t floor_log2(uint64_t v) { return 63 - __builtin_clzll(v); }
#endif

// How many bits of v are set.
#if defined(VULKAN)
ISOVMAF_FN int32_t bit_count(uint32_t v) { return bitCount(v); }
#elif defined(__CUDACC__)
ISOVMAF_FN int32_t bit_count(uint32_t v) { return __popc(v); }
#else
ISOVMAF_FN int32_t bit_count(uint32_t v) { return __builtin_popcount(v); }
#endif

#endif
