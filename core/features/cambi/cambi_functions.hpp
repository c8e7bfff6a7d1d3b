// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>

#include "features/cambi/cambi_math.h"
#include "simd/level.hpp"

namespace isovmaf {

/// Values in front of each row, and behind its last value, that functions may read and write. What they are has no
/// influence on results.
inline constexpr int cambi_row_room = 64;

/// Bits in a word of a row of bits. Bit 0 of the first word is column 0; bits behind the last column are 0.
inline constexpr int cambi_word_bits = 64;

/// How often each value stands in the window around each pixel of a row: rows of counts, one for each value.
struct CambiHistogram {
    std::uint16_t *counts;
    /// [CAMBI_LARGEST_STEP + value]: index in `counts` of column 0 of the value's row. Values that the picture does not
    /// have share a row of zeros. `value` goes from -CAMBI_LARGEST_STEP to CAMBI_LARGEST_SAMPLE + CAMBI_LARGEST_STEP.
    const std::uint32_t *rows;
    /// [value]: bit d - 1 is set if step d counts at that value.
    const std::uint32_t *steps;
    const float *reciprocals;
    int radius;
};

/// Of some c-values.
struct CambiTotal {
    double sum = 0; ///< exact, or at least as large as the smallest sum that is not (cambi_is_exact)
    std::int64_t count = 0;
};

/// CAMBI's vector code at one level: what cambi_vectors.cpp defines and cambi_cpu.cpp calls. Each width is at most
/// max_frame_side. Rows have cambi_row_room at both ends; `samples` have none.
struct CambiFunctions {
    /// Samples as ones of 10 bits.
    void (*convert_8)(const std::uint8_t *samples, int width, std::uint16_t *out);
    void (*convert_16)(const std::uint16_t *samples, int width, int bit_depth, std::uint16_t *out);

    /// Averages each sample with those on the right and below; `below` is null for the last row.
    void (*average)(const std::uint16_t *row, const std::uint16_t *below, int width, std::uint16_t *out);

    /// Writes 1 to `flat` where a sample equals those on the right and below, else 0, and adds the difference to what
    /// stood there to `sums`. Writes zeros to both behind the row.
    void (*flat_columns)(const std::uint16_t *row, const std::uint16_t *below, int width, std::uint8_t *flat,
                         std::uint8_t *sums);

    /// Sets bits where the sum of seven neighbouring sums, at most 7 each, is above `threshold`.
    void (*mask)(const std::uint8_t *sums, int width, int threshold, std::uint64_t *bits);

    /// Samples 0, 2, 4 ...: `width` of them.
    void (*decimate)(const std::uint16_t *row, int width, std::uint16_t *out);

    /// cambi_mode of neighbours along the row; the first and the last sample stay.
    void (*mode_along)(const std::uint16_t *row, int width, std::uint16_t *out);
    /// cambi_mode of three rows.
    void (*mode_down)(const std::uint16_t *above, const std::uint16_t *row, const std::uint16_t *below, int width,
                      std::uint16_t *out);

    /// Sets present[value] to 1 for all samples whose bit is set.
    void (*mark_values)(const std::uint16_t *row, const std::uint64_t *bits, int width, std::uint8_t *present);

    /// A row enters the windows, one leaves them: adds 1 for each pixel of `entering` to the counts of its value, as
    /// far as the radius goes, and takes away 1 for each pixel of `leaving`. `bits` say which pixels count.
    void (*move_windows)(const std::uint16_t *entering, const std::uint64_t *entering_bits,
                         const std::uint16_t *leaving, const std::uint64_t *leaving_bits, int width,
                         const CambiHistogram &histogram);

    /// c-values of the pixels whose bit is set, in groups of neighbours. The groups are written one behind the other;
    /// or, with `in_place`, each to its columns. Pixels of a group that do not count get 0. Returns how many were
    /// written; up to cambi_row_room values behind them may be written, too.
    std::ptrdiff_t (*c_values)(const std::uint16_t *row, const std::uint64_t *bits, int width,
                               const CambiHistogram &histogram, bool in_place, float *out);

    /// Of the values above `limit`. Values are at least 0, and multiples of 2^-24.
    CambiTotal (*total)(const float *values, std::ptrdiff_t count, float limit);
};

/// cambi_cpu.cpp: the functions of a level; null if there are none.
const CambiFunctions *cambi_functions(CpuLevel level);

} // namespace isovmaf
