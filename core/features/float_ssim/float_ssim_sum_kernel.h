// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of SSIM: a block of threads adds up the terms of a sum in their order (features.md §6.2), and writes the
// mean. A group that leaves the sum in its binade is one step (ordered_sum_f64.h). A group that does not is taken run
// by run, and a run that does not term by term.
#include "features/float_ssim/float_ssim_runs.h"
#include "features/float_ssim/float_ssim_similarity.h"
#include "portable/ordered_walk.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_ORDERED_WALK(SSIM_SUM_THREADS, OrderedF64Step, uint64_t)

// A sum of few terms leaves its binade again and again: so if one of the first runs of a group does, all of them are
// taken term by term.
ISOVMAF_CONSTANT int32_t first_runs = 16;

// `sum` with the terms from `begin` to `end` added. Every thread adds the same ones.
ISOVMAF_FN uint64_t with_terms(ConstU64 terms, int32_t begin, int32_t end, uint64_t sum) {
    ISOVMAF_NO_UNROLL
    for (int32_t i = begin; i < end; i += SSIM_BATCH) {
        const SsimBatch batch = ssim_batch(terms, i, end);
        ISOVMAF_UNROLL
        for (int32_t k = 0; k < SSIM_BATCH; k++)
            sum = ssim_added(sum, batch.terms[k]);
    }
    return sum;
}

// `sum` with the terms of a group added.
ISOVMAF_FN uint64_t with_group(ConstU64 terms, ISOVMAF_IN(SsimSeries) series, int32_t group, uint64_t sum) {
    const SsimRun own = ssim_run(series, group, thread_x());
    for (int32_t next = 0; next < SSIM_SUM_THREADS;) {
        OrderedF64Step step = ordered_f64_step_of_zeros();
        if (thread_x() >= next)
            step = ssim_step(terms, own, ordered_f64_binade(sum));
        const int32_t taken = steps_taken(step, sum);
        sum = sum_after_steps(sum, taken);
        next = taken < first_runs ? first_runs : taken + 1;
        if (taken < SSIM_SUM_THREADS)
            sum = with_terms(terms, ssim_run(series, group, taken).begin, ssim_run(series, group, next - 1).end, sum);
    }
    return sum;
}

ISOVMAF_FN OrderedF64Step step_of_group(ConstI32 binades, ConstOrderedF64Steps group_steps, int32_t group,
                                        int32_t binade) {
    if (binades.at[group] != binade)
        return ordered_f64_step_that_leaves();
    return group_steps.at[group];
}

ISOVMAF_FN void add_terms(ConstU64 all_terms, ConstI32 binades, ConstOrderedF64Steps group_steps, I64 words,
                          ISOVMAF_IN(SsimScale) s, int32_t sum_of_scale) {
    const SsimSeries series = ssim_series(s, sum_of_scale);
    ConstU64 terms = ssim_series_terms(all_terms, s, sum_of_scale);
    uint64_t sum = uint64_t(0);
    for (int32_t next = 0; next < series.groups;) {
        OrderedF64Step step = ordered_f64_step_of_zeros();
        if (next + thread_x() < series.groups)
            step = step_of_group(binades, group_steps, series.first_group + next + thread_x(), ordered_f64_binade(sum));
        const int32_t taken = steps_taken(step, sum);
        sum = sum_after_steps(sum, taken);
        next += taken;
        if (taken < SSIM_SUM_THREADS) {
            sum = with_group(terms, series, next, sum);
            next++;
        }
    }
    if (thread_x() == 0)
        words.at[group_x()] = int64_t(uint64_t(ssim_mean(sum, series.terms)));
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = SSIM_SUM_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstU64 terms;
    ConstI32 binades;
    ConstOrderedF64Steps group_steps;
    I64 words;
    ISOVMAF_TAPS_MEMBER
    SsimParams p;
}
arguments;
void main() {
    add_terms(arguments.terms, arguments.binades, arguments.group_steps, arguments.words,
              ssim_scale(arguments.p, group_x() / arguments.p.sums), group_x() % arguments.p.sums);
}
#else
ISOVMAF_KERNEL(SSIM_SUM_THREADS)
ISOVMAF_KERNEL_NAME(const uint64_t *terms, const int32_t *binades, const OrderedF64Step *group_steps, int64_t *words,
                    ISOVMAF_TAPS_PARAMETER SsimParams p) {
#if ISOVMAF_TAPS
    (void)taps; // the terms' kernels record all stages
#endif
    KERNEL_BODY::add_terms({terms}, {binades}, {group_steps}, {words}, ssim_scale(p, group_x() / p.sums),
                           group_x() % p.sums);
}
#endif

#undef KERNEL
