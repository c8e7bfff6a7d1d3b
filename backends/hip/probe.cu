// SPDX-License-Identifier: BSD-2-Clause-Patent
// Meson compiles this kernel while it configures, to find a compiler that can build the others.
#include "portable/reduce.h"

ISOVMAF_KERNEL(64)
probe(int64_t *sum) {
    ISOVMAF_SHARED(int64_t, slots[ISOVMAF_REDUCE_SLOTS(64)]);
    block_add<64>(sum, group_x(), thread_x(), slots);
}
