// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "simd/level.hpp"

namespace isovmaf {

/// The tables of core/math as arrays. Vector files get them by pointer: a table that a vector file defined could be
/// taken for the one of other files.
struct CiedeTables {
    const double *log;         ///< 1/c, log c and its rest, of each interval of pow_log_table
    const std::uint64_t *exp;  ///< rest and scale, of each entry of exp_table
    const double *powf_log2;   ///< 1/c and log2 c, of each interval of powf_log2_table
    const std::uint64_t *exp2; ///< of powf_exp2_table
    const double *sine;        ///< sine, its rest, cosine and its rest, of each entry of sin_cos_table
    const double *arctangent;  ///< the place and six coefficients of each centre of atan_table
};

/// The colours of a row: three arrays.
struct CiedeRow {
    float *lightness, *a, *b;
};

/// CIEDE2000's vector code at one level: what ciede_vectors.cpp defines and ciede_cpu.cpp calls. Arrays have room for
/// a multiple of ciede_row_unit values, and what lies behind `width` values may be read and written.
struct CiedeFunctions {
    /// The colours of `width` pixels. `depth` is the bit depth of the samples.
    void (*colours)(const CiedeTables &tables, const std::uint16_t *y, const std::uint16_t *u, const std::uint16_t *v,
                    int depth, int width, const CiedeRow &colours);
    /// The differences of `width` pairs of colours.
    void (*differences)(const CiedeTables &tables, const CiedeRow &reference, const CiedeRow &distorted, int width,
                        float *differences);
};

/// The f64 lanes of the longest vectors.
constexpr int ciede_row_unit = 8;

/// ciede_cpu.cpp: the functions of a level; null if there are none.
const CiedeFunctions *ciede_functions(CpuLevel level);

} // namespace isovmaf
