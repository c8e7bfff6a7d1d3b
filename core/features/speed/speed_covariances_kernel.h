// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of SpEED: means and covariances (speed.md §5), every sum in raster order. A block has
// SPEED_COVARIANCES_PAIRS covariances, and the means for itself. Its last threads make the terms of a chunk of places
// while its first ones, one for each sum, add those of the chunk before. Places behind the last one have the term +0,
// which changes no sum: sums start at +0, so none of them is -0.
#include "features/speed/speed_params.h"
#include "portable/body.h"
#include "portable/f32.h"

ISOVMAF_BODY_BEGIN

// f64 numbers: shaders have their bits (binary64.h).
#if defined(VULKAN)
#define SPEED_F64 uint64_t
ISOVMAF_CONSTANT int32_t batch = 1;
ISOVMAF_FN SPEED_F64 f64_zero() { return uint64_t(0); }
ISOVMAF_FN SPEED_F64 f64_sum(SPEED_F64 a, SPEED_F64 b) { return f64_add(a, b); }
ISOVMAF_FN SPEED_F64 wide(float v) { return f64_of_f32_or_denormal(f32_bits(v)); }
ISOVMAF_FN float narrow(SPEED_F64 v) { return f32_of_bits(f32_or_denormal_of_f64(v)); }
ISOVMAF_FN float mean_of(SPEED_F64 sum, int32_t count) { return narrow(f64_divide(sum, f64_of_i64(int64_t(count)))); }
ISOVMAF_FN SPEED_F64 deviation(float v, float mean) { return f64_add(wide(v), wide(mean) ^ F64_SIGN); }
ISOVMAF_FN SPEED_F64 term_of(float v, float v_mean, float w, float w_mean) {
    return f64_multiply(deviation(v, v_mean), deviation(w, w_mean));
}
#else
#define SPEED_F64 double
ISOVMAF_CONSTANT int32_t batch = 8; // terms that are read before they are added
ISOVMAF_FN SPEED_F64 f64_zero() { return 0; }
ISOVMAF_FN SPEED_F64 f64_sum(SPEED_F64 a, SPEED_F64 b) { return a + b; }
ISOVMAF_FN SPEED_F64 wide(float v) { return v; }
ISOVMAF_FN float narrow(SPEED_F64 v) { return float(v); }
ISOVMAF_FN float mean_of(SPEED_F64 sum, int32_t count) { return float(sum / count); }
ISOVMAF_FN SPEED_F64 term_of(float v, float v_mean, float w, float w_mean) {
    return (double(v) - double(v_mean)) * (double(w) - double(w_mean));
}
#endif

ISOVMAF_STATIC_ASSERT(SPEED_MEANS_PLACES % batch == 0 && SPEED_COVARIANCES_PLACES % batch == 0, "batches are full");
ISOVMAF_CONSTANT int32_t makers = SPEED_COVARIANCES_THREADS - SPEED_COVARIANCES_ADDERS; // of terms
ISOVMAF_CONSTANT int32_t chunk_terms = SPEED_COVARIANCES_PAIRS * SPEED_COVARIANCES_PLACES;
ISOVMAF_STATIC_ASSERT(chunk_terms >= SPEED_VALUES * SPEED_MEANS_PLACES && makers % SPEED_COVARIANCES_PLACES == 0 &&
                          makers % SPEED_MEANS_PLACES == 0,
                      "a maker keeps its place in a chunk");

ISOVMAF_SHARED(SPEED_F64, terms[2 * chunk_terms]); // of a chunk, and of the one before
ISOVMAF_SHARED(float, means[SPEED_VALUES]);
ISOVMAF_SHARED(int32_t, pair_row[SPEED_COVARIANCES_PAIRS]);
ISOVMAF_SHARED(int32_t, pair_column[SPEED_COVARIANCES_PAIRS]);

// Where value 0 of a place's block stands, and value `e` from there on.
ISOVMAF_FN int32_t place_at(ISOVMAF_IN(SpeedCovariancesParams) p, int32_t place) {
    return group_z() * p.stride + place / p.places_across * p.width + place % p.places_across;
}
ISOVMAF_FN int32_t value_at(ISOVMAF_IN(SpeedCovariancesParams) p, int32_t e) {
    return e / SPEED_BLOCK * p.width + e % SPEED_BLOCK;
}

// The terms of the means are the values themselves.
ISOVMAF_FN void make_values(ConstF32 local, ISOVMAF_IN(SpeedCovariancesParams) p, int32_t chunk) {
    const int32_t maker = thread_x() - SPEED_COVARIANCES_ADDERS, in_chunk = maker % SPEED_MEANS_PLACES;
    const int32_t place = chunk * SPEED_MEANS_PLACES + in_chunk, at = place_at(p, place);
    for (int32_t e = maker / SPEED_MEANS_PLACES; e < SPEED_VALUES; e += makers / SPEED_MEANS_PLACES)
        terms[chunk % 2 * chunk_terms + e * SPEED_MEANS_PLACES + in_chunk] =
            place < p.places ? wide(local.at[at + value_at(p, e)]) : f64_zero();
}

