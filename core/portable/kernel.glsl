// SPDX-License-Identifier: BSD-2-Clause-Patent
// GLSL's part of the dialect of kernels: threads, pointers, atomic sums and the arguments of a kernel for Vulkan. No
// result of these depends on the width of a subgroup, on floating point or on an option of the device.
//
// Features write their kernels once, in body.h's dialect. A kernel that exists in GLSL alone stands in a .comp file,
// which starts with one line for each kernel. The line names it and defines what tells it from the others:
//
//     //! kernel blur_8 SAMPLES=ConstU8
//     //! kernel blur_16 SAMPLES=ConstU16
//
// Each kernel is compiled with ISOVMAF_INT64_ATOMICS 0 and 1.
//
// A kernel's arguments are one uniform block: pointers and then at most one structure of `_params.h`, which std430 lays
// out as C does (isovmaf_dispatch in backend.h).
//
//     layout(local_size_x = BLUR_THREADS) in;
//     ISOVMAF_ARGUMENTS { SAMPLES from; U16 to; BlurParams p; } arguments;
#ifndef ISOVMAF_KERNEL_GLSL
#define ISOVMAF_KERNEL_GLSL

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#if ISOVMAF_INT64_ATOMICS
#extension GL_EXT_shader_atomic_int64 : require
#endif

#include "portable/portable.h"

// Before a loop that is not written out in full.
#define ISOVMAF_NO_UNROLL [[dont_unroll]]

#define ISOVMAF_SLOW_F64 1
#define ISOVMAF_PAIRS 0 // the functions of kernel.h for pairs of 16-bit numbers are not there

#define ISOVMAF_ARGUMENTS layout(set = 0, binding = 0, std430) uniform Arguments

// A pointer: p.at[i] is an element, uint64_t(p) the address. Variables of these types cannot be const.
#define ISOVMAF_POINTER(name, type, bytes)                                                                             \
    layout(buffer_reference, std430, buffer_reference_align = bytes) buffer name { type at[]; };                       \
    layout(buffer_reference, std430, buffer_reference_align = bytes) restrict readonly buffer Const##name { type at[]; }

#include "portable/pointers.h"

// The pointer, of type `Pointer`, `bytes` bytes on.
#define pointer_after(Pointer, pointer, bytes) Pointer(uint64_t(pointer) + uint64_t(bytes))

// Element i of what is the same pointer in all lanes of a subgroup.
#define element_of(pointer, i) pointer.at[i]

// pointer_after, where the result is the same for all threads of a wave.
#define uniform_pointer_after(Pointer, pointer, bytes) pointer_after(Pointer, pointer, bytes)

// pointer.at[0] = v for a vector, in one store.
#define store_whole(pointer, v) pointer.at[0] = v

// The pointer to the first sample of row y of a plane whose rows are `stride_bytes` apart.
#define plane_row(Pointer, plane, y, stride_bytes) pointer_after(Pointer, plane, int64_t(y) * int64_t(stride_bytes))

int32_t thread_x() { return int32_t(gl_LocalInvocationID.x); }
int32_t group_x() { return int32_t(gl_WorkGroupID.x); }
int32_t group_y() { return int32_t(gl_WorkGroupID.y); }
int32_t group_z() { return int32_t(gl_WorkGroupID.z); }

float estimated_reciprocal(float v) {
    precise const float reciprocal = 1.0f / v;
    return reciprocal;
}

// sums[i] += v, at once for all who do so; wraps around.
#if ISOVMAF_INT64_ATOMICS
void atomic_add(I64 sums, int32_t i, int64_t v) { atomicAdd(sums.at[i], v); }
#else
// The thread whose addition to the low half wraps adds the carry to the high half: in the end no carry is missing.
void atomic_add(I64 sums, int32_t i, int64_t v) {
    U32 halves = pointer_after(U32, sums, int64_t(i) * 8);
    const uint32_t low = uint32_t(v), before = atomicAdd(halves.at[0], low);
    const uint32_t high = uint32_t(uint64_t(v) >> 32) + (before + low < before ? 1u : 0u);
    if (high != 0)
        atomicAdd(halves.at[1], high);
}
#endif

// words[i] |= v, at once for all who do so.
void atomic_or(U32 words, int32_t i, uint32_t v) { atomicOr(words.at[i], v); }

// On a word of shared memory, at once for all threads of the block.
#define shared_add(word, v) atomicAdd(word, v)
#define shared_min(word, v) atomicMin(word, v)
#define shared_or(word, v) atomicOr(word, v)

#endif
