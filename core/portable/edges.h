// SPDX-License-Identifier: BSD-2-Clause-Patent
// Indices of the samples that stand for those outside a picture (features.md §1).
#ifndef ISOVMAF_EDGES_H
#define ISOVMAF_EDGES_H

#include "portable/portable.h"

// Mirror that repeats no edge sample on either side ("M101"): -1 -> 1, n -> n - 2. Valid for -n < i < 2n - 1.
ISOVMAF_FN int32_t mirror_101(int32_t i, int32_t n) { return i < 0 ? -i : i < n ? i : 2 * n - 2 - i; }

// Mirror that repeats the last sample but not the first ("MASYM"): -1 -> 1, n -> n - 1. Valid for -n < i < 2n.
ISOVMAF_FN int32_t mirror_asymmetric(int32_t i, int32_t n) { return i < 0 ? -i : i < n ? i : 2 * n - 1 - i; }

#endif
