// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/word_check.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace isovmaf {

namespace {

constexpr std::int64_t times = 8;           ///< by which lower bytes change more; 16 and more in noise of 10 bit
constexpr std::int64_t least_change = 1024; ///< of lower bytes: some edges of a picture
constexpr std::size_t least_values = 4;     ///< of lower bytes: more than those of a grid with thin lines

} // namespace

void WordCheck::add(std::span<const std::byte> bytes) {
    for (std::size_t i = 0; i < bytes.size(); i++) {
        Half &half = halves_[i % 2];
        const int value = std::to_integer<int>(bytes[i]);
        half.largest = std::max(half.largest, value);
        half.values.set(static_cast<std::size_t>(value));
        if (i >= 2)
            half.change += std::abs(value - std::to_integer<int>(bytes[i - 2]));
    }
}

std::optional<int> WordCheck::depth_of_words() const {
    const bool swapped = halves_[0].change < halves_[1].change; // big-endian words
    const Half &lower = halves_[swapped ? 1 : 0], &upper = halves_[swapped ? 0 : 1];
    if (lower.change < std::max(least_change, times * upper.change) || lower.values.count() < least_values)
        return std::nullopt;
    if (swapped && upper.largest == 0) // or samples of 8 bit in the upper bytes of little-endian words
        return 16;
    const int bits = 8 + static_cast<int>(std::bit_width(static_cast<unsigned>(upper.largest)));
    return std::clamp((bits + 1) / 2 * 2, 10, 16);
}

} // namespace isovmaf
