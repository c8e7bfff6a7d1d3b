// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of PSNR-HVS: a block of threads computes the weighted errors of a group of blocks of one plane (features.md
// §9.1 to §9.4), and their sum in some order. SAMPLE_BITS is 8 or 16.
//
// Both pictures' blocks lie beside each other in shared memory, and neighbouring threads take the same step for
// neighbouring blocks: a thread has a quadrant, then columns and rows to transform. Sums over a whole block have an
// order, so one thread makes them.
#include "features/psnr_hvs/psnr_hvs_params.h"
#include "portable/body.h"
#include "portable/f32.h"

#define SAMPLE ISOVMAF_SAMPLE(SAMPLE_BITS)
#define SAMPLES ISOVMAF_SAMPLES(SAMPLE_BITS)

ISOVMAF_BODY_BEGIN

ISOVMAF_CONSTANT int32_t lanes = 2 * PSNR_HVS_GROUP_BLOCKS; // of blocks: the reference's, then the distorted picture's
ISOVMAF_CONSTANT int32_t quadrant_count = 4;
ISOVMAF_CONSTANT int32_t half_block = PSNR_HVS_BLOCK / 2;
ISOVMAF_CONSTANT int32_t rows_at_once = PSNR_HVS_ERRORS_THREADS / lanes;
ISOVMAF_CONSTANT int32_t blocks_at_once = PSNR_HVS_ERRORS_THREADS / PSNR_HVS_COEFFICIENTS;
ISOVMAF_CONSTANT int32_t sum_threads = 32;
ISOVMAF_STATIC_ASSERT(PSNR_HVS_ERRORS_THREADS == quadrant_count * lanes, "a thread has a quadrant");
ISOVMAF_STATIC_ASSERT(rows_at_once * 2 == PSNR_HVS_BLOCK, "a thread has two columns, and two rows");

// The value at place k of a block lies at k * place_stride + lane: two lanes more, so that the values of one block lie
// in different banks.
ISOVMAF_CONSTANT int32_t place_stride = lanes + 2;
ISOVMAF_CONSTANT int32_t row_stride = PSNR_HVS_BLOCK * place_stride;
ISOVMAF_SHARED(int16_t, values[PSNR_HVS_COEFFICIENTS * place_stride]); // samples, then coefficients
ISOVMAF_SHARED(uint16_t, quadrant_sums[PSNR_HVS_ERRORS_THREADS]);
ISOVMAF_SHARED(float, partial_sums[PSNR_HVS_ERRORS_THREADS]); // first of quadrants, at last of threads' errors
ISOVMAF_SHARED(float, strengths[lanes]);
ISOVMAF_SHARED(float, masks[PSNR_HVS_COEFFICIENTS]);

// Loads two columns of the thread's block; beyond the plane's last block that one. All lanes of a wave have blocks of
// the same picture.
ISOVMAF_FN void load_samples(SAMPLES reference, SAMPLES distorted, ISOVMAF_IN(PsnrHvsPlane) p, int32_t group) {
    const int32_t lane = thread_x() % lanes, first_column = thread_x() / lanes;
    const bool is_reference = lane < PSNR_HVS_GROUP_BLOCKS;
    SAMPLES plane = reference;
    if (!is_reference)
        plane = distorted;
    const int32_t stride_bytes = is_reference ? p.reference_stride : p.distorted_stride;
    const int32_t wanted = group * PSNR_HVS_GROUP_BLOCKS + lane % PSNR_HVS_GROUP_BLOCKS;
    const int32_t block = wanted < p.blocks ? wanted : p.blocks - 1;
    const uint32_t row_samples = uint32_t(stride_bytes) / (SAMPLE_BITS / 8);
    const uint32_t x = uint32_t(block % p.columns * PSNR_HVS_STEP + first_column);
    const uint32_t first = uint32_t(block / p.columns * PSNR_HVS_STEP) * row_samples + x;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < PSNR_HVS_BLOCK; i++) {
        ISOVMAF_UNROLL
        for (int32_t j = 0; j < PSNR_HVS_BLOCK; j += rows_at_once)
            values[i * row_stride + (first_column + j) * place_stride + lane] =
                int16_t(element_of(plane, first + uint32_t(i) * row_samples + uint32_t(j)));
    }
}

ISOVMAF_FN float squared(float v) { return f32_multiply(v, v); }
ISOVMAF_FN float squared_deviation(int32_t place, float mean) {
    return squared(f32_subtract(f32_of_u32(uint32_t(values[place])), mean));
}

// The variance of the thread's quadrant, and its sum of samples.
ISOVMAF_FN void sum_quadrant() {
    const int32_t lane = thread_x() % lanes, q = thread_x() / lanes;
    const int32_t first = q % 2 * half_block * row_stride + q / 2 * half_block * place_stride + lane;
    uint32_t sum = 0u;
    for (int32_t i = 0; i < half_block; i++)
        for (int32_t j = 0; j < half_block; j++)
            sum += uint32_t(values[first + i * row_stride + j * place_stride]);
    const float mean = f32_multiply(f32_of_u32(sum), 1.0f / float(half_block * half_block));
    float variance = 0.0f;
    for (int32_t i = 0; i < half_block; i++)
        for (int32_t j = 0; j < half_block; j++)
            variance = f32_add(variance, squared_deviation(first + i * row_stride + j * place_stride, mean));
    quadrant_sums[thread_x()] = uint16_t(sum); // at most 16 times 4095
    partial_sums[thread_x()] = f32_multiply(variance, PSNR_HVS_QUADRANT_SCALE);
}

