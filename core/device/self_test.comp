#version 460
// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of the self-test for Vulkan: those of self_test.cu.
//
//! kernel self_test_probes PROBES=1 THREADS=SELF_TEST_THREADS
//! kernel self_test_reduce_64 REDUCTIONS=1 THREADS=64
//! kernel self_test_reduce_256 REDUCTIONS=1 THREADS=256
//! kernel self_test_reduce_1024 REDUCTIONS=1 THREADS=1024
//! kernel self_test_sum SUMS=1 THREADS=SELF_TEST_SUM_THREADS
//! kernel self_test_shared SHARED=1 THREADS=SELF_TEST_SUM_THREADS
//! f32 arithmetic: self_test_probes
#include "device/self_test_math.h"
#include "device/self_test_params.h"
#include "portable/reduce.glsl"

layout(local_size_x = THREADS) in;

#if defined(PROBES)

ISOVMAF_POINTER(Probes, SelfTestProbe, 8);
ISOVMAF_ARGUMENTS {
    ConstProbes probes;
    U64 results;
    SelfTestParams p;
} arguments;

void main() {
    const int32_t i = group_x() * THREADS + thread_x();
    if (i < arguments.p.probe_count)
        arguments.results.at[i] = self_test_result(arguments.probes.at[i]);
}

#elif defined(REDUCTIONS)

ISOVMAF_ARGUMENTS {
    ConstU64 elements;
    U64 results;
    SelfTestReduceParams p;
} arguments;

// Defines reduce_`type`: sum, least and greatest of the first `count` elements, from results[first] on.
#define REDUCE_ELEMENTS(type, room)                                                                                    \
    shared type type##_slots[THREADS];                                                                                 \
    ISOVMAF_BLOCK_REDUCE_IN(type##_slots, type##_sum, type, THREADS, ISOVMAF_SUM)                                      \
    ISOVMAF_BLOCK_REDUCE_IN(type##_slots, type##_least, type, THREADS, min)                                            \
    ISOVMAF_BLOCK_REDUCE_IN(type##_slots, type##_greatest, type, THREADS, max)                                         \
    void reduce_##type(int32_t count, int32_t first) {                                                                 \
        const int32_t thread = thread_x();                                                                             \
        const bool counts = thread < count;                                                                            \
        const type nothing = type(arguments.elements.at[0]) >> room;                                                   \
        const type element = counts ? type(arguments.elements.at[thread]) >> room : nothing;                           \
        const type sum = type##_sum(counts ? element : type(0), thread);                                               \
        barrier();                                                                                                     \
        const type least = type##_least(element, thread);                                                              \
        barrier();                                                                                                     \
        const type greatest = type##_greatest(element, thread);                                                        \
        if (thread == 0) {                                                                                             \
            arguments.results.at[first] = uint64_t(sum);                                                               \
            arguments.results.at[first + 1] = uint64_t(least);                                                         \
            arguments.results.at[first + 2] = uint64_t(greatest);                                                      \
        }                                                                                                              \
    }

REDUCE_ELEMENTS(int32_t, SELF_TEST_ROOM_I32)
REDUCE_ELEMENTS(uint32_t, 0)
REDUCE_ELEMENTS(int64_t, SELF_TEST_ROOM_I64)
REDUCE_ELEMENTS(uint64_t, 0)

void main() {
    const int32_t count = arguments.p.counts[group_x()], first = group_x() * SELF_TEST_RESULTS;
    reduce_int32_t(count, first);
    reduce_uint32_t(count, first + SELF_TEST_OPERATIONS);
    reduce_int64_t(count, first + 2 * SELF_TEST_OPERATIONS);
    reduce_uint64_t(count, first + 3 * SELF_TEST_OPERATIONS);
}

#elif defined(SUMS)

ISOVMAF_ARGUMENTS {
    ConstU64 elements;
    I64 sum;
    SelfTestSumParams p;
} arguments;

ISOVMAF_BLOCK_ADD(THREADS)

// Blocks that add to one sum at the same time.
void main() {
    const int32_t thread = thread_x();
    const int64_t factor = 1 + group_x() * arguments.p.step;
    block_add(arguments.sum, 0, (int64_t(arguments.elements.at[thread]) >> SELF_TEST_ROOM_I64) * factor, thread);
}

#elif defined(SHARED)

ISOVMAF_ARGUMENTS {
    ConstU64 elements;
    U32 results;
    SelfTestSharedParams p;
} arguments;

shared uint32_t words[3];
shared uint8_t bytes[THREADS];
shared uint16_t halves[THREADS];

// Shared words that all threads change, and bytes and 16-bit numbers whose neighbours belong to other threads. Each bit
// of the last words is set by one thread of one of the blocks.
void main() {
    const int32_t thread = thread_x();
    const uint32_t element = uint32_t(arguments.elements.at[thread]);
    if (thread < 3)
        words[thread] = thread == 1 ? ~0u : 0u;
    bytes[thread] = uint8_t(element);
    halves[thread] = uint16_t(element);
    barrier();
    shared_add(words[0], element);
    shared_min(words[1], element);
    shared_or(words[2], element & 1u << thread % 32);
    if (thread % arguments.p.groups == group_x())
        atomic_or(arguments.results, SELF_TEST_SHARED_RESULTS + thread / 32, 1u << thread % 32);
    barrier();
    if (group_x() != 0 || thread != 0)
        return;
    uint32_t byte_sum = 0u, half_sum = 0u;
    for (int32_t i = 0; i < THREADS; i++) {
        byte_sum += uint32_t(i) * uint32_t(bytes[i]);
        half_sum += uint32_t(i) * uint32_t(halves[i]);
    }
    for (int32_t i = 0; i < 3; i++)
        arguments.results.at[i] = words[i];
    arguments.results.at[3] = byte_sum;
    arguments.results.at[4] = half_sum;
}

#endif
