// SPDX-License-Identifier: BSD-2-Clause-Patent
// The dialect of `<feature>.cu`: kernels written once and compiled for AMD GPUs, for NVIDIA GPUs and, as the host
// stand-in, for the CPU. On top of portable.h there are threads in blocks, memory that a block shares, barriers,
// shuffles within a wave and atomic sums. Nothing here has a result that depends on the wave width.
//
//     struct BlurParams { int32_t width, height; };
//     ISOVMAF_KERNEL(256) blur(const uint8_t *in, uint8_t *out, BlurParams params) {
//         ISOVMAF_SHARED(uint8_t, tile[256]);
//         ...
//     }
//
// A kernel's parameters are pointers and then at most one structure without pointers (isovmaf_dispatch in backend.h).
// A block has a multiple of 64 threads, at most 1024, and uses at most 32 KiB of shared memory. All threads of a block
// reach every barrier and all lanes of a wave every shuffle.
#ifndef ISOVMAF_KERNEL_H
#define ISOVMAF_KERNEL_H

#include "portable/portable.h"

#if defined(__CUDACC__)

#define ISOVMAF_KERNEL(threads) extern "C" __global__ void __launch_bounds__(threads)
#define ISOVMAF_SHARED(type, declarator) __shared__ type declarator
#define ISOVMAF_UNROLL _Pragma("unroll")
#define ISOVMAF_NO_UNROLL _Pragma("unroll 1")

ISOVMAF_FN int32_t thread_x() { return int32_t(threadIdx.x); }
ISOVMAF_FN int32_t thread_y() { return int32_t(threadIdx.y); }
ISOVMAF_FN int32_t group_x() { return int32_t(blockIdx.x); }
ISOVMAF_FN int32_t group_y() { return int32_t(blockIdx.y); }
ISOVMAF_FN int32_t group_z() { return int32_t(blockIdx.z); }

// Threads of the block wait for each other and see each other's writes.
ISOVMAF_FN void barrier() { __syncthreads(); }

// Lanes of a wave.
ISOVMAF_FN int32_t wave_width() { return 32; }

// v of the lane `offset` further on; unspecified beyond the wave's last lane.
ISOVMAF_FN uint32_t shuffle_down(uint32_t v, int32_t offset) {
    return __shfl_down_sync(0xffffffffu, v, (unsigned)offset);
}

// *sum += v, at once for all who do so; wraps around.
ISOVMAF_FN void atomic_add(int64_t *sum, int64_t v) { atomicAdd((unsigned long long *)sum, (unsigned long long)v); }

#elif defined(__HIP__) // clang's own builtins: no header of ROCm is needed

#define ISOVMAF_KERNEL(threads) extern "C" __attribute__((global, amdgpu_flat_work_group_size(threads, threads))) void
#define ISOVMAF_SHARED(type, declarator) __attribute__((shared)) type declarator
#define ISOVMAF_UNROLL _Pragma("unroll")
#define ISOVMAF_NO_UNROLL _Pragma("unroll 1")

ISOVMAF_FN int32_t thread_x() { return int32_t(__builtin_amdgcn_workitem_id_x()); }
ISOVMAF_FN int32_t thread_y() { return int32_t(__builtin_amdgcn_workitem_id_y()); }
ISOVMAF_FN int32_t group_x() { return int32_t(__builtin_amdgcn_workgroup_id_x()); }
ISOVMAF_FN int32_t group_y() { return int32_t(__builtin_amdgcn_workgroup_id_y()); }
ISOVMAF_FN int32_t group_z() { return int32_t(__builtin_amdgcn_workgroup_id_z()); }

ISOVMAF_FN void barrier() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

ISOVMAF_FN int32_t wave_width() { return int32_t(__builtin_amdgcn_wavefrontsize()); }

ISOVMAF_FN uint32_t shuffle_down(uint32_t v, int32_t offset) {
    const uint32_t lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    return uint32_t(__builtin_amdgcn_ds_bpermute(int32_t((lane + uint32_t(offset)) * 4), int32_t(v)));
}

ISOVMAF_FN void atomic_add(int64_t *sum, int64_t v) {
    __hip_atomic_fetch_add((uint64_t *)sum, uint64_t(v), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

#else

#include "host/simt.hpp"

// Before a loop: is written out in full, as arrays that lie in registers need, or is not.
#define ISOVMAF_UNROLL
#define ISOVMAF_NO_UNROLL

#endif

ISOVMAF_FN int32_t shuffle_down(int32_t v, int32_t offset) { return int32_t(shuffle_down(uint32_t(v), offset)); }
ISOVMAF_FN uint64_t shuffle_down(uint64_t v, int32_t offset) {
    return shuffle_down(uint32_t(v), offset) | uint64_t(shuffle_down(uint32_t(v >> 32), offset)) << 32;
}
ISOVMAF_FN int64_t shuffle_down(int64_t v, int32_t offset) { return int64_t(shuffle_down(uint64_t(v), offset)); }

// First sample of row y of a plane whose rows are `stride_bytes` apart.
template <class Sample>
ISOVMAF_FN const Sample *plane_row(const Sample *plane, int32_t y, int32_t stride_bytes) {
    return (const Sample *)((const uint8_t *)plane + int64_t(y) * stride_bytes);
}
template <class Sample>
ISOVMAF_FN Sample *plane_row(Sample *plane, int32_t y, int32_t stride_bytes) {
    return (Sample *)((uint8_t *)plane + int64_t(y) * stride_bytes);
}

#endif
