// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace isovmaf {

/// Where a plane of values differs, as a picture: cells of one or more values, each with its greatest difference.
struct HeatMap {
    int width = 0, height = 0;           ///< cells, at most 256 a side
    int cell_width = 1, cell_height = 1; ///< values a cell covers
    std::vector<std::uint8_t> heat;      ///< row by row, a bucket of UlpHistogram for each cell
};

/// The picture with its axes and a ring around one value; "" when `heat` does not have width * height cells.
[[nodiscard]] std::string heat_map_html(const HeatMap &heat, std::string_view title, int mark_x, int mark_y);

/// The colours up to a level of heat_scale.hpp, and the distance at which each begins.
[[nodiscard]] std::string legend_html(std::size_t last_level, std::string_view unit);

} // namespace isovmaf
