// SPDX-License-Identifier: BSD-2-Clause-Patent
// A block of threads that takes steps of an ordered sum (ordered_sum.h, ordered_sum_f64.h) together. For bodies of
// kernels.
#ifndef ISOVMAF_ORDERED_WALK_H
#define ISOVMAF_ORDERED_WALK_H

#include "portable/body.h"

#define ORDERED_PART_THREADS 16

// Defines step_of_threads for blocks of ORDERED_PART_THREADS² threads. It returns the step of all threads' steps, which
// follow each other, to thread 0. May be called again at once.
#define ISOVMAF_ORDERED_STEP_OF_THREADS(Step)                                                                          \
    ISOVMAF_SHARED(Step, steps_of_all[ORDERED_PART_THREADS * ORDERED_PART_THREADS]);                                   \
    ISOVMAF_SHARED(Step, steps_of_parts[ORDERED_PART_THREADS]);                                                        \
    ISOVMAF_FN Step step_of_threads(Step own) {                                                                        \
        steps_of_all[thread_x()] = own;                                                                                \
        barrier();                                                                                                     \
        if (thread_x() < ORDERED_PART_THREADS) {                                                                       \
            Step part = steps_of_all[thread_x() * ORDERED_PART_THREADS];                                               \
            for (int32_t i = 1; i < ORDERED_PART_THREADS; i++)                                                         \
                part = ordered_steps(part, steps_of_all[thread_x() * ORDERED_PART_THREADS + i]);                       \
            steps_of_parts[thread_x()] = part;                                                                         \
        }                                                                                                              \
        barrier();                                                                                                     \
        Step all = steps_of_parts[0];                                                                                  \
        if (thread_x() == 0)                                                                                           \
            for (int32_t i = 1; i < ORDERED_PART_THREADS; i++)                                                         \
                all = ordered_steps(all, steps_of_parts[i]);                                                           \
        return all;                                                                                                    \
    }

// Defines steps_taken and sum_after_steps for blocks of `threads` and sums whose bits are of the type Sum.
//
// steps_taken: of the threads' steps, which follow each other, as many as are valid for `sum`.
// sum_after_steps: `sum` after that many of these steps.
#define ISOVMAF_ORDERED_WALK(threads, Step, Sum)                                                                       \
    ISOVMAF_SHARED(Step, steps_to_take[2 * (threads)]); /* read, and written for the next level */                     \
    ISOVMAF_SHARED(Sum, sums_after[threads]);                                                                          \
    ISOVMAF_SHARED(uint32_t, valid_steps);                                                                             \
    ISOVMAF_FN int32_t steps_taken(Step own, Sum sum) {                                                                \
        if (thread_x() == 0)                                                                                           \
            valid_steps = threads;                                                                                     \
        steps_to_take[thread_x()] = own;                                                                               \
        barrier();                                                                                                     \
        int32_t level = 0;                                                                                             \
        for (int32_t distance = 1; distance < (threads); distance *= 2) {                                              \
            if (thread_x() >= distance)                                                                                \
                own = ordered_steps(steps_to_take[level + thread_x() - distance], own);                                \
            level = (threads)-level;                                                                                   \
            steps_to_take[level + thread_x()] = own;                                                                   \
            barrier();                                                                                                 \
        }                                                                                                              \
        sums_after[thread_x()] = ordered_sum_after(sum, own);                                                          \
        if (!ordered_step_is_valid(sum, own))                                                                          \
            shared_min(valid_steps, uint32_t(thread_x()));                                                             \
        barrier();                                                                                                     \
        const int32_t taken = int32_t(valid_steps);                                                                    \
        barrier();                                                                                                     \
        return taken;                                                                                                  \
    }                                                                                                                  \
    ISOVMAF_FN Sum sum_after_steps(Sum sum, int32_t taken) { return taken > 0 ? sums_after[taken - 1] : sum; }

#endif
