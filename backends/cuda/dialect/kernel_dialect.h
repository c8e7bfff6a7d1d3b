// SPDX-License-Identifier: BSD-2-Clause-Patent
// The dialect of portable/kernel.h for NVIDIA GPUs, compiled with nvcc.
#ifndef ISOVMAF_KERNEL_DIALECT_H
#define ISOVMAF_KERNEL_DIALECT_H

#include "portable/portable.h"
#include "portable/vectors.h"

#define ISOVMAF_KERNEL(threads) extern "C" __global__ void __launch_bounds__(threads)
#define ISOVMAF_KERNEL_RESIDENT(threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks)
#define ISOVMAF_SHARED(type, declarator) __shared__ type declarator
#define ISOVMAF_NO_UNROLL _Pragma("unroll 1")
#define ISOVMAF_PRAGMA(text) _Pragma(#text)
#define ISOVMAF_UNROLL_BY(times) ISOVMAF_PRAGMA(unroll times)
#define ISOVMAF_PAIRS 0
#define ISOVMAF_SLOW_F64 0

ISOVMAF_FN int32_t thread_x() { return int32_t(threadIdx.x); }
ISOVMAF_FN int32_t thread_y() { return int32_t(threadIdx.y); }
ISOVMAF_FN int32_t group_x() { return int32_t(blockIdx.x); }
ISOVMAF_FN int32_t group_y() { return int32_t(blockIdx.y); }
ISOVMAF_FN int32_t group_z() { return int32_t(blockIdx.z); }

ISOVMAF_FN void barrier() { __syncthreads(); }

ISOVMAF_FN int32_t wave_width() { return 32; }

ISOVMAF_FN uint32_t shuffle_down(uint32_t v, int32_t offset) {
    return __shfl_down_sync(0xffffffffu, v, (unsigned)offset);
}

#define ISOVMAF_MADE_TABLE(type, name, made)                                                                           \
    extern __device__ const type name;                                                                                 \
    __device__ const type name = made
using SharedHalf = uint16_t;

ISOVMAF_FN uint32_t pick_bytes(uint32_t a, uint32_t b, uint32_t places) { return __byte_perm(a, b, places); }

ISOVMAF_FN void multiply_bytes(int32_t (&sums)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// The steps of nvcc's own division without its branch, which exponents near the ends of the range take.
ISOVMAF_FN double divide(double a, double b) {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
    double error = __fma_rn(-b, r, 1.0);
    error = __fma_rn(error, error, error);
    r = __fma_rn(r, error, r);
    r = __fma_rn(r, __fma_rn(-b, r, 1.0), r);
    const double quotient = __dmul_rn(a, r);
    return __fma_rn(__fma_rn(-b, quotient, a), r, quotient);
}

ISOVMAF_FN double whole_part_above(double v) { return __dadd_rz(v, 0x1p52); }

template <class T>
ISOVMAF_FN T *uniform_pointer(T *p) {
    return p;
}

// In PTX, because nvcc 13.0 makes a store for each element of most vectors that are assigned.
ISOVMAF_FN void store_whole(Vector<int16_t, 4> *to, const Vector<int16_t, 4> &v) {
    asm volatile("st.global.v4.b16 [%0], {%1, %2, %3, %4};" ::"l"(to), "h"(v[0]), "h"(v[1]), "h"(v[2]), "h"(v[3])
                 : "memory");
}
ISOVMAF_FN void store_whole(Vector<int32_t, 4> *to, const Vector<int32_t, 4> &v) {
    asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3])
                 : "memory");
}

template <class T>
ISOVMAF_FN T load_element(const T *from, uint32_t i) {
    return from[i];
}

ISOVMAF_FN void atomic_add(int64_t *sum, int64_t v) { atomicAdd((unsigned long long *)sum, (unsigned long long)v); }

ISOVMAF_FN void atomic_or(uint32_t *word, uint32_t v) { atomicOr(word, v); }

ISOVMAF_FN void shared_add(uint32_t &word, uint32_t v) { atomicAdd(&word, v); }
ISOVMAF_FN void shared_min(uint32_t &word, uint32_t v) { atomicMin(&word, v); }
ISOVMAF_FN void shared_or(uint32_t &word, uint32_t v) { atomicOr(&word, v); }

#endif
