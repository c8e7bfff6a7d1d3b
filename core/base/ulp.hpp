// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace isovmaf {

/// What is further away than any two finite numbers are: infinities and NaN on one side only.
inline constexpr std::uint64_t beyond_ulp = std::numeric_limits<std::uint64_t>::max();

/// Representable numbers from `a` to `b`: 0 when their bits are equal, and at least 1 when they are not, as for 0 and
/// -0 or two kinds of NaN.
[[nodiscard]] std::uint64_t ulp_distance(double a, double b);
[[nodiscard]] std::uint64_t ulp_distance(float a, float b);

/// How many pairs of f64 are how far apart: [0] counts equal values, [k] distances from 2^(k-1) to 2^k - 1, the last
/// one beyond_ulp.
using UlpHistogram = std::array<std::int64_t, 66>;

/// The index of a distance in an UlpHistogram.
[[nodiscard]] std::size_t ulp_bucket(std::uint64_t distance);

} // namespace isovmaf