// How much of the variance of the lane's block lies within quadrants.
ISOVMAF_FN float variance_ratio(int32_t lane) {
    uint32_t sum = 0u;
    for (int32_t q = 0; q < quadrant_count; q++)
        sum += uint32_t(quadrant_sums[q * lanes + lane]);
    const float mean = f32_multiply(f32_of_u32(sum), 1.0f / float(PSNR_HVS_COEFFICIENTS));
    float variance = 0.0f;
    for (int32_t k = 0; k < PSNR_HVS_COEFFICIENTS; k++)
        variance = f32_add(variance, squared_deviation(k * place_stride + lane, mean));
    variance = f32_multiply(variance, PSNR_HVS_VARIANCE_SCALE);
    float within = partial_sums[lane];
    for (int32_t q = 1; q < quadrant_count; q++)
        within = f32_add(within, partial_sums[q * lanes + lane]);
    return variance > 0.0f ? f32_divide(within, variance) : 0.0f;
}

// The transform of eight values, of which the first one is at `first`.
ISOVMAF_FN PsnrHvsEight transformed(int32_t first, int32_t stride) {
    PsnrHvsEight x;
    x.v0 = int32_t(values[first]);
    x.v1 = int32_t(values[first + stride]);
    x.v2 = int32_t(values[first + 2 * stride]);
    x.v3 = int32_t(values[first + 3 * stride]);
    x.v4 = int32_t(values[first + 4 * stride]);
    x.v5 = int32_t(values[first + 5 * stride]);
    x.v6 = int32_t(values[first + 6 * stride]);
    x.v7 = int32_t(values[first + 7 * stride]);
    return psnr_hvs_transform(x);
}
ISOVMAF_FN void put_values(PsnrHvsEight y, int32_t first, int32_t stride) {
    values[first] = int16_t(y.v0);
    values[first + stride] = int16_t(y.v1);
    values[first + 2 * stride] = int16_t(y.v2);
    values[first + 3 * stride] = int16_t(y.v3);
    values[first + 4 * stride] = int16_t(y.v4);
    values[first + 5 * stride] = int16_t(y.v5);
    values[first + 6 * stride] = int16_t(y.v6);
    values[first + 7 * stride] = int16_t(y.v7);
}

// Transforms the thread's two rows.
ISOVMAF_FN void transform_rows() {
    const int32_t first = thread_x() / lanes * row_stride + thread_x() % lanes;
    ISOVMAF_UNROLL
    for (int32_t i = 0; i < PSNR_HVS_BLOCK; i += rows_at_once)
        put_values(transformed(first + i * row_stride, place_stride), first + i * row_stride, place_stride);
}

ISOVMAF_FN uint32_t magnitude(int32_t v) { return uint32_t(v < 0 ? -v : v); }

// How much the lane's block hides of differences.
ISOVMAF_FN float masking_strength(int32_t lane, float ratio) {
    float sum = 0.0f;
    for (int32_t k = 1; k < PSNR_HVS_COEFFICIENTS; k++) {
        const float c = f32_of_u32(magnitude(int32_t(values[k * place_stride + lane])));
        sum = f32_add(sum, f32_multiply(squared(c), masks[k]));
    }
    return f32_multiply(f32_sqrt(f32_multiply(sum, ratio)), 1.0f / 32.0f);
}

// The error of the coefficient at place k.
ISOVMAF_FN float weighted_error(int32_t reference, int32_t distorted, float strength, int32_t k, float weight) {
    float error = f32_of_u32(magnitude(reference - distorted));
    if (k > 0) {
        const float threshold = f32_divide(strength, masks[k]);
        error = error < threshold ? 0.0f : f32_subtract(error, threshold);
    }
    return squared(f32_multiply(error, weight));
}

