// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "features/motion/motion_math.h"
#include "simd/level.hpp"

namespace isovmaf {

/// Rows that are blurred at once, and the rows of a picture that they are blurred from.
inline constexpr int motion_block_rows = 8;
inline constexpr int motion_window_rows = motion_block_rows + MOTION_TAP_COUNT - 1;

/// Rows of two pictures: window row r + MOTION_TAP_COUNT / 2 is the row of block row r.
template <class Sample>
struct MotionWindow {
    const Sample *earlier[motion_window_rows];
    const Sample *current[motion_window_rows];
};

/// A row that was blurred down the columns: its values are 65536 * high + low, or low where `high` is null.
struct MotionRow {
    std::int16_t *low;
    std::int16_t *high;
};

/// A multiple of the 16-bit lanes of every level. Rows that motion's functions write start at a multiple of its size
/// and have room for their width rounded up to a multiple of it; rows of MotionRow have room for as much on both sides.
inline constexpr int motion_row_step = 64;

/// Motion's vector code at one level: what motion_vectors.cpp defines and motion_cpu.cpp calls. Each width is at most
/// max_frame_side.
struct MotionFunctions {
    /// Blurs `earlier` - `current` down the columns into motion_block_rows rows. Returns whether `high` was written: if
    /// not, it is 0 in all of them.
    bool (*columns_8)(const MotionWindow<std::uint8_t> &window, int width, int bit_depth, const MotionRow *rows);
    bool (*columns_16)(const MotionWindow<std::uint16_t> &window, int width, int bit_depth, const MotionRow *rows);

    /// Blurs a row along itself and returns the sum of the absolute values. Two values on either side of the row are
    /// used. `blurred`, unless null, gets each value.
    std::int64_t (*blur)(const MotionRow &row, int width, std::int32_t *blurred);

    /// The sum of the absolute differences of the values' low 16 bits, taken as signed numbers.
    std::int64_t (*distance)(const std::int32_t *a, const std::int32_t *b, int width);
};

/// motion_cpu.cpp: the functions of a level; null if there are none.
const MotionFunctions *motion_functions(CpuLevel level);

} // namespace isovmaf
