// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/level.hpp"

namespace isovmaf {

/// A plane of luma or chroma, row after row. Samples behind the last row or column are never read.
template <class Sample>
struct XpsnrSamples {
    const Sample *first = nullptr; ///< of row 0
    std::ptrdiff_t stride = 0;     ///< samples from a row to the next; 0: all rows are the first one
    int width = 0, height = 0;
};

/// Samples [left, right) of rows [top, bottom).
struct XpsnrSpan {
    int left, top, right, bottom;
};

/// The luma of the reference whose changes are summed up: that of the frame, of the frame before, and of two frames
/// before, which the first order does not read.
template <class Sample>
struct XpsnrHistory {
    XpsnrSamples<Sample> now, before, before_that;
    bool second_order = false;
};

/// XPSNR's vector code for one type of samples: sums of terms over a part of a plane that has at least one sample, with
/// samples of at most `bit_depth` bits. `terms`, unless null, gets the terms too, row after row.
template <class Sample>
struct XpsnrSums {
    /// Squared errors.
    std::uint64_t (*error)(const XpsnrSamples<Sample> &reference, const XpsnrSamples<Sample> &distorted,
                           const XpsnrSpan &span, int bit_depth, std::uint32_t *terms);
    /// Spatial terms. The span lies within the plane without its first and last column and row.
    std::uint64_t (*spatial)(const XpsnrSamples<Sample> &reference, const XpsnrSpan &span, int bit_depth,
                             std::uint32_t *terms);
    /// Temporal terms.
    std::uint64_t (*temporal)(const XpsnrHistory<Sample> &history, const XpsnrSpan &span, int bit_depth,
                              std::uint32_t *terms);
    /// The same for the groups of two by two samples that begin in the span, whose left and top are even.
    std::uint64_t (*spatial_halved)(const XpsnrSamples<Sample> &reference, const XpsnrSpan &span, int bit_depth,
                                    std::uint32_t *terms);
    std::uint64_t (*temporal_halved)(const XpsnrHistory<Sample> &history, const XpsnrSpan &span, int bit_depth,
                                     std::uint32_t *terms);
};

/// What xpsnr_vectors.cpp defines at one level and xpsnr_cpu.cpp calls.
struct XpsnrFunctions {
    XpsnrSums<std::uint8_t> sums_8;
    XpsnrSums<std::uint16_t> sums_16;
};

/// xpsnr_cpu.cpp: the functions of a level; null if there are none.
const XpsnrFunctions *xpsnr_functions(CpuLevel level);

} // namespace isovmaf
