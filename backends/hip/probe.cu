// SPDX-License-Identifier: BSD-2-Clause-Patent
// What a compiler has to know to build the kernels; compiled when the build directory is set up.
#include "portable/reduce.h"

ISOVMAF_KERNEL(64)
probe(int64_t *sum) {
    ISOVMAF_SHARED(int64_t, slots[ISOVMAF_REDUCE_SLOTS(64)]);
    block_add<64>(sum, group_x(), thread_x(), slots);
}
