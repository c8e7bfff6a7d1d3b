// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of SpEED: the low-pass of the samples that are kept (speed.md §3, §4). A thread filters a column of a
// sample's window down, then one thread a sample filters across. A picture that is resized is never written: each of
// its samples is made where it is needed. SAMPLE_BITS is 8 or 16.
#include "features/speed/speed_params.h"
#include "portable/body.h"
#include "portable/f32.h"

#define SAMPLE ISOVMAF_SAMPLE(SAMPLE_BITS)
#define SAMPLES ISOVMAF_SAMPLES(SAMPLE_BITS)

ISOVMAF_BODY_BEGIN

ISOVMAF_SHARED(float, columns[SPEED_KEEP_THREADS]); // of the block's samples, one sample's after the other's

ISOVMAF_FN SAMPLES chosen(SAMPLES a, SAMPLES b, SAMPLES c, SAMPLES d, int32_t plane) {
    if (plane == 1)
        return b;
    if (plane == 2)
        return c;
    if (plane == 3)
        return d;
    return a;
}

ISOVMAF_FN int32_t sample_at(SAMPLES plane, int32_t stride_bytes, int32_t y, int32_t x) {
    return int32_t(plane_row(SAMPLES, plane, y, stride_bytes).at[x]);
}

// A sample of the plane less that of another one, or less the middle of the range: exact, whatever the order.
ISOVMAF_FN float source_at(SAMPLES plane, SAMPLES subtracted, ISOVMAF_IN(SpeedKeepSource) s, int32_t bit_depth,
                           int32_t y, int32_t x) {
    const int32_t deeper = bit_depth - 8;
    const int32_t less = s.subtracted < 0 ? -int32_t(SPEED_SAMPLE_OFFSET) << deeper
                                          : sample_at(subtracted, s.subtracted_stride_bytes, y, x);
    const float unit = f32_of_bits(uint32_t(F32_BIAS - deeper) << 23); // in samples of 8 bit
    return f32_multiply(float(sample_at(plane, s.stride_bytes, y, x) - less), unit);
}

// A sample of the picture that is filtered.
ISOVMAF_FN float picture_at(SAMPLES plane, SAMPLES subtracted, ISOVMAF_IN(SpeedKeepSource) s, int32_t bit_depth,
                            ConstI32 places, ConstF32 weights, ISOVMAF_IN(SpeedKeepResize) r, int32_t y, int32_t x) {
    if (r.method == SPEED_NOT_RESIZED)
        return source_at(plane, subtracted, s, bit_depth, y, x);
    float sum = 0.0f, all_weights = 0.0f;
    for (int32_t j = y * r.down_taps; j < (y + 1) * r.down_taps; j++)
        for (int32_t i = r.across + x * r.across_taps; i < r.across + (x + 1) * r.across_taps; i++) {
            const float weight = f32_multiply(weights.at[i], weights.at[j]);
            sum = f32_add(sum,
                          f32_multiply(source_at(plane, subtracted, s, bit_depth, places.at[j], places.at[i]), weight));
            all_weights = f32_add(all_weights, weight);
        }
    return r.method == SPEED_RESIZED_AND_DIVIDED ? f32_divide(sum, all_weights) : sum;
}

// The picture around kept sample number `kept`, filtered down in the window's column `column`.
ISOVMAF_FN float filtered_down(SAMPLES plane, SAMPLES subtracted, ISOVMAF_IN(SpeedKeepSource) s, ConstF32 low_pass,
                               ConstI32 places, ConstF32 weights, ISOVMAF_IN(SpeedKeepSizes) z,
                               ISOVMAF_IN(SpeedKeepResize) r, int32_t kept, int32_t column) {
    const int32_t reach = z.taps / 2;
    const int32_t x = speed_mirror(SPEED_DECIMATION * (kept % z.kept_width) - reach + column, z.width);
    const int32_t top = SPEED_DECIMATION * (kept / z.kept_width) - reach;
    float sum = 0.0f;
    for (int32_t j = 0; j < z.taps; j++)
        sum = f32_add(sum, f32_multiply(low_pass.at[j], picture_at(plane, subtracted, s, z.bit_depth, places, weights,
                                                                   r, speed_mirror(top + j, z.height), x)));
    return sum;
}

ISOVMAF_FN void keep_samples(SAMPLES plane, SAMPLES subtracted, ISOVMAF_IN(SpeedKeepSource) s, ConstF32 low_pass,
                             ConstI32 places, ConstF32 weights, F32 kept, ISOVMAF_IN(SpeedKeepSizes) z,
                             ISOVMAF_IN(SpeedKeepResize) r, KernelTaps taps) {
    const int32_t thread = thread_x(), first = group_x() * z.samples;
    const int32_t filtered = first + thread / z.taps;
    if (thread < z.samples * z.taps && filtered < z.kept_count)
        columns[thread] =
            filtered_down(plane, subtracted, s, low_pass, places, weights, z, r, filtered, thread % z.taps);
    barrier();
    const int32_t own = first + thread;
    if (thread >= z.samples || own >= z.kept_count)
        return;
    float sum = 0.0f;
    for (int32_t i = 0; i < z.taps; i++)
        sum = f32_add(sum, f32_multiply(low_pass.at[i], columns[thread * z.taps + i]));
    kept.at[group_z() * z.stride + own] = sum;
    tap_put_f32(taps, s.stage, own % z.kept_width, own / z.kept_width, sum);
}

ISOVMAF_FN void keep_of_analysis(SAMPLES a, SAMPLES b, SAMPLES c, SAMPLES d, ConstF32 low_pass, ConstI32 places,
                                 ConstF32 weights, F32 kept, ISOVMAF_IN(SpeedKeepParams) p, KernelTaps taps) {
    const SpeedKeepSource s = speed_keep_source(p, group_z());
    keep_samples(chosen(a, b, c, d, s.plane), chosen(a, b, c, d, s.subtracted), s, low_pass, places, weights, kept,
                 p.sizes, p.resize, taps);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = SPEED_KEEP_THREADS) in;
ISOVMAF_ARGUMENTS {
    SAMPLES a;
    SAMPLES b;
    SAMPLES c;
    SAMPLES d;
    ConstF32 low_pass;
    ConstI32 places;
    ConstF32 weights;
    F32 kept;
    ISOVMAF_TAPS_MEMBER
    SpeedKeepParams p;
}
arguments;
void main() {
    keep_of_analysis(arguments.a, arguments.b, arguments.c, arguments.d, arguments.low_pass, arguments.places,
                     arguments.weights, arguments.kept, arguments.p, ISOVMAF_TAPS_ARGUMENT);
}
#else
ISOVMAF_KERNEL(SPEED_KEEP_THREADS)
ISOVMAF_KERNEL_NAME(const SAMPLE *a, const SAMPLE *b, const SAMPLE *c, const SAMPLE *d, const float *low_pass,
                    const int32_t *places, const float *weights, float *kept,
                    ISOVMAF_TAPS_PARAMETER SpeedKeepParams p) {
    KERNEL_BODY::keep_of_analysis({a}, {b}, {c}, {d}, {low_pass}, {places}, {weights}, {kept}, p,
                                  ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
#undef SAMPLE_BITS
#undef SAMPLE
#undef SAMPLES
