// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/heat_scale.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "base/ulp.hpp"

namespace isovmaf {

namespace {

/// The first bucket of each level. Levels are narrow where differences are small, because most differences are.
constexpr std::array<std::size_t, heat_levels> first_bucket{0, 1, 2, 3, 4, 5, 7, 9, 13, 17, 21, 25, 33, 41, 53, 65};
static_assert(first_bucket.back() == std::tuple_size_v<UlpHistogram> - 1);

std::string superscript(std::size_t number) {
    constexpr std::array<std::string_view, 10> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string out;
    for (const char c : std::to_string(number))
        out += digits[static_cast<std::size_t>(c - '0')];
    return out;
}

} // namespace

std::string bucket_text(std::size_t bucket) {
    if (bucket == std::tuple_size_v<UlpHistogram> - 1)
        return "NaN, inf";
    if (bucket < 5)
        return std::to_string(bucket == 0 ? 0 : 1 << (bucket - 1));
    return fmt::format("2{}", superscript(bucket - 1));
}

std::size_t heat_level(std::size_t bucket) {
    return static_cast<std::size_t>(std::ranges::upper_bound(first_bucket, bucket) - first_bucket.begin()) - 1;
}

std::string heat_colour(std::size_t level) { return fmt::format("#{:06x}", heat_colours[level]); }

std::string heat_label(std::size_t level) { return bucket_text(first_bucket[level]); }

} // namespace isovmaf
