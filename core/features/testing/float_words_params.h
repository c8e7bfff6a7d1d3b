// SPDX-License-Identifier: BSD-2-Clause-Patent
// What the kernels of the test feature whose words are f32 are given, and its sizes.
#ifndef ISOVMAF_FLOAT_WORDS_PARAMS_H
#define ISOVMAF_FLOAT_WORDS_PARAMS_H

#include "portable/integers.h"

#define FLOAT_WORDS_BLOCK 16   // columns and rows of a block of pixels; one thread sums one up
#define FLOAT_WORDS_THREADS 64 // of a block of threads
#define FLOAT_WORDS_SUMS 4     // of the blocks: see the words' names

// Stages: the roots of the pixels, then the blocks' sums of each word.
#define FLOAT_WORDS_ROOTS 0
#define FLOAT_WORDS_BLOCK_SUMS 1

struct FloatWordsParams {
    int32_t width, height; // of the luma planes
    int32_t reference_stride_bytes, distorted_stride_bytes;
    int32_t blocks_x, blocks_y;
};

#endif
