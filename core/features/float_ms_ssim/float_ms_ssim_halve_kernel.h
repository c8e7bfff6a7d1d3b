// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of MS-SSIM: the pictures of a scale, from those of the scale before (features.md §6.4). Both pictures of a
// scale follow each other; a block's z chooses the picture.
#include "features/float_ms_ssim/float_ms_ssim_params.h"
#include "features/float_ssim/float_ssim_sum.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_FN void halve(ConstF32 pictures, F32 halves, ISOVMAF_IN(MsSsimHalveParams) p, KernelTaps taps) {
    const int32_t x = group_x() * MS_SSIM_HALVE_THREADS + thread_x(), y = group_y(), picture = group_z();
    if (x >= p.half_width)
        return;
    SsimSum sum = ssim_no_sum();
    for (int32_t v = 0; v < MS_SSIM_TAP_COUNT; v++) {
        const int32_t row = picture * p.height + ssim_fold(2 * y + v - MS_SSIM_TAP_COUNT / 2, p.height);
        ConstF32 from = plane_row(ConstF32, pictures, row, 4 * p.width);
        SSIM_UNROLL
        for (int32_t u = 0; u < MS_SSIM_TAP_COUNT; u++) {
            const float value = from.at[ssim_fold(2 * x + u - MS_SSIM_TAP_COUNT / 2, p.width)];
            sum = ssim_sum_with(sum, f32_multiply(value, ms_ssim_low_pass[v * MS_SSIM_TAP_COUNT + u]));
        }
    }
    const float filtered = ssim_f32_of_sum(sum);
    plane_row(F32, halves, picture * p.half_height + y, 4 * p.half_width).at[x] = filtered;
    tap_put_f32(taps, p.stage + picture, x, y, filtered);
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
