// SPDX-License-Identifier: BSD-2-Clause-Patent
// The dialect of `NAME_kernel.h`: the body of a kernel, written once and compiled as C++ (the host stand-in, HIP, CUDA)
// and as GLSL (Vulkan). It has the functions of portable.h and, on top of them, threads, shared memory, barriers,
// pointers, vectors, sums of a block and taps, under the same names in both languages.
//
// A feature's .cu file lists its kernels. Each one defines KERNEL, its name, and what tells it from the others, and
// includes the body, which removes these definitions at its end:
//
//     #define KERNEL blur_8
//     #define SAMPLE_BITS 8
//     #include "features/blur/blur_kernel.h"
//
// The body stands between ISOVMAF_BODY_BEGIN and ISOVMAF_BODY_END. In C++ these make a namespace, KERNEL_BODY, so that
// a file can include the body several times. Behind it follow two entry points, one a language:
//
//     #if defined(VULKAN)
//     layout(local_size_x = BLUR_THREADS) in;
//     ISOVMAF_ARGUMENTS { SAMPLES from; U16 to; ISOVMAF_TAPS_MEMBER BlurParams p; } arguments;
//     void main() { blur_tile(arguments.from, arguments.to, arguments.p, ISOVMAF_TAPS_ARGUMENT); }
//     #else
//     ISOVMAF_KERNEL(BLUR_THREADS)
//     ISOVMAF_KERNEL_NAME(const SAMPLE *from, uint16_t *to, ISOVMAF_TAPS_PARAMETER BlurParams p) {
//         KERNEL_BODY::blur_tile({from}, {to}, p, ISOVMAF_TAPS_ARGUMENT);
//     }
//     #endif
//
// Every kernel is compiled twice, with ISOVMAF_TAPS 0 and 1. With 1 its name ends in ISOVMAF_TAPS_SUFFIX (backend.h),
// it takes one more pointer, and tap_put and tap_add write what they are given; with 0 nothing of them is left.
//
// What is not common to the languages: GLSL has no references, so a function gets structures by ISOVMAF_IN and fills
// arrays by ISOVMAF_OUT or ISOVMAF_INOUT; structures have no member functions and are filled member by member;
// variables of pointer type are not const; C++ converts 8- and 16-bit values to 32 bits where GLSL has to be told.
#ifndef ISOVMAF_BODY_H
#define ISOVMAF_BODY_H

#include "portable/portable.h"

#define ISOVMAF_JOINED(a, b) a##b
#define ISOVMAF_JOIN(a, b) ISOVMAF_JOINED(a, b)

// A sample that takes 8 or 16 bits in memory, and the pointer to such samples.
#define ISOVMAF_SAMPLE(bits) ISOVMAF_JOIN(ISOVMAF_JOIN(uint, bits), _t)
#define ISOVMAF_SAMPLES(bits) ISOVMAF_JOIN(ConstU, bits)

// Whether this is the kernel with taps.
#define ISOVMAF_HAS_TAPS (ISOVMAF_TAPS != 0)

#if defined(VULKAN)

#include "portable/reduce.glsl"
#include "portable/taps.glsl"

#define ISOVMAF_BODY_BEGIN
#define ISOVMAF_BODY_END

#define ISOVMAF_CONSTANT const
#define ISOVMAF_STATIC_ASSERT(condition, text)

// Parameters of functions: a structure that is read, and arrays that are written, or read and written.
#define ISOVMAF_IN(type) type
#define ISOVMAF_OUT out
#define ISOVMAF_INOUT inout

#define ISOVMAF_SHARED(type, declarator) shared type declarator

#else

#include "portable/reduce.h"
#include "portable/taps.h"
#include "portable/vectors.h"

#ifndef ISOVMAF_TAPS
#define ISOVMAF_TAPS 0
#endif

#define KERNEL_BODY ISOVMAF_JOIN(KERNEL, _body)
#define ISOVMAF_BODY_BEGIN namespace KERNEL_BODY {
#define ISOVMAF_BODY_END }

#define ISOVMAF_CONSTANT static constexpr
#define ISOVMAF_STATIC_ASSERT(condition, text) static_assert(condition, text)

#define ISOVMAF_IN(type) const type &
#define ISOVMAF_OUT
#define ISOVMAF_INOUT

