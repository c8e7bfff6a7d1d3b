// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

/// The colours of buckets of differences: all pictures of a report use this scale.
namespace isovmaf {

/// Level 0 means equal, the last one NaN and infinities. Between them distances grow and colours get lighter.
inline constexpr std::size_t heat_levels = 16;

/// Red, green, blue, 8 bits each. Every colour stands out from that of level 0, on which pictures are drawn.
inline constexpr std::array<std::uint32_t, heat_levels> heat_colours{
    0x1B2230, 0x7A6CF0, 0x8C69E4, 0x9D66D8, 0xAE63CC, 0xBF62BF, 0xCE62B0, 0xDA66A0,
    0xE46D90, 0xED7780, 0xF48470, 0xF89563, 0xFBA95D, 0xFCC067, 0xFBDA80, 0xFFFFF0,
};

/// The smallest distance in a bucket of an UlpHistogram: "0", "4", "2⁵", "NaN, inf".
[[nodiscard]] std::string bucket_text(std::size_t bucket);

/// The level of a bucket of UlpHistogram.
[[nodiscard]] std::size_t heat_level(std::size_t bucket);

/// "#1b2230"
[[nodiscard]] std::string heat_colour(std::size_t level);

/// The smallest distance of a level: "1", "2¹²".
[[nodiscard]] std::string heat_label(std::size_t level);

} // namespace isovmaf
