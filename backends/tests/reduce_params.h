// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters and results that reduce_test.cpp and the kernels share.
#ifndef ISOVMAF_REDUCE_PARAMS_H
#define ISOVMAF_REDUCE_PARAMS_H

#include "portable/integers.h"

// A launch writes one set of results: sum, least and greatest of int32_t, uint32_t, int64_t and uint64_t, in this order.
#define REDUCE_RESULTS 12

struct ReduceParams {
    int32_t count; // number of elements
    int32_t set;   // number of the set of results to write
};

#endif
