// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "features/float_ssim/float_ssim_math.h"
#include "simd/level.hpp"

namespace isovmaf {

/// A multiple of the f32 lanes of every level. Rows of f32 and f64 have room for their width rounded up to a multiple
/// of it, and for as much again behind that. SSIM's functions read and write there, but values within the width do not
/// depend on it. Of rows of samples they read no more than the width.
inline constexpr int ssim_row_step = 16;

/// The planes of SsimMoments, in that order.
inline constexpr int ssim_moment_count = 5;

/// One row of each of the planes.
struct SsimMomentRow {
    float *planes[ssim_moment_count];
};

/// Rows that are smoothed down the columns together. Each row above and below them is multiplied with a tap once for
/// all of them.
inline constexpr int ssim_band_rows = 16;

/// What a comparison leaves of each pixel of a row.
struct SsimFactorRow {
    double *l, *c;
    float *s;
};

/// SSIM's vector code at one level: what float_ssim_vectors.cpp defines and float_ssim_cpu.cpp calls.
struct SsimFunctions {
    /// Samples as f32, times a power of two.
    void (*load_8)(const std::uint8_t *samples, int width, float factor, float *out);
    void (*load_16)(const std::uint16_t *samples, int width, float factor, float *out);

    /// Sums of `count` rows of samples, which must not overflow.
    void (*sum_rows_8)(const std::uint8_t *const *rows, int count, int width, std::uint16_t *sums);
    void (*sum_rows_16)(const std::uint16_t *const *rows, int count, int width, std::uint32_t *sums);

    /// Adds the f32 products of samples and a tap to `sums`.
    void (*add_products)(const float *samples, int width, float tap, double *sums);

    /// Sums of `factor` neighbours, rounded to f32, times a power of two: boxes[i] gets those from columns[i * factor]
    /// on. Sums of integers have to be below 2^31.
    void (*sum_boxes_u16)(const std::uint16_t *columns, int factor, int count, float scale, float *boxes);
    void (*sum_boxes_u32)(const std::uint32_t *columns, int factor, int count, float scale, float *boxes);
    void (*sum_boxes_f64)(const double *columns, int factor, int count, float scale, float *boxes);

    /// Smooths two rows, their squares and their product along the row. `width` values result of SSIM_TAP_COUNT - 1
    /// more in each row.
    void (*smooth_along)(const float *reference, const float *distorted, int width, const SsimMomentRow &out);

    /// Smooths down the columns. ssim_band_rows rows result of SSIM_TAP_COUNT - 1 more.
    void (*smooth_down)(const SsimMomentRow *rows, int width, const SsimMomentRow *out);

    /// Compares a row of smoothed pixels, and adds them to `sums` from left to right. `factors`, unless null, gets what
    /// results.
    void (*compare)(const SsimMomentRow &moments, int width, SsimSums &sums, const SsimFactorRow *factors);
};

/// float_ssim_cpu.cpp: the functions of a level; null if there are none.
const SsimFunctions *float_ssim_functions(CpuLevel level);

} // namespace isovmaf
