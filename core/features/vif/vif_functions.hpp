// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>

#include "features/vif/vif_math.h"
#include "simd/level.hpp"

namespace isovmaf {

/// Rows [top, bottom) of a luma picture, which has `width` samples a row and `height` rows in all. Row y starts at
/// samples + (y - top) * stride_bytes.
struct VifRows {
    const std::byte *samples;
    std::ptrdiff_t stride_bytes;
    int top, bottom;
    int width, height;
};

/// One stage's values: that of column x and row y is values[y * stride + x].
struct VifTap {
    std::int64_t *values;
    std::int64_t stride;
};

/// The stages of one scale. `num_log` has one for each gain limit.
struct VifTaps {
    VifTap reference_variance, distorted_variance, covariance, den_log;
    const VifTap *num_log;
};

/// A scale's sums (features.md §3.4). `num_log` has one for each gain limit.
struct VifSums {
    std::int64_t den_log, num_non, den_non;
    std::int64_t *num_log;
};

/// Pixels of one scale to be added to its sums.
struct VifCount {
    VifRows reference, distorted; ///< rows of the picture that the filters reach from the rows that count
    int begin, end;               ///< rows that count
    int bit_depth;                ///< of the video
    const double *gain_limits;
    int limit_count;
    std::byte *memory;   ///< memory_bytes of VifFunctions, aligned to 64 bytes
    const VifTaps *taps; ///< gets the values of stages; may be null
};

/// Rows of the next scale's picture.
struct VifDecimation {
    VifRows from;   ///< rows that the filter reaches
    int begin, end; ///< rows to make
    int bit_depth;  ///< of the video
    std::byte *memory;
    std::uint16_t *to;        ///< row `begin`
    std::ptrdiff_t to_stride; ///< in samples, a multiple of 32; samples beyond the width get any value
};

/// VIF's vector code at one level: what vif_vectors.cpp defines and vif_cpu.cpp calls.
struct VifFunctions {
    /// Memory that count and decimate need for pictures of up to this width.
    std::size_t (*memory_bytes)(int width, int limit_count);

    /// Adds the pixels of one scale to `sums`: by [bytes per sample - 1][scale].
    void (*count[2][VIF_SCALE_COUNT])(const VifCount &, VifSums &sums);

    /// Makes rows of the next scale's picture from this scale's: by [bytes per sample - 1][scale].
    void (*decimate[2][VIF_LAST_SCALE])(const VifDecimation &);

    /// The statistic of §3.4 alone, for tests: the shares of `count` pixels in den_log and num_log. A pixel's variances
    /// and covariance are sigma[3 * i] and those behind it.
    void (*logarithms)(const std::int32_t *sigma, int count, double gain_limit, std::int32_t *den_log,
                       std::int32_t *num_log);
};

/// The functions of a level; null if there are none.
const VifFunctions *vif_functions(CpuLevel level);

} // namespace isovmaf
