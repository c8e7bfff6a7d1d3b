// SPDX-License-Identifier: BSD-2-Clause-Patent
// The sums of a thread of VIF's kernels, by place in an array.
#ifndef ISOVMAF_VIF_THREAD_SUMS_H
#define ISOVMAF_VIF_THREAD_SUMS_H

#include "features/vif/vif_params.h"
#include "portable/body.h"

// All sums of a block's pixels, of which there are at most 1792, fit 32 bits: logarithms are below 2^17, and num_non
// has a sum of the lower and one of the upper 16 bits of its values.
ISOVMAF_CONSTANT int32_t den_log_sum = 0;
ISOVMAF_CONSTANT int32_t num_non_sum = 1;
ISOVMAF_CONSTANT int32_t den_non_sum = 2;
ISOVMAF_CONSTANT int32_t num_log_sums = 3;
ISOVMAF_CONSTANT int32_t num_non_upper_sum = VIF_SUMS;
ISOVMAF_CONSTANT int32_t thread_sums = VIF_SUMS + 1;

#endif
