// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of PSNR-HVS: a block of threads adds up a plane's errors in their order (features.md §9.6), and writes the
// plane's word. A group that leaves the sum in its binade is one step (ordered_sum.h). A group that does not is taken
// run by run, and a run that does not term by term.
#include "features/psnr_hvs/psnr_hvs_runs.h"
#include "portable/ordered_walk.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_ORDERED_WALK(PSNR_HVS_SUM_THREADS, OrderedStep, uint32_t)

// `sum` with the terms of a group added.
ISOVMAF_FN uint32_t with_group(ConstF32 errors, int32_t group, uint32_t sum) {
    ConstPsnrHvsTerms own = psnr_hvs_run(errors, group, thread_x());
    for (int32_t next = 0; next < PSNR_HVS_SUM_THREADS;) {
        OrderedStep step = ordered_step_of_zeros();
        if (thread_x() >= next)
            step = psnr_hvs_step(own, ordered_binade(sum));
        const int32_t taken = steps_taken(step, sum);
        sum = sum_after_steps(sum, taken);
        if (taken < PSNR_HVS_SUM_THREADS) // every thread adds the same terms
            sum = psnr_hvs_added(psnr_hvs_run(errors, group, taken), sum);
        next = taken + 1;
    }
    return sum;
}

ISOVMAF_FN OrderedStep step_of_group(ConstF32 sums, ConstI32 lowest_binades, ConstOrderedSteps group_steps,
                                     int32_t group, int32_t binade) {
    if (sums.at[group] == 0.0f)
        return ordered_step_of_zeros();
    const int32_t i = binade - lowest_binades.at[group];
    if (i < 0 || i >= PSNR_HVS_BINADES)
        return ordered_step_that_leaves();
    return group_steps.at[group * PSNR_HVS_BINADES + i];
}

ISOVMAF_FN void add_plane(ConstF32 errors, ConstF32 sums, ConstI32 lowest_binades, ConstOrderedSteps group_steps,
                          I64 words, ISOVMAF_IN(PsnrHvsPlane) p) {
    const int32_t end = p.first_group + p.groups;
    uint32_t sum = 0u;
    for (int32_t next = p.first_group; next < end;) {
        OrderedStep step = ordered_step_of_zeros();
        if (next + thread_x() < end)
            step = step_of_group(sums, lowest_binades, group_steps, next + thread_x(), ordered_binade(sum));
        const int32_t taken = steps_taken(step, sum);
        sum = sum_after_steps(sum, taken);
        next += taken;
        if (taken < PSNR_HVS_SUM_THREADS) {
            sum = with_group(errors, next, sum);
            next++;
        }
    }
    if (thread_x() == 0)
        words.at[group_x()] = int64_t(uint64_t(sum));
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = PSNR_HVS_SUM_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstF32 errors;
    ConstF32 sums;
    ConstI32 lowest_binades;
    ConstOrderedSteps group_steps;
    I64 words;
    ISOVMAF_TAPS_MEMBER
    PsnrHvsParams p;
}
arguments;
void main() {
    add_plane(arguments.errors, arguments.sums, arguments.lowest_binades, arguments.group_steps, arguments.words,
              psnr_hvs_plane(arguments.p, group_x()));
}
#else
ISOVMAF_KERNEL(PSNR_HVS_SUM_THREADS)
ISOVMAF_KERNEL_NAME(const float *errors, const float *sums, const int32_t *lowest_binades,
                    const OrderedStep *group_steps, int64_t *words, ISOVMAF_TAPS_PARAMETER PsnrHvsParams p) {
#if ISOVMAF_TAPS
    (void)taps; // the errors' kernel records all stages
#endif
    KERNEL_BODY::add_plane({errors}, {sums}, {lowest_binades}, {group_steps}, {words}, psnr_hvs_plane(p, group_x()));
}
#endif

#undef KERNEL
