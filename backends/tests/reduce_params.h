// SPDX-License-Identifier: BSD-2-Clause-Patent
// What reduce_test.cpp and the kernels agree on.
#ifndef ISOVMAF_REDUCE_PARAMS_H
#define ISOVMAF_REDUCE_PARAMS_H

#include "portable/integers.h"

// A launch gives a set of sum, least and greatest of int32_t, uint32_t, int64_t and uint64_t, in this order.
#define REDUCE_RESULTS 12

struct ReduceParams {
    int32_t count; // of elements
    int32_t set;   // which set of results it gives
};

#endif
