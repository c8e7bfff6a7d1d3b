// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of SpEED: means and covariances (speed.md §5), every sum in raster order. A block has
// SPEED_COVARIANCES_PAIRS covariances, and the means for itself. Its last threads make the terms of a chunk of places
// while its first ones, one for each sum, add those of the chunk before. Places behind the last one have the term +0,
// which changes no sum: sums start at +0, so none of them is -0.
#include "features/speed/speed_params.h"
#include "portable/body.h"
#include "portable/f32.h"
#include "portable/running_sum.h"

ISOVMAF_BODY_BEGIN

// Numbers of f64, and sums of them: in shaders bits and integers. A term may also be an f32.
#if defined(VULKAN)
#define SPEED_F64 uint64_t
#define SPEED_SUM RunningSum
ISOVMAF_CONSTANT int32_t batch = 1;
ISOVMAF_FN SPEED_F64 f64_zero() { return uint64_t(0); }
ISOVMAF_FN SPEED_F64 term_of_f32(float v) { return uint64_t(f32_bits(v)); }
ISOVMAF_FN float f32_of_term(SPEED_F64 term) { return f32_of_bits(uint32_t(term)); }
ISOVMAF_FN SPEED_F64 deviation(float v, float mean) {
    return f64_add(f64_of_f32_or_denormal(f32_bits(v)), f64_of_f32_or_denormal(f32_bits(mean)) ^ F64_SIGN);
}
ISOVMAF_FN SPEED_F64 term_of(float v, float v_mean, float w, float w_mean) {
    return f64_multiply(deviation(v, v_mean), deviation(w, w_mean));
}
ISOVMAF_FN SPEED_SUM no_sum() { return running_number(uint64_t(0)); }
ISOVMAF_FN SPEED_SUM sum_with(SPEED_SUM sum, SPEED_F64 term) { return running_add(sum, running_number(term)); }
ISOVMAF_FN float mean_of(SPEED_SUM sum, int32_t count) {
    return f32_of_bits(f32_or_denormal_of_f64(f64_divide(running_bits(sum), f64_of_i64(int64_t(count)))));
}
#else
#define SPEED_F64 double
#define SPEED_SUM double
ISOVMAF_CONSTANT int32_t batch = 8;
ISOVMAF_FN SPEED_F64 f64_zero() { return 0; }
ISOVMAF_FN SPEED_F64 term_of_f32(float v) { return v; }
ISOVMAF_FN float f32_of_term(SPEED_F64 term) { return float(term); }
ISOVMAF_FN SPEED_F64 term_of(float v, float v_mean, float w, float w_mean) {
    return (double(v) - double(v_mean)) * (double(w) - double(w_mean));
}
ISOVMAF_FN SPEED_SUM no_sum() { return 0; }
ISOVMAF_FN SPEED_SUM sum_with(SPEED_SUM sum, SPEED_F64 term) { return sum + term; }
ISOVMAF_FN float mean_of(SPEED_SUM sum, int32_t count) { return float(sum / count); }
#endif

ISOVMAF_CONSTANT int32_t makers = SPEED_COVARIANCES_THREADS - SPEED_COVARIANCES_ADDERS; // of terms
// Terms of a sum follow each other; one more place keeps those of different sums in different banks.
ISOVMAF_CONSTANT int32_t mean_stride = SPEED_MEANS_PLACES + 1;
ISOVMAF_CONSTANT int32_t pair_stride = SPEED_COVARIANCES_PLACES + 1;
ISOVMAF_CONSTANT int32_t chunk_terms = SPEED_COVARIANCES_PAIRS * pair_stride;
ISOVMAF_STATIC_ASSERT(chunk_terms >= SPEED_VALUES * mean_stride && makers % SPEED_COVARIANCES_PLACES == 0 &&
                          makers % SPEED_MEANS_PLACES == 0,
                      "a maker keeps its place in a chunk");

ISOVMAF_SHARED(SPEED_F64, terms[2 * chunk_terms]); // of a chunk, and of the one before
ISOVMAF_SHARED(float, means[SPEED_VALUES]);

// Of a pair: where its values stand behind the place, and their means.
ISOVMAF_SHARED(int32_t, pair_at[2 * SPEED_COVARIANCES_PAIRS]);
ISOVMAF_SHARED(float, pair_means[2 * SPEED_COVARIANCES_PAIRS]);

// Where value 0 of a place's block stands.
ISOVMAF_FN int32_t place_at(ISOVMAF_IN(SpeedCovariancesParams) p, int32_t place) {
    return group_z() * p.stride + place / p.places_across * p.width + place % p.places_across;
}

// The terms of the means are the values themselves. Behind the last place the first one is read, and not used.
ISOVMAF_FN void make_values(ConstF32 local, ISOVMAF_IN(SpeedCovariancesParams) p, int32_t chunk) {
    const int32_t maker = thread_x() - SPEED_COVARIANCES_ADDERS, in_chunk = maker % SPEED_MEANS_PLACES;
    const int32_t place = chunk * SPEED_MEANS_PLACES + in_chunk, at = place_at(p, place < p.places ? place : 0);
    const int32_t own = maker / SPEED_MEANS_PLACES, step = makers / SPEED_MEANS_PLACES;
    SPEED_UNROLL
    for (int32_t e = 0; e < SPEED_VALUES; e += step) {
        const int32_t value = e + own < SPEED_VALUES ? e + own : own;
        const SPEED_F64 term = term_of_f32(local.at[at + speed_value_at(p.width, value)]);
        terms[chunk % 2 * chunk_terms + value * mean_stride + in_chunk] = place < p.places ? term : f64_zero();
    }
}

