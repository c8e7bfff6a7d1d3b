// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/ulp.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace isovmaf {

namespace {

/// Bits of a number as an integer that grows with it; -0 comes right before 0.
template <class Signed, class Float>
Signed ordered(Float value) {
    const auto bits = std::bit_cast<Signed>(value);
    return bits < 0 ? static_cast<Signed>(~(bits & std::numeric_limits<Signed>::max())) : bits;
}

template <class Signed, class Float>
std::uint64_t distance(Float a, Float b) {
    if (std::bit_cast<Signed>(a) == std::bit_cast<Signed>(b))
        return 0;
    if (std::isnan(a) && std::isnan(b))
        return 1;
    if (!std::isfinite(a) || !std::isfinite(b))
        return beyond_ulp;
    const Signed from = ordered<Signed>(a), to = ordered<Signed>(b);
    return static_cast<std::uint64_t>(std::max(from, to)) - static_cast<std::uint64_t>(std::min(from, to));
}

} // namespace

std::uint64_t ulp_distance(double a, double b) { return distance<std::int64_t>(a, b); }
std::uint64_t ulp_distance(float a, float b) { return distance<std::int32_t>(a, b); }

std::size_t ulp_bucket(std::uint64_t distance) {
    return distance == beyond_ulp ? std::tuple_size_v<UlpHistogram> - 1
                                  : static_cast<std::size_t>(std::bit_width(distance));
}

} // namespace isovmaf
