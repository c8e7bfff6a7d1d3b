// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of the self-test: the dialect's arithmetic and reductions on given operands.
#include "device/self_test_math.h"
#include "device/self_test_params.h"
#include "portable/reduce.h"

ISOVMAF_KERNEL(SELF_TEST_THREADS)
self_test_probes(const SelfTestProbe *probes, uint64_t *results, SelfTestParams p) {
    const int32_t i = group_x() * SELF_TEST_THREADS + thread_x();
    if (i < p.probe_count)
        results[i] = self_test_result(probes[i]);
}

// Sum, least and greatest of the first `count` elements.
template <int32_t threads, class T>
ISOVMAF_FN void reduce_elements(const uint64_t *elements, int32_t count, uint64_t *results) {
    ISOVMAF_SHARED(T, slots[ISOVMAF_REDUCE_SLOTS(uint32_t(threads))]);
    const int32_t thread = thread_x();
    const bool counts = thread < count;
    const T element = self_test_value<T>(elements[thread]), first = self_test_value<T>(elements[0]);
    const T sum = block_reduce<ReduceSum, threads>(counts ? element : T(0), thread, slots);
    barrier();
    const T least = block_reduce<ReduceMin, threads>(counts ? element : first, thread, slots);
    barrier();
    const T greatest = block_reduce<ReduceMax, threads>(counts ? element : first, thread, slots);
    if (thread == 0) {
        results[0] = uint64_t(sum);
        results[1] = uint64_t(least);
        results[2] = uint64_t(greatest);
    }
}

template <int32_t threads>
ISOVMAF_FN void reduce_all_types(const uint64_t *elements, uint64_t *results, const SelfTestReduceParams &p) {
    const int32_t count = p.counts[group_x()];
    results += group_x() * SELF_TEST_RESULTS;
    reduce_elements<threads, int32_t>(elements, count, results);
    reduce_elements<threads, uint32_t>(elements, count, results + SELF_TEST_OPERATIONS);
    reduce_elements<threads, int64_t>(elements, count, results + 2 * SELF_TEST_OPERATIONS);
    reduce_elements<threads, uint64_t>(elements, count, results + 3 * SELF_TEST_OPERATIONS);
}

ISOVMAF_KERNEL(64) self_test_reduce_64(const uint64_t *elements, uint64_t *results, SelfTestReduceParams p) {
    reduce_all_types<64>(elements, results, p);
}
ISOVMAF_KERNEL(256) self_test_reduce_256(const uint64_t *elements, uint64_t *results, SelfTestReduceParams p) {
    reduce_all_types<256>(elements, results, p);
}
ISOVMAF_KERNEL(1024) self_test_reduce_1024(const uint64_t *elements, uint64_t *results, SelfTestReduceParams p) {
    reduce_all_types<1024>(elements, results, p);
}

// Blocks that add to one sum at the same time.
ISOVMAF_KERNEL(SELF_TEST_SUM_THREADS)
self_test_sum(const uint64_t *elements, int64_t *sum, SelfTestSumParams p) {
    ISOVMAF_SHARED(int64_t, slots[ISOVMAF_REDUCE_SLOTS(SELF_TEST_SUM_THREADS)]);
    const int32_t thread = thread_x();
    const int64_t factor = 1 + group_x() * p.step;
    block_add<SELF_TEST_SUM_THREADS>(sum, self_test_value<int64_t>(elements[thread]) * factor, thread, slots);
}

// Shared words that all threads change, and bytes and 16-bit numbers whose neighbours belong to other threads. Each bit
// of the last words is set by one thread of one of the blocks.
ISOVMAF_KERNEL(SELF_TEST_SUM_THREADS)
self_test_shared(const uint64_t *elements, uint32_t *results, SelfTestSharedParams p) {
    ISOVMAF_SHARED(uint32_t, words[3]);
    ISOVMAF_SHARED(uint8_t, bytes[SELF_TEST_SUM_THREADS]);
    ISOVMAF_SHARED(uint16_t, halves[SELF_TEST_SUM_THREADS]);
    const int32_t thread = thread_x();
    const uint32_t element = uint32_t(elements[thread]);
    if (thread < 3)
        words[thread] = thread == 1 ? ~0u : 0u;
    bytes[thread] = uint8_t(element);
    halves[thread] = uint16_t(element);
    barrier();
    shared_add(words[0], element);
    shared_min(words[1], element);
    shared_or(words[2], element & 1u << thread % 32);
    if (thread % p.groups == group_x())
        atomic_or(results + SELF_TEST_SHARED_RESULTS + thread / 32, 1u << thread % 32);
    barrier();
    if (group_x() != 0 || thread != 0)
        return;
    uint32_t byte_sum = 0, half_sum = 0;
    for (int32_t i = 0; i < SELF_TEST_SUM_THREADS; i++) {
        byte_sum += uint32_t(i) * bytes[i];
        half_sum += uint32_t(i) * halves[i];
    }
    for (int32_t i = 0; i < 3; i++)
        results[i] = words[i];
    results[3] = byte_sum;
    results[4] = half_sum;
}
