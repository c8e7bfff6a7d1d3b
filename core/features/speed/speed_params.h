// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters of SpEED's kernels.
#ifndef ISOVMAF_SPEED_PARAMS_H
#define ISOVMAF_SPEED_PARAMS_H

#include "features/speed/speed_math.h"

// Before a loop that is written out, so that all its loads begin at once. Shaders keep the loop, as a sum takes many
// instructions there.
#if defined(VULKAN)
#define SPEED_UNROLL
#else
#define SPEED_UNROLL ISOVMAF_UNROLL
#endif

// A launch has all analyses that are prepared in one way. They have a part of the scratch memory each, `stride`
// elements apart, and share the planes that they read.
#define SPEED_MOST_ANALYSES 4
#define SPEED_MOST_PLANES 4

// A block filters some of the samples that are kept; a thread filters down one column of a sample's window.
#define SPEED_KEEP_THREADS 128

struct SpeedKeepSizes {
    int32_t width, height; // of the picture that is filtered
    int32_t kept_width, kept_count;
    int32_t taps;
    int32_t samples; // of a block
    int32_t bit_depth;
    int32_t stride; // of the kept samples of an analysis
};
struct SpeedKeepResize {
    int32_t method; // SPEED_NOT_RESIZED, or whether sums are divided by those of their weights
    int32_t down_taps, across_taps;
    int32_t across; // where the places and weights of columns begin: those of rows come first
};
#define SPEED_NOT_RESIZED 0
#define SPEED_RESIZED 1
#define SPEED_RESIZED_AND_DIVIDED 2

// What an analysis reads, and the stage of the samples that it keeps.
struct SpeedKeepSource {
    int32_t plane, stride_bytes;
    int32_t subtracted, subtracted_stride_bytes; // plane and the distance of its rows; -1 for no plane
    int32_t stage;
};
struct SpeedKeepParams {
    SpeedKeepSizes sizes;
    SpeedKeepResize resize;
    SpeedKeepSource sources[SPEED_MOST_ANALYSES];
};

// The source of an analysis, chosen without an index, so that the parameters of kernels stay in registers.
ISOVMAF_FN SpeedKeepSource speed_keep_source(SpeedKeepParams p, int32_t analysis) {
    if (analysis == 0)
        return p.sources[0];
    if (analysis == 1)
        return p.sources[1];
    if (analysis == 2)
        return p.sources[2];
    return p.sources[3];
}

// A thread takes the local mean from a sample.
#define SPEED_LOCAL_THREADS 64

struct SpeedLocalParams {
    int32_t width, height;
    int32_t taps;
    int32_t stride; // of the samples of an analysis
    int32_t stage[SPEED_MOST_ANALYSES];
};

// A block has some of the covariances, row by row of the lower half of the matrix. Terms are made by all threads but
// the first ones, a chunk of places at a time; of these, one thread a sum adds them.
#define SPEED_PAIRS (SPEED_VALUES * (SPEED_VALUES + 1) / 2)
#define SPEED_COVARIANCES_THREADS 256
#define SPEED_COVARIANCES_ADDERS 64
#define SPEED_COVARIANCES_PAIRS 13
#define SPEED_COVARIANCES_PLACES 64
#define SPEED_MEANS_PLACES 32

struct SpeedCovariancesParams {
    int32_t width; // of a row of samples
    int32_t places_across, places;
    int32_t stride;                     // of the samples of an analysis
    int32_t matrix_stride;              // of the matrices of an analysis
    int32_t means[SPEED_MOST_ANALYSES]; // stages
    int32_t covariances[SPEED_MOST_ANALYSES];
};

// An analysis' matrices in scratch memory, one after the other, and what follows them.
#define SPEED_MATRIX (SPEED_VALUES * SPEED_VALUES)
#define SPEED_COVARIANCES_AT 0
#define SPEED_Q_AT SPEED_MATRIX
#define SPEED_R_AT (2 * SPEED_MATRIX)
#define SPEED_EIGENVALUES_AT (3 * SPEED_MATRIX)
#define SPEED_SOLVED_AT (3 * SPEED_MATRIX + SPEED_VALUES) // one of the numbers below
#define SPEED_MATRICES (3 * SPEED_MATRIX + SPEED_VALUES + 1)

#define SPEED_SOLVED 0.0f
#define SPEED_PIVOT_TOO_SMALL 1.0f
#define SPEED_ALL_NAN 2.0f // what a reflection of length 0 makes of every number behind it

// Of an analysis' covariances, one block finds the eigenvalues and another one the factors Q and R.
#define SPEED_MATRICES_THREADS 256
#define SPEED_MATRICES_BLOCKS 2

struct SpeedMatricesParams {
    int32_t stride; // of the matrices of an analysis
    int32_t stage[SPEED_MOST_ANALYSES];
};

// A block of threads solves the systems of so many blocks of samples: all threads multiply by Q, and one thread a
// system does the rest.
#define SPEED_VARIANCES_THREADS 256
#define SPEED_VARIANCES_SYSTEMS 64

struct SpeedVariancesParams {
    int32_t width;
    int32_t blocks_across, blocks;
    int32_t stride, matrix_stride;
    int32_t eigenvalue_word[SPEED_MOST_ANALYSES]; // the first one; the variances follow, and whether the plane is bad
    int32_t stage[SPEED_MOST_ANALYSES];
};

#endif
