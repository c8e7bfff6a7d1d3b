// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "features/speed/speed_math.h"
#include "simd/level.hpp"

/// SpEED's vector code: what speed_vectors.cpp defines for each level and speed_cpu.cpp calls (speed.md).
///
/// Only rows of planes, which have at least 20 samples, are read within their bounds. All other rows start at a
/// multiple of the vectors' size and have room for their width rounded up to a multiple of speed_row_step.
namespace isovmaf {

constexpr int speed_row_step = 32;
constexpr int speed_matrix_stride = 32; ///< of matrices with SPEED_VALUES columns; the other columns are 0
constexpr int speed_chunk_places = 64;  ///< whose 25 values are centred at once

/// What a row of a resized picture is made of (speed.md §4).
struct SpeedResampling {
    const float *const *rows; ///< of the source, `row_taps` of them
    const float *row_weights;
    int row_taps;
    const std::int32_t *columns; ///< of the source: `column_taps` rows of `stride` values
    const float *column_weights; ///< laid out like `columns`
    int column_taps;
    int stride;
    int width;    ///< values to make
    bool divided; ///< by the sum of their weights
};

/// Samples without local mean, and the places that a block can have among them. Rows have two more steps of room.
struct SpeedPlaces {
    const float *samples;
    int stride;
    int across, down;
};

enum class SpeedSolved : std::uint8_t {
    yes,
    singular, ///< a pivot is too small
    unusual,  ///< values occur with which steps that change nothing must not be left out: take speed_solve
};

/// A system of equations and its scratch memory.
struct SpeedSystem {
    const float *matrix; ///< SPEED_VALUES rows
    const float *data;   ///< SPEED_VALUES rows of `stride` values, of which `columns` count
    float *x;            ///< like `data`
    float *scratch;      ///< speed_scratch_matrices matrices
    float *product;      ///< like `data`
    int columns, stride;
};
constexpr int speed_scratch_matrices = 5;

struct SpeedFunctions {
    /// values[x] = samples[x] * unit - 128, less the same of `subtracted` unless that is null.
    void (*convert_8)(const std::uint8_t *samples, const std::uint8_t *subtracted, int width, float unit,
                      float *values);
    void (*convert_16)(const std::uint16_t *samples, const std::uint16_t *subtracted, int width, float unit,
                       float *values);

    void (*resample)(const SpeedResampling &how, float *values);

    /// Sums of taps times the values of `count` rows, in the order of the rows.
    void (*filter_rows)(const float *const *rows, const float *taps, int count, int width, float *values);

    /// Sums of taps times `count` values from values[x * step] on, for every x below `width`.
    void (*decimate)(const float *values, int step, const float *taps, int count, int width, float *kept);

    /// local[x] = kept[x] less the sum of taps times `count` values from values[x] on.
    void (*remove_mean)(const float *values, const float *taps, int count, const float *kept, int width, float *local);

    /// SPEED_VALUES means, in f32 raster sums.
    void (*means)(const SpeedPlaces &places, float *means);

    /// The covariance matrix, in f64 raster sums. `scratch` has room for speed_chunk_places * speed_matrix_stride.
    void (*covariances)(const SpeedPlaces &places, const float *means, double *scratch, float *matrix);

    /// Makes a matrix tridiagonal: what speed_tridiagonal returns. `matrix` is overwritten.
    void (*tridiagonal)(float *matrix, float *diagonal, float *beside);

    SpeedSolved (*solve)(const SpeedSystem &system);

    /// The mean of x times data over the rows, for each column.
    void (*variances)(const SpeedSystem &system, float *variances);

    /// Replaces `count` values by math::log2 of them. `rows` is math::log2_table in rows of 2. False, and nothing is
    /// replaced, where a value is subnormal or has no finite logarithm, or where the level has no fused multiply-add.
    bool (*log2)(const double *rows, double *values, int count);
};

/// speed_cpu.cpp: the functions of a level, and of the newest level up to `cap`; null if there are none.
const SpeedFunctions *speed_functions(CpuLevel level);
const SpeedFunctions *newest_speed_functions(CpuLevel cap);

} // namespace isovmaf
