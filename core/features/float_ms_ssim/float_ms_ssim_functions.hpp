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

    /// Filters MS_SSIM_TAP_COUNT rows into one row of `width` values, a value for every other column.
    void (*low_pass)(const MsSsimSplitRow *rows, int width, float *out);
};

/// float_ms_ssim_cpu.cpp: the functions of a level; null if there are none.
const MsSsimFunctions *ms_ssim_functions(CpuLevel level);

} // namespace isovmaf
