// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels of a feature for tests, whose words are f32.
//
//! f32 arithmetic: float_words_blocks float_words_total

#define KERNEL float_words_blocks
#include "features/testing/float_words_blocks_kernel.h"

#define KERNEL float_words_total
#include "features/testing/float_words_total_kernel.h"
