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

// Terms of f64 sums, and the sums: in shaders integers. Values are the terms of the means.
#if defined(VULKAN)
#define SPEED_TERM RunningTerm
#define SPEED_TERMS RunningBatch
#define SPEED_SUM RunningSum
ISOVMAF_CONSTANT int32_t terms_at_once = RUNNING_BATCH;
ISOVMAF_FN SPEED_TERM no_term() { return running_term(running_number(uint64_t(0))); }
ISOVMAF_FN SPEED_SUM no_sum() { return running_number(uint64_t(0)); }
ISOVMAF_FN SPEED_SUM sum_with(SPEED_SUM sum, SPEED_TERMS next) { return running_add_batch(sum, next); }
ISOVMAF_FN float mean_of(SPEED_SUM sum, int32_t count) {
    return f32_of_bits(f32_or_denormal_of_f64(f64_divide(running_bits(sum), f64_of_i64(int64_t(count)))));
}
#else
#define SPEED_TERM double
#define SPEED_TERMS SpeedTerms
#define SPEED_SUM double
ISOVMAF_CONSTANT int32_t terms_at_once = 8;
struct SpeedTerms {
    double terms[terms_at_once];
};
ISOVMAF_FN SPEED_TERM no_term() { return 0; }
ISOVMAF_FN SPEED_SUM no_sum() { return 0; }
ISOVMAF_FN SPEED_SUM sum_with(SPEED_SUM sum, SPEED_TERMS next) {
    ISOVMAF_UNROLL
    for (int32_t k = 0; k < terms_at_once; k++)
        sum += next.terms[k];
    return sum;
}
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

// Terms of a chunk, and of the one before; values stand in the same memory.
#if defined(VULKAN)
ISOVMAF_SHARED(int64_t, wide[2 * chunk_terms]);
ISOVMAF_SHARED(int32_t, places[2 * chunk_terms]);
ISOVMAF_FN void put_value(int32_t at, float value) { places[at] = int32_t(f32_bits(value)); }
ISOVMAF_FN float value_at(int32_t at) { return f32_of_bits(uint32_t(places[at])); }
ISOVMAF_FN void put_term(int32_t at, SPEED_TERM term) {
    wide[at] = term.wide;
    places[at] = term.place;
}
ISOVMAF_FN SPEED_TERM term_at(int32_t at) {
    SPEED_TERM term;
    term.wide = wide[at];
    term.place = places[at];
    return term;
}
#else
ISOVMAF_SHARED(double, terms[2 * chunk_terms]);
ISOVMAF_FN void put_value(int32_t at, float value) { terms[at] = value; }
ISOVMAF_FN float value_at(int32_t at) { return float(terms[at]); }
ISOVMAF_FN void put_term(int32_t at, SPEED_TERM term) { terms[at] = term; }
ISOVMAF_FN SPEED_TERM term_at(int32_t at) { return terms[at]; }
#endif
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
        const float read = local.at[at + speed_value_at(p.width, value)];
        put_value(chunk % 2 * chunk_terms + value * mean_stride + in_chunk, place < p.places ? read : 0.0f);
    }
}

#if defined(VULKAN)
// The deviation of value `v` of a pair, 0 or 1, from its mean.
ISOVMAF_FN RunningSum deviation_of(ConstF32 local, int32_t at, int32_t pair, int32_t v) {
    return running_difference(f32_bits(local.at[at + pair_at[2 * pair + v]]), f32_bits(pair_means[2 * pair + v]));
}

// A maker has pairs that follow each other, most of which are in one row of the matrix.
ISOVMAF_FN void make_products(ConstF32 local, ISOVMAF_IN(SpeedCovariancesParams) p, int32_t chunk) {
    const int32_t maker = thread_x() - SPEED_COVARIANCES_ADDERS, in_chunk = maker % SPEED_COVARIANCES_PLACES;
    const int32_t place = chunk * SPEED_COVARIANCES_PLACES + in_chunk, at = place_at(p, place < p.places ? place : 0);
    const int32_t share = (SPEED_COVARIANCES_PAIRS - 1) / (makers / SPEED_COVARIANCES_PLACES) + 1;
    const int32_t first = maker / SPEED_COVARIANCES_PLACES * share;
    RunningSum row = deviation_of(local, at, first, 0);
    for (int32_t pair = first; pair < first + share && pair < SPEED_COVARIANCES_PAIRS; pair++) {
        if (pair > first && pair_at[2 * pair] != pair_at[2 * pair - 2])
            row = deviation_of(local, at, pair, 0);
        const RunningTerm term = running_product(row, deviation_of(local, at, pair, 1));
        put_term(chunk % 2 * chunk_terms + pair * pair_stride + in_chunk, place < p.places ? term : no_term());
    }
}
#else
ISOVMAF_FN double term_of(float v, float v_mean, float w, float w_mean) {
    return (double(v) - double(v_mean)) * (double(w) - double(w_mean));
}

ISOVMAF_FN void make_products(ConstF32 local, ISOVMAF_IN(SpeedCovariancesParams) p, int32_t chunk) {
    const int32_t maker = thread_x() - SPEED_COVARIANCES_ADDERS, in_chunk = maker % SPEED_COVARIANCES_PLACES;
    const int32_t place = chunk * SPEED_COVARIANCES_PLACES + in_chunk, at = place_at(p, place < p.places ? place : 0);
    const int32_t own = maker / SPEED_COVARIANCES_PLACES, step = makers / SPEED_COVARIANCES_PLACES;
    SPEED_UNROLL
    for (int32_t i = 0; i < SPEED_COVARIANCES_PAIRS; i += step) {
        const int32_t pair = i + own < SPEED_COVARIANCES_PAIRS ? i + own : own;
        const double term = term_of(local.at[at + pair_at[2 * pair]], pair_means[2 * pair],
                                    local.at[at + pair_at[2 * pair + 1]], pair_means[2 * pair + 1]);
        put_term(chunk % 2 * chunk_terms + pair * pair_stride + in_chunk, place < p.places ? term : no_term());
    }
}
#endif

// Values and terms that are read at once, before the first of them is added.
ISOVMAF_CONSTANT int32_t values_at_once = 8;
struct SpeedValues {
    float values[values_at_once];
};
ISOVMAF_FN SpeedValues read_values(int32_t first) {
    SpeedValues next;
    ISOVMAF_UNROLL
    for (int32_t k = 0; k < values_at_once; k++)
        next.values[k] = value_at(first + k);
    return next;
}
ISOVMAF_FN SPEED_TERMS read_terms(int32_t first) {
    SPEED_TERMS next;
    ISOVMAF_UNROLL
    for (int32_t k = 0; k < terms_at_once; k++)
        next.terms[k] = term_at(first + k);
    return next;
}

// Adds the values of a chunk to their sum. Shaders keep the loop of sums: glslc forgets that its copies are precise.
ISOVMAF_FN float add_values_as(bool quick, float sum, int32_t first) {
    for (int32_t i = 0; i < SPEED_MEANS_PLACES; i += values_at_once) {
        const SpeedValues next = read_values(first + i);
        SPEED_UNROLL
        for (int32_t k = 0; k < values_at_once; k++)
            sum = f32_add_as(quick, sum, next.values[k]);
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
            for (int32_t i = 0; i < SPEED_COVARIANCES_PLACES; i += terms_at_once)
                sum = sum_with(sum, read_terms(first + i));
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
#undef SPEED_TERM
#undef SPEED_TERMS
#undef SPEED_SUM
