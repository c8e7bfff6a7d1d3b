// SPDX-License-Identifier: BSD-2-Clause-Patent
// The dialect of portable/kernel.h for AMD GPUs, compiled with clang. It uses clang's own builtins, so that no header
// of ROCm is needed.
#ifndef ISOVMAF_KERNEL_DIALECT_H
#define ISOVMAF_KERNEL_DIALECT_H

#include "portable/portable.h"

#define ISOVMAF_KERNEL(threads) extern "C" __attribute__((global, amdgpu_flat_work_group_size(threads, threads))) void
#define ISOVMAF_KERNEL_RESIDENT(threads, blocks) ISOVMAF_KERNEL(threads) // the compiler's own choice is kept
#define ISOVMAF_SHARED(type, declarator) __attribute__((shared)) type declarator
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

template <class T>
ISOVMAF_FN void store_whole(T *to, const T &v) {
    *to = v;
}

ISOVMAF_FN void atomic_add(int64_t *sum, int64_t v) {
    __hip_atomic_fetch_add((uint64_t *)sum, uint64_t(v), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

#endif
