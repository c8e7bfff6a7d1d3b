// SPDX-License-Identifier: BSD-2-Clause-Patent
// One value from all threads of a block: sum, least or greatest of 32- and 64-bit integers. The operations are
// associative and commutative in integers that wrap around, so no result depends on the order or on the wave width.
#ifndef ISOVMAF_REDUCE_H
#define ISOVMAF_REDUCE_H

#include "portable/kernel.h"

// Elements of shared memory that a block of `threads` needs: one for each wave of the narrowest width.
#define ISOVMAF_REDUCE_SLOTS(threads) (unsigned(threads) / 32)

struct ReduceSum {
    template <class T>
    ISOVMAF_MEMBER static T of(T a, T b) {
        return T(uint64_t(a) + uint64_t(b)); // what a wave's last lanes are handed may overflow signed integers
    }
};
struct ReduceMin {
    template <class T>
    ISOVMAF_MEMBER static T of(T a, T b) {
        return b < a ? b : a;
    }
};
struct ReduceMax {
    template <class T>
    ISOVMAF_MEMBER static T of(T a, T b) {
        return a < b ? b : a;
    }
};

// Returns the result to thread 0, and parts of it to the others. All threads of the block call this with their place in
// the block; a thread without an element hands in a value that changes nothing. `slots` is shared memory, which may be
// used again after the next barrier.
template <class Operation, int32_t threads, class T>
ISOVMAF_FN T block_reduce(T value, int32_t thread, T *slots) {
    static_assert(threads % 64 == 0, "waves are full whatever their width");
    const int32_t width = wave_width();
    for (int32_t offset = width / 2; offset > 0; offset /= 2)
        value = Operation::of(value, shuffle_down(value, offset));
    if (thread % width == 0)
        slots[thread / width] = value;
    barrier();
    if (thread == 0)
        for (int32_t wave = 1; wave < threads / width; wave++)
            value = Operation::of(value, slots[wave]);
    return value;
}

// *sum += the block's values, which wrap around.
template <int32_t threads>
ISOVMAF_FN void block_add(int64_t *sum, int64_t value, int32_t thread, int64_t *slots) {
    const int64_t total = block_reduce<ReduceSum, threads>(value, thread, slots);
    if (thread == 0 && total != 0)
        atomic_add(sum, total);
}

#endif
