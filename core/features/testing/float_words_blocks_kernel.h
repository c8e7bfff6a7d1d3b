// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel for tests: every thread sums up one block of pixels in raster order.
#include "features/testing/float_words_math.h"
#include "features/testing/float_words_params.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

// The sum of the block's roots goes to sums[2 · block], that of its dim roots behind it.
ISOVMAF_FN void add_pixels(ConstU8 reference, ConstU8 distorted, U32 sums, ISOVMAF_IN(FloatWordsParams) p,
                           KernelTaps taps) {
    const int32_t block = group_x() * FLOAT_WORDS_THREADS + thread_x();
    if (block >= p.blocks_x * p.blocks_y)
        return;
    const int32_t column = block % p.blocks_x, row = block / p.blocks_x;
    const int32_t left = column * FLOAT_WORDS_BLOCK, top = row * FLOAT_WORDS_BLOCK;
    float roots = 0.0f, dim = 0.0f;
    for (int32_t y = top; y < top + FLOAT_WORDS_BLOCK && y < p.height; y++)
        for (int32_t x = left; x < left + FLOAT_WORDS_BLOCK && x < p.width; x++) {
            const int32_t r = int32_t(plane_row(ConstU8, reference, y, p.reference_stride_bytes).at[x]);
            const int32_t d = int32_t(plane_row(ConstU8, distorted, y, p.distorted_stride_bytes).at[x]);
            const float root = float_words_root(r, d);
            tap_put_f32(taps, FLOAT_WORDS_ROOTS, x, y, root);
            roots = f32_add(roots, root);
            dim = f32_add(dim, float_words_dim(root));
        }
    tap_put_f32(taps, FLOAT_WORDS_BLOCK_SUMS, column, row, roots);
    tap_put_f32(taps, FLOAT_WORDS_BLOCK_SUMS + 1, column, row, dim);
    sums.at[FLOAT_WORDS_SUMS * block] = f32_bits(roots);
    sums.at[FLOAT_WORDS_SUMS * block + 1] = f32_bits(dim);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = FLOAT_WORDS_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstU8 reference, distorted;
    U32 sums;
    ISOVMAF_TAPS_MEMBER
    FloatWordsParams p;
}
arguments;
void main() {
    add_pixels(arguments.reference, arguments.distorted, arguments.sums, arguments.p, ISOVMAF_TAPS_ARGUMENT);
}
#else
ISOVMAF_KERNEL(FLOAT_WORDS_THREADS)
ISOVMAF_KERNEL_NAME(const uint8_t *reference, const uint8_t *distorted, uint32_t *sums,
                    ISOVMAF_TAPS_PARAMETER FloatWordsParams p) {
    KERNEL_BODY::add_pixels({reference}, {distorted}, {sums}, p, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
