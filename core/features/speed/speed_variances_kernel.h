// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of SpEED: a thread solves the system of equations of a block of samples, for the block's variance (speed.md
// §5, §7). Words of a bad plane stay 0 but for the one that says so.
#include "features/speed/speed_algebra_math.h"
#include "features/speed/speed_params.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT int32_t size = SPEED_VALUES;

ISOVMAF_SHARED(float, solution[SPEED_VALUES * SPEED_VARIANCES_THREADS]); // [value][thread]

// Where value `e` of a block of samples stands behind the block's first one.
ISOVMAF_FN int32_t value_at(ISOVMAF_IN(SpeedVariancesParams) p, int32_t e) {
    return e / SPEED_BLOCK * p.width + e % SPEED_BLOCK;
}

// The variance of the block of samples whose first one is local[at].
ISOVMAF_FN float variance_of(ConstF32 local, ConstF32 matrices, ISOVMAF_IN(SpeedVariancesParams) p, int32_t at,
                             int32_t first) {
    const int32_t thread = thread_x();
    for (int32_t i = size - 1; i >= 0; i--) {
        const int32_t row = first + i * size;
        float sum = 0.0f;
        for (int32_t m = 0; m < size; m++)
            sum = f32_add(sum, f32_multiply(matrices.at[row + SPEED_Q_AT + m], local.at[at + value_at(p, m)]));
        for (int32_t k = i + 1; k < size; k++)
            sum = f32_subtract(
                sum, f32_multiply(solution[k * SPEED_VARIANCES_THREADS + thread], matrices.at[row + SPEED_R_AT + k]));
        solution[i * SPEED_VARIANCES_THREADS + thread] = f32_divide(sum, matrices.at[row + SPEED_R_AT + i]);
    }
    float variance = 0.0f;
    for (int32_t e = 0; e < size; e++) {
        const float product =
            f32_multiply(solution[e * SPEED_VARIANCES_THREADS + thread], local.at[at + value_at(p, e)]);
        const float share = f32_divide(product, float(SPEED_VALUES));
        variance = e == 0 ? share : f32_add(variance, share);
    }
    return variance;
}

ISOVMAF_FN void find_variances(ConstF32 local, ConstF32 matrices, I64 words, ISOVMAF_IN(SpeedVariancesParams) p,
                               KernelTaps taps) {
    const int32_t block = group_x() * SPEED_VARIANCES_THREADS + thread_x(), first = group_z() * p.matrix_stride;
    const int32_t word = p.eigenvalue_word[group_z()];
    const float solved = matrices.at[first + SPEED_SOLVED_AT];
    bool is_bad = solved == SPEED_PIVOT_TOO_SMALL;
    for (int32_t i = 0; i < size; i++)
        is_bad = is_bad || !speed_is_regular(matrices.at[first + SPEED_EIGENVALUES_AT + i]);
    if (is_bad) {
        if (block == 0)
            words.at[word + size + p.blocks] = int64_t(1);
        return;
    }
    if (block < size)
        words.at[word + block] = speed_word_of(matrices.at[first + SPEED_EIGENVALUES_AT + block]);
    if (block >= p.blocks)
        return;
    const int32_t x = block % p.blocks_across, y = block / p.blocks_across;
    float variance = f32_of_bits(F32_NAN);
    if (solved == SPEED_SOLVED)
        variance = variance_of(local, matrices, p, group_z() * p.stride + SPEED_BLOCK * (y * p.width + x), first);
    words.at[word + size + block] = speed_word_of(variance);
    tap_put(taps, p.stage[group_z()], x, y, speed_word_of(variance));
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = SPEED_VARIANCES_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstF32 local;
    ConstF32 matrices;
    I64 words;
    ISOVMAF_TAPS_MEMBER
    SpeedVariancesParams p;
}
arguments;
void main() {
    find_variances(arguments.local, arguments.matrices, arguments.words, arguments.p, ISOVMAF_TAPS_ARGUMENT);
}
#else
ISOVMAF_KERNEL(SPEED_VARIANCES_THREADS)
ISOVMAF_KERNEL_NAME(const float *local, const float *matrices, int64_t *words,
                    ISOVMAF_TAPS_PARAMETER SpeedVariancesParams p) {
    KERNEL_BODY::find_variances({local}, {matrices}, {words}, p, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
