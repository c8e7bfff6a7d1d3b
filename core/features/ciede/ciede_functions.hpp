// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "simd/level.hpp"

namespace isovmaf {

/// A colour in CIELAB.
struct CiedeColour {
    float lightness, a, b;
};

/// ciede_ref.cpp: the colour of samples of luma, Cb and Cr. `depth` is their bit depth.
CiedeColour ciede_colour(int y, int u, int v, int depth);

/// ciede_ref.cpp: CIEDE2000 of two colours; 0 if they are equal.
float ciede_difference(const CiedeColour &reference, const CiedeColour &distorted);

/// The tables of core/math in rows of 2, 4 or 8 numbers. Vector files get them by pointer: a table that a vector file
/// defined could be taken for the one of other files.
struct CiedeTables {
    const double *log;         ///< rows of 4, of pow_log_table's intervals: 1/c, log c, its rest
    const double *exp;         ///< rows of 2, of exp_table: rest and the bits of the scale
    const double *powf_log2;   ///< rows of 2, of powf_log2_table's intervals: 1/c, log2 c
    const std::uint64_t *exp2; ///< powf_exp2_table
    const double *sine;        ///< rows of 4, of sin_cos_table: sine, its rest, cosine, its rest
    const double *arctangent;  ///< rows of 8, of atan_table's centres: the place, six coefficients
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
