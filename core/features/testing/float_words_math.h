// SPDX-License-Identifier: BSD-2-Clause-Patent
// What the test feature whose words are f32 computes for a pixel, with the functions of f32.h.
#ifndef ISOVMAF_FLOAT_WORDS_MATH_H
#define ISOVMAF_FLOAT_WORDS_MATH_H

#include "portable/f32.h"

// sqrt(0.7 r d + 0.1)
ISOVMAF_FN float float_words_root(int32_t reference, int32_t distorted) {
    const float weighted = f32_multiply(f32_of_bits(0x3f333333u), float(reference)); // 0.7
    return f32_sqrt(f32_add(f32_multiply(weighted, float(distorted)), f32_of_bits(0x3dcccccdu)));
}

// The root times 2^-140: a denormal, and so are sums of few of them.
ISOVMAF_FN float float_words_dim_as(bool quick, float root) {
    return f32_multiply_as(quick, root, f32_of_bits(0x200u));
}
ISOVMAF_FN float float_words_dim(float root) { return float_words_dim_as(false, root); }

// A sum of dim roots times 2^120: a number that does not show that denormals made it.
ISOVMAF_FN float float_words_bright_as(bool quick, float dim) {
    return f32_multiply_as(quick, dim, f32_of_bits(0x7b800000u));
}

#endif
