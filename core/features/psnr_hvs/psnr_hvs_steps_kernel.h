// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of PSNR-HVS: a block of threads finds what a group adds to its plane's sum, for each binade in which that
// can lie before the group (ordered_sum.h). A group whose errors are all 0 is left out.
#include "features/psnr_hvs/psnr_hvs_runs.h"
#include "portable/ordered_walk.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT int32_t part_threads = ORDERED_PART_THREADS; // each of them adds the sums of as many threads
ISOVMAF_STATIC_ASSERT(part_threads *part_threads == PSNR_HVS_SUM_THREADS, "two levels");

ISOVMAF_SHARED(float, sums_before[PSNR_HVS_SUM_THREADS]);
ISOVMAF_SHARED(float, sum_before);
ISOVMAF_ORDERED_STEP_OF_THREADS(OrderedStep)

// The sum of the groups before this one, in an order that no device changes.
ISOVMAF_FN float sum_of_groups_before(ConstF32 sums, ISOVMAF_IN(PsnrHvsPlane) p) {
    float own = 0.0f;
    for (int32_t i = p.first_group + thread_x(); i < group_x(); i += PSNR_HVS_SUM_THREADS)
        own = f32_add(own, sums.at[i]);
    sums_before[thread_x()] = own;
    barrier();
    if (thread_x() < part_threads) {
        for (int32_t i = thread_x() + part_threads; i < PSNR_HVS_SUM_THREADS; i += part_threads)
            own = f32_add(own, sums_before[i]);
        sums_before[thread_x()] = own;
    }
    barrier();
    if (thread_x() == 0) {
        for (int32_t i = 1; i < part_threads; i++)
            own = f32_add(own, sums_before[i]);
        sum_before = own;
    }
    barrier();
    return sum_before;
}

ISOVMAF_FN void find_steps(ConstF32 errors, ConstF32 sums, I32 lowest_binades, OrderedSteps group_steps,
                           ISOVMAF_IN(PsnrHvsPlane) p) {
    if (sums.at[group_x()] == 0.0f)
        return;
    const float before = sum_of_groups_before(sums, p);
    const uint32_t terms_before = uint32_t(group_x() - p.first_group) * PSNR_HVS_GROUP_TERMS;
    const int32_t lowest = ordered_sum_lowest(before, terms_before);
    const int32_t highest = ordered_sum_highest(before, terms_before);
    ConstPsnrHvsTerms run = psnr_hvs_run(errors, group_x(), thread_x());
    ISOVMAF_NO_UNROLL
    for (int32_t i = 0; i < PSNR_HVS_BINADES; i++) {
        OrderedStep step = ordered_step_that_leaves();
        if (lowest + i <= highest) // the same for all threads
            step = step_of_threads(psnr_hvs_step(run, lowest + i));
        if (thread_x() == 0)
            group_steps.at[group_x() * PSNR_HVS_BINADES + i] = step;
    }
    if (thread_x() == 0)
        lowest_binades.at[group_x()] = lowest;
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = PSNR_HVS_SUM_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstF32 errors;
    ConstF32 sums;
    I32 lowest_binades;
    OrderedSteps group_steps;
    ISOVMAF_TAPS_MEMBER
    PsnrHvsParams p;
}
arguments;
void main() {
    find_steps(arguments.errors, arguments.sums, arguments.lowest_binades, arguments.group_steps,
               psnr_hvs_plane(arguments.p, psnr_hvs_plane_of(arguments.p, group_x())));
}
#else
ISOVMAF_KERNEL(PSNR_HVS_SUM_THREADS)
ISOVMAF_KERNEL_NAME(const float *errors, const float *sums, int32_t *lowest_binades, OrderedStep *group_steps,
                    ISOVMAF_TAPS_PARAMETER PsnrHvsParams p) {
#if ISOVMAF_TAPS
    (void)taps; // the errors' kernel records all stages
#endif
    KERNEL_BODY::find_steps({errors}, {sums}, {lowest_binades}, {group_steps},
                            psnr_hvs_plane(p, psnr_hvs_plane_of(p, group_x())));
}
#endif

#undef KERNEL
