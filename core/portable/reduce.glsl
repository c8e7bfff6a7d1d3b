// SPDX-License-Identifier: BSD-2-Clause-Patent
// One value from all threads of a block, as in reduce.h. The threads combine their values through shared memory in two
// steps and use no subgroups, whose width differs from device to device.
#ifndef ISOVMAF_REDUCE_GLSL
#define ISOVMAF_REDUCE_GLSL

#include "portable/kernel.glsl"

// Values that one thread combines in the first step; thread 0 combines what they get.
#define ISOVMAF_REDUCE_RUN 16

// Defines the function `name` for blocks of `threads`, a multiple of ISOVMAF_REDUCE_RUN. It returns the result to
// thread 0, and parts of it to the others. All threads of the block call it with their place in the block; a thread
// without an element hands in a value that changes nothing. It may be called again after the next barrier. `combine` is
// associative and commutative.
#define ISOVMAF_BLOCK_REDUCE(name, type, threads, combine)                                                             \
    shared type name##_slots[threads];                                                                                 \
    ISOVMAF_BLOCK_REDUCE_IN(name##_slots, name, type, threads, combine)

// The same with slots of shared memory, one for each thread, that several such functions use. A barrier stands between
// their calls.
#define ISOVMAF_BLOCK_REDUCE_IN(slots, name, type, threads, combine)                                                   \
    type name(type value, int32_t thread) {                                                                            \
        const int32_t runs = (threads) / ISOVMAF_REDUCE_RUN;                                                           \
        slots[thread] = value;                                                                                         \
        barrier();                                                                                                     \
        if (thread < runs) {                                                                                           \
            for (int32_t i = 1; i < ISOVMAF_REDUCE_RUN; i++)                                                           \
                value = combine(value, slots[thread + i * runs]);                                                      \
            slots[thread] = value;                                                                                     \
        }                                                                                                              \
        barrier();                                                                                                     \
        if (thread == 0)                                                                                               \
            for (int32_t run = 1; run < runs; run++)                                                                   \
                value = combine(value, slots[run]);                                                                    \
        return value;                                                                                                  \
    }

#define ISOVMAF_SUM(a, b) ((a) + (b))

// Defines block_sum, which returns the sum of the values of a block of `threads` to thread 0, and block_add: sums[i] +=
// that sum. Values wrap around.
#define ISOVMAF_BLOCK_ADD(threads)                                                                                     \
    ISOVMAF_BLOCK_REDUCE(block_sum, int64_t, threads, ISOVMAF_SUM)                                                     \
    void block_add(I64 sums, int32_t i, int64_t value, int32_t thread) {                                               \
        const int64_t total = block_sum(value, thread);                                                                \
        if (thread == 0 && total != 0)                                                                                 \
            atomic_add(sums, i, total);                                                                                \
    }

#endif
