// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "features/adm/adm_math.h"
#include "simd/level.hpp"

/// ADM's vector code: what adm_vectors.cpp defines for each level and adm_cpu.cpp calls, row by row (features.md §4).
///
/// Functions work in whole vectors: memory behind the last column of a row, adm_row_padding values, is read and
/// written. Only rows of pictures, of which the width is given, are read within their bounds.
namespace isovmaf {

constexpr int adm_row_padding = 64;

/// Rows of samples behind the filtered four that the next row of the wavelet needs: they are fetched into the cache.
constexpr int adm_rows_ahead = 2;

/// Columns [begin, end) of a row.
struct AdmColumns {
    int begin, end;
};

/// A row of each detail band.
struct AdmRows {
    std::int32_t *of[ADM_BAND_COUNT];
};

/// A row after a vertical filter, with columns -1 to width + 1. At scale 0 `upper` holds the values; later a value is
/// 65536 * upper + lower + 32768.
struct AdmFilteredRow {
    std::int16_t *upper, *lower;
};

/// A row after both vertical filters. `high` is null where only the approximation is wanted.
struct AdmFilteredRows {
    AdmFilteredRow low, high;
};

/// The pictures of one gain limit. `whole` is the limit if that is a whole number of 15 bits, else 0; `most` is the
/// largest value whose product with it has 31 bits.
struct AdmGainRows {
    double limit;
    std::int32_t whole, most;
    AdmRows restored, added;
};

inline AdmGainRows adm_gain_rows(double limit, const AdmRows &restored, const AdmRows &added) {
    const auto whole = limit < 32768 ? static_cast<std::int32_t>(limit) : 0;
    if (whole < 1 || whole != limit)
        return {limit, 0, 0, restored, added};
    return {limit, whole, 0x7fffffff / whole, restored, added};
}

/// A row of one mask: what it hides at neighbouring pixels, and how much more of its own (§4.5).
struct AdmShareRows {
    std::int32_t *neighbour, *own;
};

/// A row of one part's signal and what masks it (§4.6). Rows of neighbour shares have columns -1 to width.
struct AdmMaskedRow {
    const std::int32_t *above, *here, *below, *own;
    AdmRows signal;
    const std::uint32_t *csf; ///< one per band
    const int *cube_shift;    ///< one per band
};

/// Where recorded values of a row go: for stages. Null where nothing is recorded.
struct AdmMaskedRecord {
    std::int32_t *threshold;
    std::int64_t *cubes[ADM_BAND_COUNT];
};
struct AdmReferenceRecord {
    std::int64_t *cubes[ADM_BAND_COUNT];
};

/// What follows the vertical filters, for scale 0 or for scales 1 to 3.
struct AdmRowFunctions {
    /// One horizontal filter each. `scale` only matters after scale 0. The approximation of scale 0 is of 16 bits.
    void (*approximation)(const AdmFilteredRow &low, int scale, AdmColumns columns, void *out);
    void (*details)(const AdmFilteredRows &rows, int scale, AdmColumns columns, const AdmRows &out);

    /// Adds up the cubes of the reference's bands (§4.7), one sum per band.
    void (*reference)(const AdmRows &o, int scale, int cube_shift, AdmColumns columns, std::uint64_t *sums,
                      const AdmReferenceRecord *record);

    /// The restored and the added picture for each of `count` gain limits (§4.3).
    void (*decouple)(const AdmRows &o, const AdmRows &t, AdmColumns columns, const AdmGainRows *gains, int count);

    /// `weighted`, unless null, gets the mask's bands, weighted by the contrast sensitivity. `rounding` is that of
    /// adm_neighbour_share; it only matters after scale 0.
    void (*shares)(const AdmRows &mask, const std::uint32_t *csf, std::int64_t rounding, AdmColumns columns,
                   const AdmShareRows &out, const AdmRows *weighted);

    /// Adds up the cubes of the visible part of the signal, one sum per band.
    void (*visible)(const AdmMaskedRow &row, AdmColumns columns, std::uint64_t *sums, const AdmMaskedRecord *record);
};

struct AdmFunctions {
    /// Both vertical filters of four rows: of samples, of scale 0's approximation, and of later approximations. Behind
    /// rows of samples are adm_rows_ahead others.
    void (*vertical_8)(const std::uint8_t *const *in, int width, AdmColumns columns, const AdmFilteredRows &out);
    void (*vertical_16)(const std::uint16_t *const *in, int width, int bit_depth, AdmColumns columns,
                        const AdmFilteredRows &out);
    void (*vertical_1)(const std::int16_t *const *in, AdmColumns columns, const AdmFilteredRows &out);
    void (*vertical_2)(const std::int32_t *const *in, AdmColumns columns, const AdmFilteredRows &out);
    AdmRowFunctions first, later;
};

/// adm_cpu.cpp: the functions of a level; null if there are none.
const AdmFunctions *adm_functions(CpuLevel level);

} // namespace isovmaf
