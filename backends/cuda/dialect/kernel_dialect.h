// SPDX-License-Identifier: BSD-2-Clause-Patent
// The dialect of portable/kernel.h for NVIDIA GPUs, compiled with nvcc.
#ifndef ISOVMAF_KERNEL_DIALECT_H
#define ISOVMAF_KERNEL_DIALECT_H

#include "portable/portable.h"

#define ISOVMAF_KERNEL(threads) extern "C" __global__ void __launch_bounds__(threads)
#define ISOVMAF_SHARED(type, declarator) __shared__ type declarator
#define ISOVMAF_NO_UNROLL _Pragma("unroll 1")

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

ISOVMAF_FN void atomic_add(int64_t *sum, int64_t v) { atomicAdd((unsigned long long *)sum, (unsigned long long)v); }

#endif
