#version 460
// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of the test feature whose words are f32: those of float_words.cu.
//
//! kernel float_words_blocks BLOCKS=1
//! kernel float_words_total TOTAL=1
//! f32 arithmetic: float_words_blocks float_words_total
#include "portable/taps.glsl"
#include "tests/float_words_math.h"
#include "tests/float_words_params.h"

layout(local_size_x = FLOAT_WORDS_THREADS) in;

#if defined(BLOCKS)

ISOVMAF_ARGUMENTS {
    ConstU8 reference, distorted;
    U32 sums;
    ISOVMAF_TAPS_ARGUMENT
    FloatWordsParams p;
} arguments;

// Every thread sums up one block in raster order: its roots, and then its dim roots, to sums[2 · block].
void main() {
    const FloatWordsParams p = arguments.p;
    const int32_t block = group_x() * FLOAT_WORDS_THREADS + thread_x();
    if (block >= p.blocks_x * p.blocks_y)
        return;
    const int32_t column = block % p.blocks_x, row = block / p.blocks_x;
    const int32_t left = column * FLOAT_WORDS_BLOCK, top = row * FLOAT_WORDS_BLOCK;
    float roots = 0.0, dim = 0.0;
    for (int32_t y = top; y < top + FLOAT_WORDS_BLOCK && y < p.height; y++)
        for (int32_t x = left; x < left + FLOAT_WORDS_BLOCK && x < p.width; x++) {
            const int32_t r = plane_row(ConstU8, arguments.reference, y, p.reference_stride_bytes).at[x];
            const int32_t d = plane_row(ConstU8, arguments.distorted, y, p.distorted_stride_bytes).at[x];
            const float root = float_words_root(r, d);
            tap_put_f32(FLOAT_WORDS_ROOTS, x, y, root);
            roots = f32_add(roots, root);
            dim = f32_add(dim, float_words_dim(root));
        }
    tap_put_f32(FLOAT_WORDS_BLOCK_SUMS, column, row, roots);
    tap_put_f32(FLOAT_WORDS_BLOCK_SUMS + 1, column, row, dim);
    arguments.sums.at[FLOAT_WORDS_SUMS * block] = f32_bits(roots);
    arguments.sums.at[FLOAT_WORDS_SUMS * block + 1] = f32_bits(dim);
}

#else

ISOVMAF_ARGUMENTS {
    ConstU32 sums;
    I64 words;
    ISOVMAF_TAPS_ARGUMENT
    FloatWordsParams p;
} arguments;

// One thread for each word sums up the blocks in raster order.
void main() {
    const int32_t word = thread_x();
    if (word >= FLOAT_WORDS_SUMS)
        return;
    float total = 0.0;
    for (int32_t block = 0; block < arguments.p.blocks_x * arguments.p.blocks_y; block++)
        total = f32_add(total, f32_of_bits(arguments.sums.at[FLOAT_WORDS_SUMS * block + word]));
    arguments.words.at[word] = int64_t(f32_bits(total));
}

#endif
