// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of the plugins' own.
#include "copy_pair_params.h"
#include "portable/kernel.h"
#include "portable/vectors.h"

// Copies bytes, and as many from a second place to another: which copy a block does is its number in y. All places are
// multiples of COPY_PAIR_BYTES.
ISOVMAF_KERNEL(COPY_PAIR_THREADS)
copy_pair(const uint8_t *first_from, uint8_t *first_to, const uint8_t *second_from, uint8_t *second_to,
          CopyPairParams p) {
    const uint8_t *const from = group_y() == 0 ? first_from : second_from;
    uint8_t *const to = group_y() == 0 ? first_to : second_to;
    const int32_t begin = (group_x() * COPY_PAIR_THREADS + thread_x()) * COPY_PAIR_BYTES;
    if (begin + COPY_PAIR_BYTES <= p.bytes) {
        store_whole((i32vec4 *)(to + begin), *(const i32vec4 *)(from + begin));
        return;
    }
    for (int32_t i = begin; i < p.bytes; i++)
        to[i] = from[i];
}