ISOVMAF_FN void make_products(ConstF32 local, ISOVMAF_IN(SpeedCovariancesParams) p, int32_t chunk) {
    const int32_t maker = thread_x() - SPEED_COVARIANCES_ADDERS, in_chunk = maker % SPEED_COVARIANCES_PLACES;
    const int32_t place = chunk * SPEED_COVARIANCES_PLACES + in_chunk, at = place_at(p, place < p.places ? place : 0);
    const int32_t own = maker / SPEED_COVARIANCES_PLACES, step = makers / SPEED_COVARIANCES_PLACES;
    SPEED_UNROLL
    for (int32_t i = 0; i < SPEED_COVARIANCES_PAIRS; i += step) {
        const int32_t pair = i + own < SPEED_COVARIANCES_PAIRS ? i + own : own;
        const SPEED_F64 term = term_of(local.at[at + pair_at[2 * pair]], pair_means[2 * pair],
                                       local.at[at + pair_at[2 * pair + 1]], pair_means[2 * pair + 1]);
        terms[chunk % 2 * chunk_terms + pair * pair_stride + in_chunk] = place < p.places ? term : f64_zero();
    }
}

// Terms that are read at once, before the first of them is added.
struct SpeedBatch {
    SPEED_F64 terms[batch];
};
ISOVMAF_FN SpeedBatch read_batch(int32_t first) {
    SpeedBatch next;
    SPEED_UNROLL
    for (int32_t k = 0; k < batch; k++)
        next.terms[k] = terms[first + k];
    return next;
}

// Adds the values of a chunk to their sum.
ISOVMAF_FN float add_values_as(bool quick, float sum, int32_t first) {
    for (int32_t i = 0; i < SPEED_MEANS_PLACES; i += batch) {
        const SpeedBatch next = read_batch(first + i);
        SPEED_UNROLL
        for (int32_t k = 0; k < batch; k++)
            sum = f32_add_as(quick, sum, f32_of_term(next.terms[k]));
    }
    return sum;
}
ISOVMAF_FN float add_values(float sum, int32_t first) {
    f32_begin_quick();
    const float quick = add_values_as(true, sum, first);
    return f32_quick_is_right() ? quick : add_values_as(false, sum, first);
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
        if (thread < SPEED_VALUES)
            sum = add_values(sum, chunk % 2 * chunk_terms + thread * mean_stride);
        barrier();
    }
    if (thread < SPEED_VALUES) {
        means[thread] = f32_divide(sum, f32_of_u32(uint32_t(p.places)));
        if (group_x() == 0)
            tap_put_f32(taps, p.means[group_z()], thread, 0, means[thread]);
    }
}

// Row and column of the thread's covariance in the lower half of the matrix.
struct SpeedPair {
    int32_t row, column;
};
ISOVMAF_FN SpeedPair find_pair() {
    const int32_t number = group_x() * SPEED_COVARIANCES_PAIRS + thread_x();
    int32_t before = 0; // numbers in the rows before
    SpeedPair pair;
    pair.row = 0;
    while (before + pair.row < number) {
        pair.row++;
        before += pair.row;
    }
    pair.column = number - before;
    return pair;
}

ISOVMAF_FN void find_covariances(ConstF32 local, F32 matrices, ISOVMAF_IN(SpeedCovariancesParams) p, KernelTaps taps) {
    const int32_t thread = thread_x(), chunks = (p.places - 1) / SPEED_COVARIANCES_PLACES + 1;
    const bool makes = thread >= SPEED_COVARIANCES_ADDERS, adds = thread < SPEED_COVARIANCES_PAIRS;
    SpeedPair pair;
    pair.row = 0;
    pair.column = 0;
    if (adds)
        pair = find_pair();
    find_means(local, p, taps);
    barrier();
    if (adds) {
        pair_at[2 * thread] = speed_value_at(p.width, pair.row);
        pair_at[2 * thread + 1] = speed_value_at(p.width, pair.column);
        pair_means[2 * thread] = means[pair.row];
        pair_means[2 * thread + 1] = means[pair.column];
    }
    barrier();
    if (makes)
        make_products(local, p, 0);
    barrier();
    SPEED_SUM sum = no_sum();
    for (int32_t chunk = 0; chunk < chunks; chunk++) {
        if (makes && chunk + 1 < chunks)
            make_products(local, p, chunk + 1);
        if (adds) {
            const int32_t first = chunk % 2 * chunk_terms + thread * pair_stride;
            for (int32_t i = 0; i < SPEED_COVARIANCES_PLACES; i += batch) {
                const SpeedBatch next = read_batch(first + i);
                SPEED_UNROLL
                for (int32_t k = 0; k < batch; k++)
                    sum = sum_with(sum, next.terms[k]);
            }
        }
        barrier();
    }
    if (!adds)
        return;
    const float covariance = mean_of(sum, p.places);
    const int32_t e = pair.row, f = pair.column;
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
#undef SPEED_SUM
