// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of SSIM: a block of threads finds what a group adds to its sum, for the binade in which plain sums say that
// the sum lies before the group (ordered_sum_f64.h).
#include "features/float_ssim/float_ssim_runs.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT int32_t part_threads = 16; // each of them puts together the steps of as many threads
ISOVMAF_STATIC_ASSERT(part_threads *part_threads == SSIM_SUM_THREADS, "two levels");

ISOVMAF_SHARED(OrderedF64Step, steps[SSIM_SUM_THREADS]);
ISOVMAF_SHARED(int32_t, expected_binade);
ISOVMAF_BLOCK_ADD(SSIM_SUM_THREADS)

// The binade of the plain sum of all groups before this one.
ISOVMAF_FN int32_t find_binade(ConstI64 plain_sums, int32_t first_group) {
    int64_t own = int64_t(0);
    for (int32_t i = first_group + thread_x(); i < group_x(); i += SSIM_SUM_THREADS)
        own += plain_sums.at[i];
    const int64_t before = block_sum(own, thread_x());
    if (thread_x() == 0)
        expected_binade = ordered_f64_binade_of(before, -SSIM_PLAIN_BITS);
    barrier();
    return expected_binade;
}

// Thread 0 gets the step of all threads' runs; `first` and so on are some of these.
ISOVMAF_FN OrderedF64Step joined(int32_t first, int32_t distance) {
    OrderedF64Step step = steps[first];
    ISOVMAF_NO_UNROLL
    for (int32_t i = 1; i < part_threads; i++)
        step = ordered_f64_steps(step, steps[first + i * distance]);
    return step;
}

ISOVMAF_FN void find_step(ConstU64 all_terms, ConstI64 plain_sums, I32 binades, OrderedF64Steps group_steps,
                          ISOVMAF_IN(SsimScale) s) {
    const int32_t sum = (group_x() - s.first_group) / s.groups;
    const SsimSeries series = ssim_series(s, sum);
    const int32_t binade = find_binade(plain_sums, series.first_group);
    steps[thread_x()] = ssim_step(ssim_series_terms(all_terms, s, sum),
                                  ssim_run(series, group_x() - series.first_group, thread_x()), binade);
    barrier();
    const bool joins = thread_x() % part_threads == 0;
    OrderedF64Step part = ordered_f64_step_of_zeros();
    if (joins)
        part = joined(thread_x(), 1);
    barrier();
    if (joins)
        steps[thread_x()] = part;
    barrier();
    if (thread_x() != 0)
        return;
    group_steps.at[group_x()] = joined(0, part_threads);
    binades.at[group_x()] = binade;
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = SSIM_SUM_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstU64 terms;
    ConstI64 plain_sums;
    I32 binades;
    OrderedF64Steps group_steps;
    ISOVMAF_TAPS_MEMBER
    SsimParams p;
}
arguments;
void main() {
    find_step(arguments.terms, arguments.plain_sums, arguments.binades, arguments.group_steps,
              ssim_scale(arguments.p, ssim_scale_of_group(arguments.p, group_x())));
}
#else
ISOVMAF_KERNEL(SSIM_SUM_THREADS)
ISOVMAF_KERNEL_NAME(const uint64_t *terms, const int64_t *plain_sums, int32_t *binades, OrderedF64Step *group_steps,
                    ISOVMAF_TAPS_PARAMETER SsimParams p) {
#if ISOVMAF_TAPS
    (void)taps; // the terms' kernels record all stages
#endif
    KERNEL_BODY::find_step({terms}, {plain_sums}, {binades}, {group_steps},
                           ssim_scale(p, ssim_scale_of_group(p, group_x())));
}
#endif

#undef KERNEL
