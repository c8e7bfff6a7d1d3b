// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of the test feature whose words are f32.
#include "tests/float_words_tile.h"

ISOVMAF_KERNEL(FLOAT_WORDS_THREADS)
float_words_blocks(const uint8_t *reference, const uint8_t *distorted, uint32_t *sums, FloatWordsParams p) {
    float_words_add_pixels(reference, distorted, sums, p, NoTaps{});
}
ISOVMAF_KERNEL(FLOAT_WORDS_THREADS)
float_words_total(const uint32_t *sums, int64_t *words, FloatWordsParams p) { float_words_add_blocks(sums, words, p); }
