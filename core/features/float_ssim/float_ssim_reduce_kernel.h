// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of SSIM: the samples of both pictures as f32, scaled to those of 8 bits, and reduced (features.md §6.1). The
// pictures follow each other; a block's z chooses the picture. It also clears plain sums. SAMPLE_BITS is 8 or 16.
//
// The products with the tap are multiples of 2^-45 and add up to less than 2^8: so the definition's f64 sums are exact,
// and so are integers in any order.
#include "features/float_ssim/float_ssim_params.h"
#include "portable/body.h"
#include "portable/f32.h"

#define SAMPLE ISOVMAF_SAMPLE(SAMPLE_BITS)
#define SAMPLES ISOVMAF_SAMPLES(SAMPLE_BITS)

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT int32_t unit_exponent = -45;

// A product, zero or at least 2^-22, in units.
ISOVMAF_FN int64_t units_of(float product) {
    const uint32_t bits = f32_bits(product);
    if (bits == 0u)
        return int64_t(0);
    return int64_t(uint64_t(f32_significand(bits)) << (f32_exponent(bits) - 23 - unit_exponent));
}

ISOVMAF_FN float of_units(int64_t units) {
    const uint32_t bits = f32_of_i64(units);
    return f32_of_bits(bits == 0u ? 0u : bits - (uint32_t(-unit_exponent) << 23));
}

// A sample of a plane times the tap.
ISOVMAF_FN float product_of(SAMPLES row, int32_t x, float tap) {
    return f32_multiply(f32_of_u32(uint32_t(row.at[x])), tap);
}

ISOVMAF_FN float reduced_sample(SAMPLES plane, int32_t stride_bytes, ISOVMAF_IN(SsimReduceParams) p, int32_t x,
                                int32_t y) {
    if (p.factor == 1)
        return product_of(plane_row(SAMPLES, plane, y, stride_bytes), x, p.tap);
    int64_t sum = int64_t(0);
    for (int32_t v = 0; v < p.factor; v++) {
        SAMPLES row = plane_row(SAMPLES, plane, ssim_fold(y * p.factor + v - p.factor / 2, p.height), stride_bytes);
        for (int32_t u = 0; u < p.factor; u++)
            sum += units_of(product_of(row, ssim_fold(x * p.factor + u - p.factor / 2, p.width), p.tap));
    }
    return of_units(sum);
}

ISOVMAF_FN void reduce(SAMPLES plane, int32_t stride_bytes, F32 pictures, I64 plain_sums,
                       ISOVMAF_IN(SsimReduceParams) p, KernelTaps taps) {
    const int32_t x = group_x() * SSIM_REDUCE_THREADS + thread_x(), y = group_y();
    const int32_t row = group_z() * p.reduced_height + y;
    const int32_t cleared = row * SSIM_REDUCE_THREADS + x;
    if (group_x() == 0 && cleared < p.groups)
        plain_sums.at[cleared] = int64_t(0);
    if (x >= p.reduced_width)
        return;
    const float reduced = reduced_sample(plane, stride_bytes, p, x, y);
    pointer_after(F32, pictures, int64_t(row) * int64_t(4 * p.reduced_width)).at[x] = reduced;
    tap_put_f32(taps, group_z(), x, y, reduced);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = SSIM_REDUCE_THREADS) in;
ISOVMAF_ARGUMENTS {
    SAMPLES planes[2];
    F32 pictures;
    I64 plain_sums;
    ISOVMAF_TAPS_MEMBER
    SsimReduceParams p;
}
arguments;
void main() {
    reduce(arguments.planes[group_z()], group_z() == 0 ? arguments.p.reference_stride : arguments.p.distorted_stride,
           arguments.pictures, arguments.plain_sums, arguments.p, ISOVMAF_TAPS_ARGUMENT);
}
#else
ISOVMAF_KERNEL(SSIM_REDUCE_THREADS)
ISOVMAF_KERNEL_NAME(const SAMPLE *reference, const SAMPLE *distorted, float *pictures, int64_t *plain_sums,
                    ISOVMAF_TAPS_PARAMETER SsimReduceParams p) {
    const bool is_reference = group_z() == 0;
    KERNEL_BODY::reduce({is_reference ? reference : distorted}, is_reference ? p.reference_stride : p.distorted_stride,
                        {pictures}, {plain_sums}, p, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
#undef SAMPLE_BITS
#undef SAMPLE
#undef SAMPLES
