// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel for tests: every thread sums up one block of pixels in raster order.
#include "features/testing/float_words_math.h"
#include "features/testing/float_words_params.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_FN float root_at(ConstU8 reference, ConstU8 distorted, ISOVMAF_IN(FloatWordsParams) p, int32_t x, int32_t y) {
    const int32_t r = int32_t(plane_row(ConstU8, reference, y, p.reference_stride_bytes).at[x]);
    const int32_t d = int32_t(plane_row(ConstU8, distorted, y, p.distorted_stride_bytes).at[x]);
    return float_words_root(r, d);
}

// The bright sum of the block's dim roots, perhaps in quick operations.
ISOVMAF_FN float bright_as(bool quick, ConstU8 reference, ConstU8 distorted, ISOVMAF_IN(FloatWordsParams) p,
                           int32_t left, int32_t top) {
    float dim = 0.0f;
    for (int32_t y = top; y < top + FLOAT_WORDS_BLOCK && y < p.height; y++)
        for (int32_t x = left; x < left + FLOAT_WORDS_BLOCK && x < p.width; x++)
            dim = f32_add_as(quick, dim, float_words_dim_as(quick, root_at(reference, distorted, p, x, y)));
    return float_words_bright_as(quick, dim);
}

// The block's sums go to sums[4 · block] and what follows.
ISOVMAF_FN void add_pixels(ConstU8 reference, ConstU8 distorted, U32 sums, ISOVMAF_IN(FloatWordsParams) p,
                           KernelTaps taps) {
    const int32_t block = group_x() * FLOAT_WORDS_THREADS + thread_x();
    if (block >= p.blocks_x * p.blocks_y)
        return;
    const int32_t column = block % p.blocks_x, row = block / p.blocks_x;
    const int32_t left = column * FLOAT_WORDS_BLOCK, top = row * FLOAT_WORDS_BLOCK;
    float block_sums[FLOAT_WORDS_SUMS];
    block_sums[0] = 0.0f;
    block_sums[1] = 0.0f;
    for (int32_t y = top; y < top + FLOAT_WORDS_BLOCK && y < p.height; y++)
        for (int32_t x = left; x < left + FLOAT_WORDS_BLOCK && x < p.width; x++) {
            const float root = root_at(reference, distorted, p, x, y);
            tap_put_f32(taps, FLOAT_WORDS_ROOTS, x, y, root);
            block_sums[0] = f32_add(block_sums[0], root);
            block_sums[1] = f32_add(block_sums[1], float_words_dim(root));
        }
    f32_begin_quick();
    const float quick = bright_as(true, reference, distorted, p, left, top);
    const bool is_right = f32_quick_is_right();
    block_sums[2] = is_right ? quick : bright_as(false, reference, distorted, p, left, top);
    block_sums[3] = F32_QUICK_LEAVES_OUT && is_right ? 1.0f : 0.0f;
    for (int32_t i = 0; i < FLOAT_WORDS_SUMS; i++) {
        tap_put_f32(taps, FLOAT_WORDS_BLOCK_SUMS + i, column, row, block_sums[i]);
        sums.at[FLOAT_WORDS_SUMS * block + i] = f32_bits(block_sums[i]);
    }
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
