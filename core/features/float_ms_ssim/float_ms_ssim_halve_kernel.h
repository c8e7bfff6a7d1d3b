// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of MS-SSIM: the pictures of a scale, from those of the scale before (features.md §6.4). Both pictures of a
// scale follow each other; a block's z chooses the picture.
#include "features/float_ms_ssim/float_ms_ssim_params.h"
#include "features/float_ssim/float_ssim_sum.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

// Row v of the samples that the sample (x, y) results from, and the column under tap u of each row.
ISOVMAF_FN ConstF32 tapped_row(ConstF32 pictures, ISOVMAF_IN(MsSsimHalveParams) p, int32_t y, int32_t v) {
    const int32_t row = group_z() * p.height + ssim_fold(2 * y + v - MS_SSIM_TAP_COUNT / 2, p.height);
    return plane_row(ConstF32, pictures, row, 4 * p.width);
}
ISOVMAF_FN int32_t tapped_column(ISOVMAF_IN(MsSsimHalveParams) p, int32_t x, int32_t u) {
    return ssim_fold(2 * x + u - MS_SSIM_TAP_COUNT / 2, p.width);
}

// The f32 of the sum in order, from row `first` of the taps on.
ISOVMAF_FN float filtered_in_order(ConstF32 pictures, ISOVMAF_IN(MsSsimHalveParams) p, int32_t x, int32_t y,
                                   int32_t first) {
    SsimSum sum = ssim_no_sum();
    for (int32_t v = first; v < MS_SSIM_TAP_COUNT; v++) {
        ConstF32 from = tapped_row(pictures, p, y, v);
        SSIM_UNROLL
        for (int32_t u = 0; u < MS_SSIM_TAP_COUNT; u++) {
            const float value = from.at[tapped_column(p, x, u)];
            sum = ssim_sum_with(sum, f32_multiply(value, ms_ssim_low_pass[v * MS_SSIM_TAP_COUNT + u]));
        }
    }
    return ssim_f32_of_sum(sum);
}

#if ISOVMAF_SLOW_F64
ISOVMAF_FN float filtered(ConstF32 pictures, ISOVMAF_IN(MsSsimHalveParams) p, int32_t x, int32_t y) {
    SsimUnits units = ssim_no_units();
    for (int32_t v = 0; v < MS_SSIM_TAP_COUNT; v++) {
        ConstF32 from = tapped_row(pictures, p, y, v);
        for (int32_t u = 0; u < MS_SSIM_TAP_COUNT; u++) {
            const float value = from.at[tapped_column(p, x, u)];
            units = ssim_units_with(units, ssim_product(value, ms_ssim_low_pass[v * MS_SSIM_TAP_COUNT + u]),
                                    ssim_is_zero(value));
        }
    }
    const bool is_exact = ssim_units_are_exact(units);
    const float in_order = filtered_in_order(pictures, p, x, y, is_exact ? MS_SSIM_TAP_COUNT : 0);
    return is_exact ? ssim_f32_of_units(units) : in_order;
}
#else
ISOVMAF_FN float filtered(ConstF32 pictures, ISOVMAF_IN(MsSsimHalveParams) p, int32_t x, int32_t y) {
    return filtered_in_order(pictures, p, x, y, 0);
}
#endif

ISOVMAF_FN void halve(ConstF32 pictures, F32 halves, ISOVMAF_IN(MsSsimHalveParams) p, KernelTaps taps) {
    const int32_t x = group_x() * MS_SSIM_HALVE_THREADS + thread_x(), y = group_y(), picture = group_z();
    if (x >= p.half_width)
        return;
    const float half_sample = filtered(pictures, p, x, y);
    plane_row(F32, halves, picture * p.half_height + y, 4 * p.half_width).at[x] = half_sample;
    tap_put_f32(taps, p.stage + picture, x, y, half_sample);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = MS_SSIM_HALVE_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstF32 pictures;
    F32 halves;
    ISOVMAF_TAPS_MEMBER
    MsSsimHalveParams p;
}
arguments;
void main() { halve(arguments.pictures, arguments.halves, arguments.p, ISOVMAF_TAPS_ARGUMENT); }
#else
ISOVMAF_KERNEL(MS_SSIM_HALVE_THREADS)
ISOVMAF_KERNEL_NAME(const float *pictures, float *halves, ISOVMAF_TAPS_PARAMETER MsSsimHalveParams p) {
    KERNEL_BODY::halve({pictures}, {halves}, p, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
