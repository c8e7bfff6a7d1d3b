// SPDX-License-Identifier: BSD-2-Clause-Patent
// The dialect of portable/kernel.h for AMD GPUs, compiled with clang. It uses clang's own builtins, so that no header
// of ROCm is needed.
#ifndef ISOVMAF_KERNEL_DIALECT_H
#define ISOVMAF_KERNEL_DIALECT_H

#include "portable/products.h"

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

// What the compiler makes without an option of its own. Its builtin is known so late that divisions by it do not become
// shifts.
#if defined(__GFX9__)
ISOVMAF_FN int32_t wave_width() { return 64; }
#else
ISOVMAF_FN int32_t wave_width() { return 32; }
#endif

ISOVMAF_FN uint32_t shuffle_down(uint32_t v, int32_t offset) {
    const uint32_t lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    return uint32_t(__builtin_amdgcn_ds_bpermute(int32_t((lane + uint32_t(offset)) * 4), int32_t(v)));
}

// v, which is the same in all lanes of a wave, in scalar registers.
ISOVMAF_FN int64_t uniform(int64_t v) {
    const int32_t low = __builtin_amdgcn_readfirstlane(int32_t(v));
    const int32_t high = __builtin_amdgcn_readfirstlane(int32_t(v >> 32));
    return int64_t(uint64_t(uint32_t(high)) << 32 | uint32_t(low));
}

// One instruction adds the lane's 32-bit offset to the address. The compiler alone would add up 64 bits in each lane.
template <class T>
ISOVMAF_FN T load_element(const T *from, uint32_t i) {
    using GlobalByte = const __attribute__((address_space(1))) uint8_t;
    GlobalByte *const bytes = (GlobalByte *)uniform(int64_t(from));
    return *(const __attribute__((address_space(1))) T *)(bytes + uint32_t(i * sizeof(T)));
}

#if defined(__GFX9__)
#define ISOVMAF_SLOW_F64 0
#else // RDNA: an operation of f64 takes as long as 16 or 32 others
#define ISOVMAF_SLOW_F64 1
ISOVMAF_FN float estimated_reciprocal(float v) { return __builtin_amdgcn_rcpf(v); }
#endif

#define ISOVMAF_PAIRS 1
using Halves = uint16_t __attribute__((ext_vector_type(2)));

#if ISOVMAF_AMD_DOT2
ISOVMAF_FN uint32_t dot2(uint32_t a, uint32_t b, uint32_t c) {
    return __builtin_amdgcn_udot2(__builtin_bit_cast(Halves, a), __builtin_bit_cast(Halves, b), c, false);
}
ISOVMAF_FN uint32_t multiply_lower(uint32_t a, uint32_t b, uint32_t c) { return dot2(a, b, c); }
ISOVMAF_FN uint32_t multiply_upper(uint32_t a, uint32_t b, uint32_t c) { return dot2(a, b, c); }
#else
// No instruction multiplies pairs of 16-bit integers. One multiplies any two halves; the compiler does not choose it by
// itself. Its last source may be in a scalar register if it is the same in all lanes, as constants are, and if the
// instruction may read two scalar registers: on GFX9 it reads one at most.
#if defined(__GFX9__)
#define ISOVMAF_SCALAR_SUM "v"
#else
#define ISOVMAF_SCALAR_SUM "s"
#endif
#define MULTIPLY_HALVES(name, halves)                                                                                  \
    ISOVMAF_FN uint32_t name(uint32_t a, uint32_t b, uint32_t c) {                                                     \
        uint32_t sum;                                                                                                  \
        if (__builtin_constant_p(c))                                                                                   \
            asm("v_mad_u32_u16 %0, %1, %2, %3 op_sel:[" halves ",0,0]" : "=v"(sum)                                     \
                : "v"(a), "s"(b), ISOVMAF_SCALAR_SUM(c));                                                              \
        else                                                                                                           \
            asm("v_mad_u32_u16 %0, %1, %2, %3 op_sel:[" halves ",0,0]" : "=v"(sum) : "v"(a), "s"(b), "v"(c));          \
        return sum;                                                                                                    \
    }
MULTIPLY_HALVES(multiply_lower, "0,0")
MULTIPLY_HALVES(multiply_upper, "1,1")
#undef MULTIPLY_HALVES
#undef ISOVMAF_SCALAR_SUM

ISOVMAF_FN uint32_t dot2(uint32_t a, uint32_t b, uint32_t c) { return multiply_upper(a, b, multiply_lower(a, b, c)); }
#endif

ISOVMAF_FN uint32_t multiply_halves(uint32_t a, uint32_t b) {
    return __builtin_bit_cast(uint32_t, __builtin_bit_cast(Halves, a) * __builtin_bit_cast(Halves, b));
}
ISOVMAF_FN void keep_order() { __builtin_amdgcn_sched_barrier(0); }
using SharedHalf __attribute__((may_alias)) = uint16_t;
using SharedPair __attribute__((may_alias)) = uint64_t;

// Lanes of such a pointer to global memory have scalar registers in common, to which a load adds 32 bits of its own
// lane.
template <class T>
ISOVMAF_FN T *uniform_pointer(T *p) {
    auto *global = (__attribute__((address_space(1))) T *)p;
    asm("" : "+s"(global));
    return (T *)global;
}

template <class T>
ISOVMAF_FN void store_whole(T *to, const T &v) {
    *to = v;
}

ISOVMAF_FN void atomic_add(int64_t *sum, int64_t v) {
    __hip_atomic_fetch_add((uint64_t *)sum, uint64_t(v), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

ISOVMAF_FN void atomic_or(uint32_t *word, uint32_t v) {
    __hip_atomic_fetch_or(word, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

ISOVMAF_FN void shared_add(uint32_t &word, uint32_t v) {
    __hip_atomic_fetch_add(&word, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
ISOVMAF_FN void shared_min(uint32_t &word, uint32_t v) {
    __hip_atomic_fetch_min(&word, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
ISOVMAF_FN void shared_or(uint32_t &word, uint32_t v) {
    __hip_atomic_fetch_or(&word, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}

#endif