// A pointer: p.at[i] is an element.
template <class T>
struct Pointer {
    T *at;
};

// Names the pointer to elements of a type, and the one that only reads.
#define ISOVMAF_POINTER(name, type, bytes)                                                                             \
    using name = Pointer<type>;                                                                                        \
    using Const##name = Pointer<const type>;                                                                           \
    static_assert(alignof(type) == (bytes))

#include "portable/pointers.h"

template <class To, class T>
ISOVMAF_FN To pointer_moved(Pointer<T> pointer, int64_t bytes) {
    return To{(decltype(To::at))((const uint8_t *)pointer.at + bytes)};
}

// The pointer, of type `To`, `bytes` bytes on.
#define pointer_after(To, pointer, bytes) pointer_moved<To>(pointer, bytes)

// The pointer, `bytes` bytes on, which is the same for all threads of a wave.
#define uniform_pointer_after(To, pointer, bytes) uniform_moved<To>(pointer, bytes)
template <class To, class T>
ISOVMAF_FN To uniform_moved(Pointer<T> pointer, int64_t bytes) {
    return To{uniform_pointer(pointer_moved<To>(pointer, bytes).at)};
}

// pointer.at[0] = v for a vector, in one store.
template <class T>
ISOVMAF_FN void store_whole(Pointer<T> pointer, const T &v) {
    store_whole(pointer.at, v);
}

// Element i of what is the same pointer in all lanes of a wave.
template <class T>
ISOVMAF_FN T element_of(Pointer<const T> pointer, uint32_t i) {
    return load_element(pointer.at, i);
}

// The pointer to the first sample of row y of a plane whose rows are `stride_bytes` apart.
#define plane_row(To, plane, y, stride_bytes) pointer_moved<To>(plane, int64_t(y) * (stride_bytes))

// sums[i] += v, at once for all who do so; wraps around.
ISOVMAF_FN void atomic_add(I64 sums, int32_t i, int64_t v) { atomic_add(sums.at + i, v); }

// words[i] |= v, at once for all who do so.
ISOVMAF_FN void atomic_or(U32 words, int32_t i, uint32_t v) { atomic_or(words.at + i, v); }

// Defines block_sum, which returns the sum of the values of a block of `threads` to thread 0, and block_add: sums[i] +=
// that sum. Values wrap around.
#define ISOVMAF_BLOCK_ADD(threads)                                                                                     \
    ISOVMAF_SHARED(int64_t, block_add_slots[ISOVMAF_REDUCE_SLOTS(threads)]);                                           \
    ISOVMAF_FN int64_t block_sum(int64_t value, int32_t thread) {                                                      \
        return block_reduce<ReduceSum, threads>(value, thread, block_add_slots);                                       \
    }                                                                                                                  \
    ISOVMAF_FN void block_add(I64 sums, int32_t i, int64_t value, int32_t thread) {                                    \
        ::block_add<threads>(sums.at + i, value, thread, block_add_slots);                                             \
    }

#if ISOVMAF_TAPS
using KernelTaps = Taps;
#define ISOVMAF_KERNEL_NAME ISOVMAF_JOIN(KERNEL, _taps)
#define ISOVMAF_TAPS_PARAMETER int64_t *taps,
#define ISOVMAF_TAPS_ARGUMENT                                                                                          \
    KernelTaps { taps }
ISOVMAF_FN void tap_add(KernelTaps taps, int32_t stage, int32_t x, int32_t y, int64_t value) {
    atomic_add(taps.at(stage, x, y), value);
}
#else
using KernelTaps = NoTaps;
#define ISOVMAF_KERNEL_NAME KERNEL
#define ISOVMAF_TAPS_PARAMETER
#define ISOVMAF_TAPS_ARGUMENT KernelTaps()
ISOVMAF_FN void tap_add(KernelTaps, int32_t, int32_t, int32_t, int64_t) {}
#endif
ISOVMAF_FN void tap_put(KernelTaps taps, int32_t stage, int32_t x, int32_t y, int64_t value) {
    taps.put(stage, x, y, value);
}
ISOVMAF_FN void tap_put_f32(KernelTaps taps, int32_t stage, int32_t x, int32_t y, float value) {
    taps.put_f32(stage, x, y, value);
}

#endif

#endif
