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

#endif
