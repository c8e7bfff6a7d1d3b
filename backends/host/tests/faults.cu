// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels with one mistake each, which the stand-in has to reveal, and their correct versions.
#include "portable/reduce.h"

#define FAULT_THREADS 256

// Twice the left neighbour, twice the right neighbour, or the sum of both.
template <bool left, bool right, bool with_barrier>
ISOVMAF_FN void add_neighbours(const int32_t *in, int32_t *out) {
    ISOVMAF_SHARED(int32_t, tile[FAULT_THREADS]);
    const int32_t thread = thread_x();
    const int32_t before = (thread + FAULT_THREADS - 1) % FAULT_THREADS, after = (thread + 1) % FAULT_THREADS;
    tile[thread] = in[thread];
    if (with_barrier)
        barrier();
    out[thread] = ReduceSum::of(tile[left ? before : after], tile[right ? after : before]);
}
ISOVMAF_KERNEL(FAULT_THREADS) neighbours(const int32_t *in, int32_t *out) { add_neighbours<true, true, true>(in, out); }
ISOVMAF_KERNEL(FAULT_THREADS) neighbours_without_barrier(const int32_t *in, int32_t *out) {
    add_neighbours<true, true, false>(in, out);
}
ISOVMAF_KERNEL(FAULT_THREADS) left_without_barrier(const int32_t *in, int32_t *out) {
    add_neighbours<true, false, false>(in, out);
}
ISOVMAF_KERNEL(FAULT_THREADS) right_without_barrier(const int32_t *in, int32_t *out) {
    add_neighbours<false, true, false>(in, out);
}

// The sum of the block. Mistake: it assumes waves of 64 lanes.
ISOVMAF_KERNEL(FAULT_THREADS) sum_of_wide_waves(const int32_t *in, int32_t *out) {
    ISOVMAF_SHARED(int32_t, slots[FAULT_THREADS / 64]);
    const int32_t thread = thread_x();
    int32_t value = in[thread];
    for (int32_t offset = 32; offset > 0; offset /= 2)
        value = ReduceSum::of(value, shuffle_down(value, offset));
    if (thread % 64 == 0)
        slots[thread / 64] = value;
    barrier();
    if (thread == 0)
        for (int32_t wave = 1; wave < FAULT_THREADS / 64; wave++)
            value = ReduceSum::of(value, slots[wave]);
    if (thread == 0)
        *out = value;
}
ISOVMAF_KERNEL(FAULT_THREADS) sum_of_waves(const int32_t *in, int32_t *out) {
    ISOVMAF_SHARED(int32_t, slots[ISOVMAF_REDUCE_SLOTS(FAULT_THREADS)]);
    const int32_t sum = block_reduce<ReduceSum, FAULT_THREADS>(in[thread_x()], thread_x(), slots);
    if (thread_x() == 0)
        *out = sum;
}

// Mistake: accesses one element beyond the buffer.
ISOVMAF_KERNEL(FAULT_THREADS) reads_beyond(const int32_t *in, int32_t *out) { out[thread_x()] = in[thread_x() + 1]; }
ISOVMAF_KERNEL(FAULT_THREADS) writes_beyond(const int32_t *in, int32_t *out) { out[thread_x() + 1] = in[thread_x()]; }

// Mistake: not all threads reach the barrier or the shuffle.
ISOVMAF_KERNEL(FAULT_THREADS) barrier_of_some(const int32_t *in, int32_t *out) {
    if (in[thread_x()] != 7)
        barrier();
    out[thread_x()] = 1;
}
ISOVMAF_KERNEL(FAULT_THREADS) shuffle_of_some(const int32_t *in, int32_t *out) {
    int32_t value = in[thread_x()];
    if (value != 7)
        value = shuffle_down(value, 1);
    barrier();
    out[thread_x()] = value;
}
