// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels for the test of portable/reduce.h: every operation on every type, for blocks of several sizes.
#include "portable/reduce.h"
#include "tests/reduce_params.h"

// The neutral element of the operation.
template <class T>
ISOVMAF_FN T identity(ReduceSum) {
    return T(0);
}
template <class T>
ISOVMAF_FN T identity(ReduceMax) {
    return T(-1) < T(0) ? T(uint64_t(1) << (8 * sizeof(T) - 1)) : T(0);
}
template <class T>
ISOVMAF_FN T identity(ReduceMin) {
    return T(~identity<T>(ReduceMax()));
}

template <class Operation, int32_t threads, class T>
ISOVMAF_FN void reduce_one(const int64_t *elements, int32_t count, int64_t *result) {
    ISOVMAF_SHARED(T, slots[ISOVMAF_REDUCE_SLOTS(threads)]);
    const int32_t thread = thread_x();
    T value = identity<T>(Operation());
    for (int32_t i = thread; i < count; i += threads)
        value = Operation::of(value, T(elements[i]));
    value = block_reduce<Operation, threads>(value, thread, slots);
    if (thread == 0)
        *result = int64_t(value);
}

template <int32_t threads, class T>
ISOVMAF_FN void reduce_type(const int64_t *elements, int32_t count, int64_t *results) {
    reduce_one<ReduceSum, threads, T>(elements, count, results);
    reduce_one<ReduceMin, threads, T>(elements, count, results + 1);
    reduce_one<ReduceMax, threads, T>(elements, count, results + 2);
}

template <int32_t threads>
ISOVMAF_FN void reduce_all(const int64_t *elements, int64_t *results, ReduceParams p) {
    results += p.set * REDUCE_RESULTS;
    reduce_type<threads, int32_t>(elements, p.count, results);
    reduce_type<threads, uint32_t>(elements, p.count, results + 3);
    reduce_type<threads, int64_t>(elements, p.count, results + 6);
    reduce_type<threads, uint64_t>(elements, p.count, results + 9);
}

ISOVMAF_KERNEL(64) reduce_64(const int64_t *elements, int64_t *results, ReduceParams p) {
    reduce_all<64>(elements, results, p);
}
ISOVMAF_KERNEL(128) reduce_128(const int64_t *elements, int64_t *results, ReduceParams p) {
    reduce_all<128>(elements, results, p);
}
ISOVMAF_KERNEL(192) reduce_192(const int64_t *elements, int64_t *results, ReduceParams p) {
    reduce_all<192>(elements, results, p);
}
ISOVMAF_KERNEL(256) reduce_256(const int64_t *elements, int64_t *results, ReduceParams p) {
    reduce_all<256>(elements, results, p);
}
ISOVMAF_KERNEL(512) reduce_512(const int64_t *elements, int64_t *results, ReduceParams p) {
    reduce_all<512>(elements, results, p);
}
ISOVMAF_KERNEL(1024) reduce_1024(const int64_t *elements, int64_t *results, ReduceParams p) {
    reduce_all<1024>(elements, results, p);
}
