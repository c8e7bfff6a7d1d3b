// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "base/ulp.hpp"
#include "html/page.hpp"

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

namespace {

constexpr std::uint32_t header_bytes = 14 + 40; ///< BITMAPFILEHEADER, BITMAPINFOHEADER
constexpr std::uint32_t palette_bytes = 4 * heat_levels;

/// Little endian.
void append(std::string &out, std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        out += static_cast<char>(value >> (8 * i) & 0xFF);
}

void append_headers(std::string &out, std::uint32_t width, std::uint32_t height, std::uint32_t image_bytes) {
    out += "BM";
    append(out, header_bytes + palette_bytes + image_bytes, 4);
    append(out, 0, 4); // reserved
    append(out, header_bytes + palette_bytes, 4);
    append(out, 40, 4); // of this header
    append(out, width, 4);
    append(out, height, 4); // positive: rows from the bottom
    append(out, 1, 2);      // planes
    append(out, 4, 2);      // bits per pixel
    append(out, 0, 4);      // not compressed
    append(out, image_bytes, 4);
    append(out, 2835, 4); // pixels per meter: 72 per inch
    append(out, 2835, 4);
    append(out, heat_levels, 4);
    append(out, 0, 4); // all colours matter
}

} // namespace

std::string heat_bitmap(std::span<const std::uint8_t> pixels, int width, int height) {
    const auto columns = static_cast<std::size_t>(width), rows = static_cast<std::size_t>(height);
    const std::size_t row_bytes = (columns + 7) / 8 * 4; // a row is padded to a multiple of 4 bytes
    std::string out;
    append_headers(out, static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height),
                   static_cast<std::uint32_t>(row_bytes * rows));
    for (const std::uint32_t colour : heat_colours)
        append(out, colour, 4); // blue, green, red, 0
    for (std::size_t y = rows; y-- > 0;) {
        std::string row(row_bytes, '\0');
        for (std::size_t x = 0; x < columns; x++) // the left pixel of two is in the upper half of the byte
            row[x / 2] = static_cast<char>(row[x / 2] | pixels[y * columns + x] << (x % 2 == 0 ? 4 : 0));
        out += row;
    }
    return out;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < count; k++)
            word |= std::uint32_t{static_cast<unsigned char>(bytes[i + k])} << (16 - 8 * k);
        for (std::size_t k = 0; k < 4; k++)
            out += k <= count ? digits[word >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

} // namespace isovmaf
