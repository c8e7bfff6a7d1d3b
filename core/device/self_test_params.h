// SPDX-License-Identifier: BSD-2-Clause-Patent
// What the self-test hands to its kernels.
#ifndef ISOVMAF_SELF_TEST_PARAMS_H
#define ISOVMAF_SELF_TEST_PARAMS_H

#include "portable/integers.h"

#define SELF_TEST_THREADS 64
#define SELF_TEST_MOST_PROBES 256
#define SELF_TEST_ELEMENTS 1024 // what reductions and sums take theirs from
#define SELF_TEST_SUM_THREADS 256
#define SELF_TEST_SUM_GROUPS 64

// A reduction's block of each size gives this many results for each count of elements.
#define SELF_TEST_TYPES 4      // i32, u32, i64, u64
#define SELF_TEST_OPERATIONS 3 // sum, least, greatest
#define SELF_TEST_RESULTS (SELF_TEST_TYPES * SELF_TEST_OPERATIONS)

#define SELF_TEST_MOST_COUNTS 16

// What a block does with shared memory and atomics gives so many results; bits of the last ones come from all blocks.
#define SELF_TEST_SHARED_RESULTS 5 // sum, least, all bits; sums of bytes and of 16-bit numbers
#define SELF_TEST_BIT_WORDS (SELF_TEST_SUM_THREADS / 32)

struct SelfTestParams {
    int32_t probe_count;
};

struct SelfTestReduceParams {
    int32_t counts[SELF_TEST_MOST_COUNTS]; // of elements, for each block of the launch
};

struct SelfTestSumParams {
    int32_t step;
};

struct SelfTestSharedParams {
    int32_t groups;
};

#endif
