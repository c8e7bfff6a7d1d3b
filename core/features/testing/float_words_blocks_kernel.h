// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels of the test feature of float_words_math.h, with and without taps.
#ifndef ISOVMAF_FLOAT_WORDS_TILE_H
#define ISOVMAF_FLOAT_WORDS_TILE_H

#include "portable/kernel.h"
#include "portable/taps.h"
#include "tests/float_words_math.h"
#include "tests/float_words_params.h"

// Every thread sums up one block in raster order: its roots, and then its dim roots, to sums[2 · block].
template <class Tap>
ISOVMAF_FN void float_words_add_pixels(const uint8_t *reference, const uint8_t *distorted, uint32_t *sums,
                                       const FloatWordsParams &p, Tap taps) {
    const int32_t block = group_x() * FLOAT_WORDS_THREADS + thread_x();
    if (block >= p.blocks_x * p.blocks_y)
        return;
    const int32_t column = block % p.blocks_x, row = block / p.blocks_x;
    const int32_t left = column * FLOAT_WORDS_BLOCK, top = row * FLOAT_WORDS_BLOCK;
    float roots = 0, dim = 0;
    for (int32_t y = top; y < top + FLOAT_WORDS_BLOCK && y < p.height; y++)
        for (int32_t x = left; x < left + FLOAT_WORDS_BLOCK && x < p.width; x++) {
            const float root = float_words_root(plane_row(reference, y, p.reference_stride_bytes)[x],
                                                plane_row(distorted, y, p.distorted_stride_bytes)[x]);
            taps.put_f32(FLOAT_WORDS_ROOTS, x, y, root);
            roots = f32_add(roots, root);
            dim = f32_add(dim, float_words_dim(root));
        }
    taps.put_f32(FLOAT_WORDS_BLOCK_SUMS, column, row, roots);
    taps.put_f32(FLOAT_WORDS_BLOCK_SUMS + 1, column, row, dim);
    sums[FLOAT_WORDS_SUMS * block] = f32_bits(roots);
    sums[FLOAT_WORDS_SUMS * block + 1] = f32_bits(dim);
}

// One thread for each word sums up the blocks in raster order.
ISOVMAF_FN void float_words_add_blocks(const uint32_t *sums, int64_t *words, const FloatWordsParams &p) {
    const int32_t word = thread_x();
    if (word >= FLOAT_WORDS_SUMS)
        return;
    float total = 0;
    for (int32_t block = 0; block < p.blocks_x * p.blocks_y; block++)
        total = f32_add(total, f32_of_bits(sums[FLOAT_WORDS_SUMS * block + word]));
    words[word] = int64_t(f32_bits(total));
}

#endif
