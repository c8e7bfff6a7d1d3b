// SPDX-License-Identifier: BSD-2-Clause-Patent
// An f64 sum of f32 numbers in order, rounded to f32 at the end: in shaders by integers.
#ifndef ISOVMAF_FLOAT_SSIM_SUM_H
#define ISOVMAF_FLOAT_SSIM_SUM_H

#include "portable/f32.h"

#if defined(VULKAN)

#include "portable/running_sum.h"

#define SsimSum RunningSum
#define SSIM_UNROLL // a sum takes many instructions

ISOVMAF_FN SsimSum ssim_no_sum() { return running_number(uint64_t(0)); }
ISOVMAF_FN SsimSum ssim_sum_with(SsimSum sum, float term) {
    return running_add(sum, running_number(f64_of_f32_or_denormal(f32_bits(term))));
}
ISOVMAF_FN float ssim_f32_of_sum(SsimSum sum) { return f32_of_bits(f32_or_denormal_of_f64(running_bits(sum))); }

#else

using SsimSum = double;
#define SSIM_UNROLL ISOVMAF_UNROLL

ISOVMAF_FN SsimSum ssim_no_sum() { return 0; }
ISOVMAF_FN SsimSum ssim_sum_with(SsimSum sum, float term) { return sum + double(term); }
ISOVMAF_FN float ssim_f32_of_sum(SsimSum sum) { return float(sum); }

#endif

#endif
