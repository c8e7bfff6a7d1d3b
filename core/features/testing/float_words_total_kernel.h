// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel for tests: one thread for each word sums up the blocks' sums in raster order.
#include "features/testing/float_words_math.h"
#include "features/testing/float_words_params.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_FN void add_blocks(ConstU32 sums, I64 words, ISOVMAF_IN(FloatWordsParams) p) {
    const int32_t word = thread_x();
    if (word >= FLOAT_WORDS_SUMS)
        return;
    float total = 0.0f;
    for (int32_t block = 0; block < p.blocks_x * p.blocks_y; block++)
        total = f32_add(total, f32_of_bits(sums.at[FLOAT_WORDS_SUMS * block + word]));
    words.at[word] = int64_t(f32_bits(total));
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = FLOAT_WORDS_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstU32 sums;
    I64 words;
    ISOVMAF_TAPS_MEMBER
    FloatWordsParams p;
}
arguments;
void main() { add_blocks(arguments.sums, arguments.words, arguments.p); }
#else
ISOVMAF_KERNEL(FLOAT_WORDS_THREADS)
ISOVMAF_KERNEL_NAME(const uint32_t *sums, int64_t *words, ISOVMAF_TAPS_PARAMETER FloatWordsParams p) {
#if ISOVMAF_TAPS
    (void)taps; // the blocks' kernel records all stages
#endif
    KERNEL_BODY::add_blocks({sums}, {words}, p);
}
#endif

#undef KERNEL
