// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/float_ms_ssim/float_ms_ssim_math.h"
#include "simd/level.hpp"

namespace isovmaf {

/// A row with its even and its odd columns apart, from the first column that the low-pass filter reads: even[i] is
/// column 2 i - 4, odd[i] is column 2 i - 3. Rows have the room of ssim_row_step.
struct MsSsimSplitRow {
    float *even, *odd;
};

/// MS-SSIM's vector code at one level, beside SSIM's: what float_ms_ssim_vectors.cpp defines and float_ms_ssim_cpu.cpp
/// calls.
struct MsSsimFunctions {
    /// Splits a row: even[i] gets column 2 i, odd[i] column 2 i + 1.
    void (*split)(const float *row, int width, float *even, float *odd);

    /// Filters MS_SSIM_TAP_COUNT rows into one row of `width` values, a value for every other column, in the order of
    /// the definition.
    void (*low_pass)(const MsSsimSplitRow *rows, int width, float *out);

    /// The same in two steps, for pictures whose sums are exact in any order. The sum of one row with row `tap_row` of
    /// the taps, at most MS_SSIM_TAP_COUNT / 2; and the sum of MS_SSIM_TAP_COUNT such sums.
    void (*sum_row)(const MsSsimSplitRow &row, int tap_row, int width, double *sums);
    void (*add_rows)(const double *const *sums, int width, float *out);
};

/// float_ms_ssim_cpu.cpp: the functions of a level; null if there are none.
const MsSsimFunctions *float_ms_ssim_functions(CpuLevel level);

} // namespace isovmaf
