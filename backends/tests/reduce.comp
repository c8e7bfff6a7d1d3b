#version 460
// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels for the test of portable/reduce.glsl: those of reduce.cu.
//
//! kernel reduce_64 THREADS=64
//! kernel reduce_128 THREADS=128
//! kernel reduce_192 THREADS=192
//! kernel reduce_256 THREADS=256
//! kernel reduce_512 THREADS=512
//! kernel reduce_1024 THREADS=1024
#include "portable/reduce.glsl"
#include "reduce_params.h"

layout(local_size_x = THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstI64 elements;
    I64 results;
    ReduceParams p;
} arguments;

// Defines `name`, which writes one result. `nothing` is the neutral element of the operation.
#define REDUCE_ONE(name, type, combine, nothing)                                                                       \
    ISOVMAF_BLOCK_REDUCE_IN(type##_slots, block_##name, type, THREADS, combine)                                        \
    void name(int32_t result) {                                                                                        \
        const int32_t thread = thread_x();                                                                             \
        type value = nothing;                                                                                          \
        for (int32_t i = thread; i < arguments.p.count; i += THREADS)                                                  \
            value = combine(value, type(arguments.elements.at[i]));                                                    \
        value = block_##name(value, thread);                                                                           \
        if (thread == 0)                                                                                               \
            arguments.results.at[result] = int64_t(value);                                                             \
        barrier();                                                                                                     \
    }

// Defines reduce_`type`, which writes three results.
#define REDUCE_TYPE(type, least, greatest)                                                                             \
    shared type type##_slots[THREADS];                                                                                 \
    REDUCE_ONE(type##_sum, type, ISOVMAF_SUM, type(0))                                                                 \
    REDUCE_ONE(type##_least, type, min, greatest)                                                                      \
    REDUCE_ONE(type##_greatest, type, max, least)                                                                      \
    void reduce_##type(int32_t result) {                                                                               \
        type##_sum(result);                                                                                            \
        type##_least(result + 1);                                                                                      \
        type##_greatest(result + 2);                                                                                   \
    }

REDUCE_TYPE(int32_t, int32_t(1) << 31, ~(int32_t(1) << 31))
REDUCE_TYPE(uint32_t, uint32_t(0), ~uint32_t(0))
REDUCE_TYPE(int64_t, int64_t(1) << 63, ~(int64_t(1) << 63))
REDUCE_TYPE(uint64_t, uint64_t(0), ~uint64_t(0))

void main() {
    const int32_t first = arguments.p.set * REDUCE_RESULTS;
    reduce_int32_t(first);
    reduce_uint32_t(first + 3);
    reduce_int64_t(first + 6);
    reduce_uint64_t(first + 9);
}
