// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of SpEED: a block of threads solves the systems of equations of some blocks of samples, for their variances
// (speed.md §5, §7). Words of a bad plane stay 0 but for the one that says so.
#include "features/speed/speed_algebra_math.h"
#include "features/speed/speed_params.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT int32_t size = SPEED_VALUES;

ISOVMAF_SHARED(float, q[SPEED_MATRIX]);
ISOVMAF_SHARED(float, r[SPEED_MATRIX]);
ISOVMAF_SHARED(float, solution[SPEED_VALUES * SPEED_VARIANCES_SYSTEMS]); // [value][system]; first Q times the data

// Where the first value of a block of samples stands.
ISOVMAF_FN int32_t block_at(ISOVMAF_IN(SpeedVariancesParams) p, int32_t block) {
    const int32_t x = block % p.blocks_across, y = block / p.blocks_across;
    return group_z() * p.stride + SPEED_BLOCK * (y * p.width + x);
}

// Row i of Q by the data of a block, whose first value stands at `at`.
ISOVMAF_FN float product_as(bool quick, ConstF32 local, int32_t width, int32_t i, int32_t at) {
    float sum = 0.0f;
    SPEED_UNROLL
    for (int32_t m = 0; m < size; m++)
        sum = f32_add_as(quick, sum, f32_multiply_as(quick, q[i * size + m], local.at[at + speed_value_at(width, m)]));
    return sum;
}
ISOVMAF_FN float product_of(ConstF32 local, int32_t width, int32_t i, int32_t at) {
    f32_begin_quick();
    const float quick = product_as(true, local, width, i, at);
    return f32_quick_is_right() ? quick : product_as(false, local, width, i, at);
}

// Element i of the solution, from those behind it.
ISOVMAF_FN float solved_as(bool quick, int32_t i, int32_t system) {
    float sum = solution[i * SPEED_VARIANCES_SYSTEMS + system];
    for (int32_t k = i + 1; k < size; k++)
        sum = f32_subtract_as(quick, sum,
                              f32_multiply_as(quick, solution[k * SPEED_VARIANCES_SYSTEMS + system], r[i * size + k]));
    return f32_divide_as(quick, sum, r[i * size + i]);
}
ISOVMAF_FN float solved_element(int32_t i, int32_t system) {
    f32_begin_quick();
    const float quick = solved_as(true, i, system);
    return f32_quick_is_right() ? quick : solved_as(false, i, system);
}

ISOVMAF_FN void multiply_by_q(ConstF32 local, ISOVMAF_IN(SpeedVariancesParams) p, int32_t first_block) {
    const int32_t system = thread_x() % SPEED_VARIANCES_SYSTEMS;
    if (first_block + system >= p.blocks)
        return;
    const int32_t at = block_at(p, first_block + system);
    for (int32_t i = thread_x() / SPEED_VARIANCES_SYSTEMS; i < size;
         i += SPEED_VARIANCES_THREADS / SPEED_VARIANCES_SYSTEMS)
        solution[i * SPEED_VARIANCES_SYSTEMS + system] = product_of(local, p.width, i, at);
}

// The variance of the thread's block of samples.
ISOVMAF_FN float variance_of(ConstF32 local, ISOVMAF_IN(SpeedVariancesParams) p, int32_t block) {
    const int32_t system = thread_x();
    for (int32_t i = size - 1; i >= 0; i--)
        solution[i * SPEED_VARIANCES_SYSTEMS + system] = solved_element(i, system);
    const int32_t at = block_at(p, block);
    float variance = 0.0f;
    SPEED_UNROLL
    for (int32_t e = 0; e < size; e++) {
        const float product =
            f32_multiply(solution[e * SPEED_VARIANCES_SYSTEMS + system], local.at[at + speed_value_at(p.width, e)]);
        const float share = f32_divide(product, float(SPEED_VALUES));
        variance = e == 0 ? share : f32_add(variance, share);
    }
    return variance;
}

ISOVMAF_FN void find_variances(ConstF32 local, ConstF32 matrices, I64 words, ISOVMAF_IN(SpeedVariancesParams) p,
                               KernelTaps taps) {
    const int32_t thread = thread_x(), first = group_z() * p.matrix_stride;
    const int32_t first_block = group_x() * SPEED_VARIANCES_SYSTEMS, block = first_block + thread;
    const int32_t word = p.eigenvalue_word[group_z()];
    const float solved = matrices.at[first + SPEED_SOLVED_AT];
    for (int32_t i = thread; i < SPEED_MATRIX; i += SPEED_VARIANCES_THREADS) {
        q[i] = matrices.at[first + SPEED_Q_AT + i];
        r[i] = matrices.at[first + SPEED_R_AT + i];
    }
    barrier();
    multiply_by_q(local, p, first_block);
    barrier();
    bool is_bad = solved == SPEED_PIVOT_TOO_SMALL;
    for (int32_t i = 0; i < size; i++)
        is_bad = is_bad || !speed_is_regular(matrices.at[first + SPEED_EIGENVALUES_AT + i]);
    if (is_bad) {
        if (block == 0)
            words.at[word + size + p.blocks] = int64_t(1);
        return;
    }
    if (group_x() == 0 && thread < size)
        words.at[word + thread] = speed_word_of(matrices.at[first + SPEED_EIGENVALUES_AT + thread]);
    if (thread >= SPEED_VARIANCES_SYSTEMS || block >= p.blocks)
        return;
    const float variance = solved == SPEED_SOLVED ? variance_of(local, p, block) : f32_of_bits(F32_NAN);
    words.at[word + size + block] = speed_word_of(variance);
    tap_put(taps, p.stage[group_z()], block % p.blocks_across, block / p.blocks_across, speed_word_of(variance));
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
