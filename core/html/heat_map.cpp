// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "html/bitmap.hpp"
#include "html/heat_scale.hpp"
#include "html/page.hpp"

namespace isovmaf {

namespace {

constexpr double long_side = 512, least_side = 20; ///< of pictures, in CSS pixels
constexpr double tick_distance = 64;

bool is_whole(const HeatMap &heat) {
    return heat.width > 0 && heat.height > 0 && heat.cell_width > 0 && heat.cell_height > 0 &&
           heat.heat.size() == static_cast<std::size_t>(heat.width) * static_cast<std::size_t>(heat.height);
}

std::vector<std::uint8_t> levels_of(const HeatMap &heat) {
    std::vector<std::uint8_t> levels;
    for (const std::uint8_t bucket : heat.heat)
        levels.push_back(static_cast<std::uint8_t>(heat_level(bucket)));
    return levels;
}

/// The smallest of 1, 2, 5, 10, 20, 50 ... at which labels do not overlap.
double tick_step(double values, double pixels) {
    const double least = std::max(1.0, values * tick_distance / pixels);
    double power = 1;
    while (power * 10 <= least)
        power *= 10;
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least)
            return factor * power;
    return 10 * power;
}

/// One side of the picture: how many values it covers and how many pixels long it is.
struct Axis {
    std::string_view name, edge; ///< its CSS class, and the CSS property for positions along it
    double values, pixels;

    std::string place(int value) const { return fmt::format("{}:{:.3f}%", edge, 100 * (value + 0.5) / values); }
};

std::string ticks(const Axis &axis) {
    std::string out;
    const double step = tick_step(axis.values, axis.pixels);
    for (double value = 0; value < axis.values; value += step)
        out += fmt::format("<span class={} style=\"{}\">{:.0f}</span>", axis.name, axis.place(static_cast<int>(value)),
                           value);
    return out;
}

} // namespace

std::string legend_html(std::size_t last_level, std::string_view unit) {
    std::string out = "<div class=legend>";
    for (std::size_t level = 0; level <= last_level; level++)
        out += fmt::format("<span><i style=\"background:{}\"></i>{}</span>", heat_colour(level),
                           level == 0 ? "equal" : heat_label(level));
    return out + fmt::format("<span>{}</span></div>\n", unit);
}

std::string heat_map_html(const HeatMap &heat, std::string_view title, int mark_x, int mark_y) {
    if (!is_whole(heat))
        return {};
    const double columns = double{1} * heat.width * heat.cell_width, rows = double{1} * heat.height * heat.cell_height;
    const double scale = long_side / std::max(columns, rows);
    const Axis x{"x", "left", columns, std::max(least_side, columns * scale)};
    const Axis y{"y", "top", rows, std::max(least_side, rows * scale)};
    const std::vector<std::uint8_t> levels = levels_of(heat);
    return fmt::format("<figure class=heat><div class=plot style=\"width:{0:.0f}px;aspect-ratio:{0:.0f}/{1:.0f}\">"
                       "<img alt=\"Differences in {2}\" src=\"data:image/bmp;base64,{3}\">"
                       "<i class=mark style=\"{4};{5}\"></i>{6}{7}</div>\n",
                       x.pixels, y.pixels, html_escape(title), base64(heat_bitmap(levels, heat.width, heat.height)),
                       x.place(mark_x), y.place(mark_y), ticks(x), ticks(y)) +
           legend_html(*std::ranges::max_element(levels), "or more") +
           fmt::format(
               "<figcaption>The greatest difference in each cell of {}x{} values. The ring marks the first difference, "
               "at column {}, row {}.</figcaption></figure>\n",
               heat.cell_width, heat.cell_height, mark_x, mark_y);
}

} // namespace isovmaf
