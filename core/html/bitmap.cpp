// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/bitmap.hpp"

#include <algorithm>
#include <string_view>

#include "html/heat_scale.hpp"

namespace isovmaf {

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
