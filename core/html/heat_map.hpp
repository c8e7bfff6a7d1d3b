// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Pictures of differences, and the colours of their buckets: all pictures of a report use this scale.
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

/// Where a plane of values differs, as a picture: cells of one or more values, each with its greatest difference.
struct HeatMap {
    int width = 0, height = 0;           ///< cells, at most 256 a side
    int cell_width = 1, cell_height = 1; ///< values a cell covers
    std::vector<std::uint8_t> heat;      ///< row by row, a bucket of UlpHistogram for each cell
};

/// The picture with its axes and a ring around one value; "" when `heat` does not have width * height cells.
[[nodiscard]] std::string heat_map_html(const HeatMap &heat, std::string_view title, int mark_x, int mark_y);

/// The colours up to a level, and the distance at which each begins.
[[nodiscard]] std::string legend_html(std::size_t last_level, std::string_view unit);

/// A Windows bitmap of 16 colours, 4 bits per pixel. `pixels` are indices into heat_colours, row by row from the top.
[[nodiscard]] std::string heat_bitmap(std::span<const std::uint8_t> pixels, int width, int height);

/// Base64 of RFC 4648, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);

} // namespace isovmaf
