// SPDX-License-Identifier: BSD-2-Clause-Patent
// A thread's run of the terms of a group, for the kernels that add up PSNR-HVS.
#ifndef ISOVMAF_PSNR_HVS_RUNS_H
#define ISOVMAF_PSNR_HVS_RUNS_H

#include "features/psnr_hvs/psnr_hvs_params.h"
#include "portable/body.h"
#include "portable/ordered_sum.h"

#define PSNR_HVS_RUN_LOADS (PSNR_HVS_RUN_TERMS / 4)

ISOVMAF_POINTER(PsnrHvsTerms, u32vec4, 16);
ISOVMAF_POINTER(OrderedSteps, OrderedStep, 4);

// The bits of the terms of a thread's run.
ISOVMAF_FN ConstPsnrHvsTerms psnr_hvs_run(ConstF32 errors, int32_t group, int32_t thread) {
    return pointer_after(ConstPsnrHvsTerms, errors,
                         int64_t(group) * (4 * PSNR_HVS_GROUP_TERMS) + int64_t(thread * (4 * PSNR_HVS_RUN_TERMS)));
}

// Both sums with the run's terms added one by one. Four terms are written out, without ISOVMAF_UNROLL: copies that
// glslc makes of a sum are not precise.
ISOVMAF_FN OrderedRun psnr_hvs_sums(OrderedRun sums, ConstPsnrHvsTerms run) {
    for (int32_t i = 0; i < PSNR_HVS_RUN_LOADS; i++) {
        const u32vec4 terms = run.at[i];
        sums = ordered_run_with(sums, f32_of_bits(terms[0]));
        sums = ordered_run_with(sums, f32_of_bits(terms[1]));
        sums = ordered_run_with(sums, f32_of_bits(terms[2]));
        sums = ordered_run_with(sums, f32_of_bits(terms[3]));
    }
    return sums;
}

ISOVMAF_FN OrderedStep psnr_hvs_step(ConstPsnrHvsTerms run, int32_t binade) {
    return ordered_step(psnr_hvs_sums(ordered_run(binade), run), binade);
}

// `sum` with the run's terms added one by one.
ISOVMAF_FN uint32_t psnr_hvs_added(ConstPsnrHvsTerms run, uint32_t sum) {
    OrderedRun sums;
    sums.even = f32_of_bits(sum);
    sums.odd = sums.even;
    return f32_bits(psnr_hvs_sums(sums, run).even);
}

#endif
