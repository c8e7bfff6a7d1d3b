// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>

namespace isovmaf {

/// What the 64 bits of a word hold.
enum class WordKind : std::uint8_t {
    i64, ///< an integer; the feature says if all 64 bits are a magnitude
    f32, ///< the bits of a float in the low half, zeros in the high half
    f64, ///< the bits of a double
};

/// The order in which the values that make up a word are added. Floating-point sums depend on it; every backend keeps
/// to the declared one, so that a float word has the same bits everywhere.
enum class SumOrder : std::uint8_t {
    any,          ///< the sum is exact: integers, or floats that lose nothing
    raster,       ///< row after row, from left to right in a row
    block_raster, ///< the samples of each block in raster order, then the blocks' sums in raster order
    blocks,       ///< one sum of all samples: those of each block in raster order, the blocks in raster order
};

/// One word of a feature: 64 bits that cross the border between an extractor and a finisher.
struct WordSpec {
    std::string name = {};          ///< unique within the feature: "scale 2: denominator, h band"
    WordKind kind = WordKind::i64;  ///< what its bits hold
    SumOrder order = SumOrder::any; ///< of the values that it is the sum of

    /// Whether both describe the same word.
    friend bool operator==(const WordSpec &, const WordSpec &) = default;
};

} // namespace isovmaf