// Stores the errors of one coefficient of some of the group's blocks, and returns their sum.
ISOVMAF_FN float store_errors(ConstF32 weights, F32 errors, ISOVMAF_IN(PsnrHvsPlane) p, int32_t group,
                              KernelTaps taps) {
    const int32_t k = thread_x() % PSNR_HVS_COEFFICIENTS;
    const float weight = weights.at[k];
    float sum = 0.0f;
    for (int32_t b = thread_x() / PSNR_HVS_COEFFICIENTS; b < PSNR_HVS_GROUP_BLOCKS; b += blocks_at_once) {
        const int32_t block = group * PSNR_HVS_GROUP_BLOCKS + b;
        const int32_t reference = int32_t(values[k * place_stride + b]);
        const int32_t distorted = int32_t(values[k * place_stride + PSNR_HVS_GROUP_BLOCKS + b]);
        const float r_strength = strengths[b], d_strength = strengths[PSNR_HVS_GROUP_BLOCKS + b];
        const float strength = r_strength < d_strength ? d_strength : r_strength;
        float error = 0.0f;
        if (block < p.blocks) {
            const int32_t x = block % p.columns * PSNR_HVS_BLOCK + k % PSNR_HVS_BLOCK;
            const int32_t y = block / p.columns * PSNR_HVS_BLOCK + k / PSNR_HVS_BLOCK;
            error = weighted_error(reference, distorted, strength, k, weight);
            tap_put(taps, p.stage, x, y, reference);
            tap_put(taps, p.stage + 1, x, y, distorted);
            if (k == 0)
                tap_put_f32(taps, p.stage + 2, x / PSNR_HVS_BLOCK, y / PSNR_HVS_BLOCK, strength);
            tap_put_f32(taps, p.stage + 3, x, y, error);
        }
        errors.at[group_x() * PSNR_HVS_GROUP_TERMS + b * PSNR_HVS_COEFFICIENTS + k] = error;
        sum = f32_add(sum, error);
    }
    return sum;
}

// Returns the sum of all threads' numbers to thread 0, in an order that no device changes.
ISOVMAF_FN float sum_of_threads(float own) {
    partial_sums[thread_x()] = own;
    barrier();
    if (thread_x() < sum_threads) {
        for (int32_t i = thread_x() + sum_threads; i < PSNR_HVS_ERRORS_THREADS; i += sum_threads)
            own = f32_add(own, partial_sums[i]);
        partial_sums[thread_x()] = own;
    }
    barrier();
    if (thread_x() == 0)
        for (int32_t i = 1; i < sum_threads; i++)
            own = f32_add(own, partial_sums[i]);
    return own;
}

// The errors of a group of one plane of both pictures, whose tables (PsnrHvsTables) are given.
ISOVMAF_FN void group_errors(SAMPLES reference, SAMPLES distorted, ConstF32 tables, F32 errors, F32 sums,
                             ISOVMAF_IN(PsnrHvsPlane) p, KernelTaps taps) {
    const int32_t group = group_x() - p.first_group;
    load_samples(reference, distorted, p, group);
    if (thread_x() < PSNR_HVS_COEFFICIENTS)
        masks[thread_x()] = tables.at[PSNR_HVS_COEFFICIENTS + thread_x()];
    barrier();
    sum_quadrant();
    barrier();
    const int32_t lane = thread_x() % lanes, column = thread_x() / lanes * place_stride + lane;
    const float ratio = thread_x() < lanes ? variance_ratio(lane) : 0.0f;
    const PsnrHvsEight left = transformed(column, row_stride);
    const PsnrHvsEight right = transformed(column + rows_at_once * place_stride, row_stride);
    barrier();
    put_values(left, column, row_stride);
    put_values(right, column + rows_at_once * place_stride, row_stride);
    barrier();
    transform_rows();
    barrier();
    if (thread_x() < lanes)
        strengths[lane] = masking_strength(lane, ratio);
    barrier();
    const float sum = sum_of_threads(store_errors(tables, errors, p, group, taps));
    if (thread_x() == 0)
        sums.at[group_x()] = sum;
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = PSNR_HVS_ERRORS_THREADS) in;
ISOVMAF_ARGUMENTS {
    SAMPLES reference[PSNR_HVS_PLANES], distorted[PSNR_HVS_PLANES];
    ConstF32 tables;
    F32 errors;
    F32 sums;
    ISOVMAF_TAPS_MEMBER
    PsnrHvsParams p;
}
arguments;
void main() {
    const int32_t plane = psnr_hvs_plane_of(arguments.p, group_x());
    group_errors(arguments.reference[plane], arguments.distorted[plane],
                 pointer_after(ConstF32, arguments.tables, plane * PSNR_HVS_TABLE_BYTES), arguments.errors,
                 arguments.sums, psnr_hvs_plane(arguments.p, plane), ISOVMAF_TAPS_ARGUMENT);
}
#else
ISOVMAF_KERNEL(PSNR_HVS_ERRORS_THREADS)
ISOVMAF_KERNEL_NAME(const SAMPLE *reference_y, const SAMPLE *reference_cb, const SAMPLE *reference_cr,
                    const SAMPLE *distorted_y, const SAMPLE *distorted_cb, const SAMPLE *distorted_cr,
                    const float *tables, float *errors, float *sums, ISOVMAF_TAPS_PARAMETER PsnrHvsParams p) {
    const int32_t plane = psnr_hvs_plane_of(p, group_x());
    KERNEL_BODY::group_errors({plane == 0   ? reference_y
                               : plane == 1 ? reference_cb
                                            : reference_cr},
                              {plane == 0   ? distorted_y
                               : plane == 1 ? distorted_cb
                                            : distorted_cr},
                              {tables + plane * PSNR_HVS_TABLE_BYTES / 4}, {errors}, {sums}, psnr_hvs_plane(p, plane),
                              ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
#undef SAMPLE_BITS
#undef SAMPLE
#undef SAMPLES
