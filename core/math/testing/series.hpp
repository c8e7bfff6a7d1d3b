// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "math/math.hpp"

/// Arguments that core/math is proved with: the same ones on every machine, made of integers.
namespace isovmaf::math {

/// A function over a range of arguments. Each argument follows from its index alone.
struct Series {
    std::string_view name;
    int blocks;
    /// The bits of the result for the argument `index`. All NaN are one.
    std::uint64_t (*result)(const Functions &functions, std::uint64_t index);
    bool in_libraries = true; ///< false: of a part of core/math, whatever `functions` are
};

inline constexpr std::uint64_t block_size = std::uint64_t{1} << 24;

/// "exp" and the like: the ranges that scores use. "exp-any" and the like: all bit patterns, special values first.
/// "powf-third": x^(1/3) for every f32. "sin", "cos", "exp-f32" and "log2-f32": every f32 of a range. "pow-fixed" and
/// "powf-fixed": with the exponents that features have. "sin-long" and "sine-polynomials": where wrong coefficients of
/// the sine show.
[[nodiscard]] std::span<const Series> all_series();

/// Of the results of all arguments of a block.
[[nodiscard]] std::uint64_t block_digest(const Series &series, const Functions &functions, int block);

/// Of the results of the first 2^15 arguments, and of as many that are spread evenly over all blocks.
[[nodiscard]] std::uint64_t sample_digest(const Series &series, const Functions &functions);

} // namespace isovmaf::math
