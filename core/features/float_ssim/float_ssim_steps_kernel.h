// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of SSIM: a block of threads finds what a group adds to its sum, for the binade in which plain sums say that
// the sum lies before the group (ordered_sum_f64.h).
#include "features/float_ssim/float_ssim_runs.h"
#include "portable/ordered_walk.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_STATIC_ASSERT(ORDERED_PART_THREADS *ORDERED_PART_THREADS == SSIM_SUM_THREADS, "two levels");

ISOVMAF_ORDERED_STEP_OF_THREADS(OrderedF64Step)
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

ISOVMAF_FN void find_step(ConstU64 all_terms, ConstI64 plain_sums, I32 binades, OrderedF64Steps group_steps,
                          ISOVMAF_IN(SsimScale) s) {
    const int32_t sum = (group_x() - s.first_group) / s.groups;
    const SsimSeries series = ssim_series(s, sum);
    const int32_t binade = find_binade(plain_sums, series.first_group);
    const SsimRun run = ssim_run(series, group_x() - series.first_group, thread_x());
    const OrderedF64Step step = step_of_threads(ssim_step(ssim_series_terms(all_terms, s, sum), run, binade));
    if (thread_x() != 0)
        return;
    group_steps.at[group_x()] = step;
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
