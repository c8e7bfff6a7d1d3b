// SPDX-License-Identifier: BSD-2-Clause-Patent
// Sums of SSIM's terms, and a thread's run of the terms of a group, for the kernels that add them up.
#ifndef ISOVMAF_FLOAT_SSIM_RUNS_H
#define ISOVMAF_FLOAT_SSIM_RUNS_H

#include "features/float_ssim/float_ssim_params.h"
#include "portable/body.h"
#include "portable/ordered_sum_f64.h"

ISOVMAF_POINTER(OrderedF64Steps, OrderedF64Step, 8);

// A sum: its terms, in raster order, and its groups.
struct SsimSeries {
    int32_t terms, group_terms, run_terms; // the last group, and runs at the end of a group, may have fewer
    int32_t first_group, groups;
};

ISOVMAF_FN SsimSeries ssim_series(ISOVMAF_IN(SsimScale) s, int32_t sum) {
    SsimSeries series;
    series.terms = s.smooth_width * s.smooth_height;
    series.group_terms = s.group_rows * s.smooth_width;
    series.run_terms = (series.group_terms - 1) / SSIM_SUM_THREADS + 1;
    series.first_group = s.first_group + sum * s.groups;
    series.groups = s.groups;
    return series;
}

ISOVMAF_FN ConstU64 ssim_series_terms(ConstU64 terms, ISOVMAF_IN(SsimScale) s, int32_t sum) {
    const int64_t before = s.terms + int64_t(sum) * int64_t(s.smooth_width * s.smooth_height);
    return pointer_after(ConstU64, terms, int64_t(8) * before);
}

// A run's first term and the one behind its last.
struct SsimRun {
    int32_t begin, end;
};
ISOVMAF_FN SsimRun ssim_run(ISOVMAF_IN(SsimSeries) series, int32_t group, int32_t thread) {
    const int32_t first = group * series.group_terms, behind = first + series.group_terms;
    const int32_t last = behind < series.terms ? behind : series.terms;
    const int32_t begin = first + thread * series.run_terms, end = begin + series.run_terms;
    SsimRun run;
    run.begin = begin < last ? begin : last;
    run.end = end < last ? end : last;
    return run;
}

// The next terms of a run, from term `first` on, and zeros behind its end.
struct SsimBatch {
    uint64_t terms[SSIM_BATCH];
};
ISOVMAF_FN SsimBatch ssim_batch(ConstU64 terms, int32_t first, int32_t end) {
    SsimBatch batch;
    ISOVMAF_UNROLL
    for (int32_t k = 0; k < SSIM_BATCH; k++)
        batch.terms[k] = first + k < end ? terms.at[first + k] : uint64_t(0);
    return batch;
}

ISOVMAF_FN OrderedF64Step ssim_step(ConstU64 terms, SsimRun run, int32_t binade) {
    OrderedF64Step step = ordered_f64_step_of_zeros();
    ISOVMAF_NO_UNROLL
    for (int32_t i = run.begin; i < run.end; i += SSIM_BATCH) {
        const SsimBatch batch = ssim_batch(terms, i, run.end);
        ISOVMAF_UNROLL
        for (int32_t k = 0; k < SSIM_BATCH; k++)
            step = ordered_f64_step_with(step, batch.terms[k], binade);
    }
    return ordered_f64_step_or_none(step);
}

#endif