ISOVMAF_FN void make_products(ConstF32 local, ISOVMAF_IN(SpeedCovariancesParams) p, int32_t chunk) {
    const int32_t maker = thread_x() - SPEED_COVARIANCES_ADDERS, in_chunk = maker % SPEED_COVARIANCES_PLACES;
    const int32_t place = chunk * SPEED_COVARIANCES_PLACES + in_chunk, at = place_at(p, place);
    for (int32_t pair = maker / SPEED_COVARIANCES_PLACES; pair < SPEED_COVARIANCES_PAIRS;
         pair += makers / SPEED_COVARIANCES_PLACES) {
        const int32_t e = pair_row[pair], f = pair_column[pair];
        SPEED_F64 term = f64_zero();
        if (place < p.places)
            term = term_of(local.at[at + value_at(p, e)], means[e], local.at[at + value_at(p, f)], means[f]);
        terms[chunk % 2 * chunk_terms + pair * SPEED_COVARIANCES_PLACES + in_chunk] = term;
    }
}

ISOVMAF_FN void find_means(ConstF32 local, ISOVMAF_IN(SpeedCovariancesParams) p, KernelTaps taps) {
    const int32_t thread = thread_x(), chunks = (p.places - 1) / SPEED_MEANS_PLACES + 1;
    const bool makes = thread >= SPEED_COVARIANCES_ADDERS;
    if (makes)
        make_values(local, p, 0);
    barrier();
    float sum = 0.0f;
    for (int32_t chunk = 0; chunk < chunks; chunk++) {
        if (makes && chunk + 1 < chunks)
            make_values(local, p, chunk + 1);
        if (thread < SPEED_VALUES) {
            const int32_t first = chunk % 2 * chunk_terms + thread * SPEED_MEANS_PLACES;
            for (int32_t i = 0; i < SPEED_MEANS_PLACES; i += batch) {
                SPEED_F64 next[batch];
                ISOVMAF_UNROLL
                for (int32_t k = 0; k < batch; k++)
                    next[k] = terms[first + i + k];
                ISOVMAF_UNROLL
                for (int32_t k = 0; k < batch; k++)
                    sum = f32_add(sum, narrow(next[k]));
            }
        }
        barrier();
    }
    if (thread < SPEED_VALUES) {
        means[thread] = f32_divide(sum, f32_of_u32(uint32_t(p.places)));
        if (group_x() == 0)
            tap_put_f32(taps, p.means[group_z()], thread, 0, means[thread]);
    }
}

// Row and column of a covariance in the lower half of the matrix.
ISOVMAF_FN void find_pair(int32_t thread) {
    const int32_t number = group_x() * SPEED_COVARIANCES_PAIRS + thread;
    int32_t row = 0, before = 0; // numbers in the rows before
    while (before + row < number) {
        row++;
        before += row;
    }
    pair_row[thread] = row;
    pair_column[thread] = number - before;
}

ISOVMAF_FN void find_covariances(ConstF32 local, F32 matrices, ISOVMAF_IN(SpeedCovariancesParams) p, KernelTaps taps) {
    const int32_t thread = thread_x(), chunks = (p.places - 1) / SPEED_COVARIANCES_PLACES + 1;
    const bool makes = thread >= SPEED_COVARIANCES_ADDERS, adds = thread < SPEED_COVARIANCES_PAIRS;
    find_means(local, p, taps);
    if (adds)
        find_pair(thread);
    barrier();
    if (makes)
        make_products(local, p, 0);
    barrier();
    SPEED_F64 sum = f64_zero();
    for (int32_t chunk = 0; chunk < chunks; chunk++) {
        if (makes && chunk + 1 < chunks)
            make_products(local, p, chunk + 1);
        if (adds) {
            const int32_t first = chunk % 2 * chunk_terms + thread * SPEED_COVARIANCES_PLACES;
            for (int32_t i = 0; i < SPEED_COVARIANCES_PLACES; i += batch) {
                SPEED_F64 next[batch];
                ISOVMAF_UNROLL
                for (int32_t k = 0; k < batch; k++)
                    next[k] = terms[first + i + k];
                ISOVMAF_UNROLL
                for (int32_t k = 0; k < batch; k++)
                    sum = f64_sum(sum, next[k]);
            }
        }
        barrier();
    }
    if (!adds)
        return;
    const float covariance = mean_of(sum, p.places);
    const int32_t e = pair_row[thread], f = pair_column[thread];
    const int32_t matrix = group_z() * p.matrix_stride + SPEED_COVARIANCES_AT;
    matrices.at[matrix + e * SPEED_VALUES + f] = covariance;
    matrices.at[matrix + f * SPEED_VALUES + e] = covariance;
    tap_put_f32(taps, p.covariances[group_z()], f, e, covariance);
    tap_put_f32(taps, p.covariances[group_z()], e, f, covariance);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = SPEED_COVARIANCES_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstF32 local;
    F32 matrices;
    ISOVMAF_TAPS_MEMBER
    SpeedCovariancesParams p;
}
arguments;
void main() { find_covariances(arguments.local, arguments.matrices, arguments.p, ISOVMAF_TAPS_ARGUMENT); }
#else
ISOVMAF_KERNEL(SPEED_COVARIANCES_THREADS)
ISOVMAF_KERNEL_NAME(const float *local, float *matrices, ISOVMAF_TAPS_PARAMETER SpeedCovariancesParams p) {
    KERNEL_BODY::find_covariances({local}, {matrices}, p, ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
#undef SPEED_F64
