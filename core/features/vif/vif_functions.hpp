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

/// The work of a band on the pictures of one scale: rows to count, and rows of the next scale to make.
struct VifTask {
    VifRows reference, distorted; ///< rows that the filters reach, from those that count and those that are made
    int bit_depth;                ///< of the video
    std::byte *memory;            ///< memory_bytes of VifFunctions, aligned to 64 bytes

    int begin, end; ///< rows that count; there may be none
    const double *gain_limits;
    int limit_count;
    const VifTaps *taps = nullptr; ///< gets the values of stages; may be null

    int next_begin = 0, next_end = 0; ///< rows of the next scale's pictures to make; there may be none
    std::uint16_t *next_reference = nullptr, *next_distorted = nullptr; ///< row next_begin
    std::ptrdiff_t next_stride = 0;                                     ///< in samples: vif_next_stride
};

/// Samples from row to row of the next scale's pictures. Vector code writes some samples beyond the width.
constexpr std::ptrdiff_t vif_next_stride(int next_width) { return (next_width + 95) / 32 * 32; }

/// VIF's vector code at one level: what vif_vectors.cpp defines and vif_cpu.cpp calls.
struct VifFunctions {
    /// Memory that a scale needs for pictures of up to this width.
    std::size_t (*memory_bytes)(int width, int limit_count);

    /// Adds the pixels of one scale to `sums`, and makes the next scale's pictures: by [bytes per sample - 1][scale].
    void (*run[2][VIF_SCALE_COUNT])(const VifTask &, VifSums &sums);

    /// The statistic of §3.4 alone, for tests: the shares of `count` pixels in den_log and num_log. A pixel's variances
    /// and covariance are sigma[3 * i] and those behind it.
    void (*logarithms)(const std::int32_t *sigma, int count, double gain_limit, std::int32_t *den_log,
                       std::int32_t *num_log);
};

/// The functions of a level; null if there are none.
const VifFunctions *vif_functions(CpuLevel level);

} // namespace isovmaf
