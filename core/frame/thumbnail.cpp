// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/thumbnail.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace isovmaf {

namespace {

constexpr int rows_per_cell = 2;

struct Range {
    int begin, end;
    [[nodiscard]] int size() const { return end - begin; }
};

/// Part `index` of `parts` of a side; at least one sample, so that parts of tiny pictures overlap.
Range part_of(int side, int index, int parts) {
    const int begin = side * index / parts;
    return {begin, std::max(begin + 1, side * (index + 1) / parts)};
}

/// Adds the samples of a row to those of other rows in the same columns.
template <class Sample>
void add_row(const Sample *row, std::span<std::int32_t> columns) {
    for (std::size_t x = 0; x < columns.size(); x++)
        columns[x] += row[x];
}

/// How many rows are read of the rectangles number `y`, counted downwards.
int rows_read(int height, int y) { return std::min(part_of(height, y, Thumbnail::height).size(), rows_per_cell); }

/// The row number `n` of these.
int row_read(int height, int y, int n) {
    const Range cell = part_of(height, y, Thumbnail::height);
    return cell.begin + part_of(cell.size(), n, rows_read(height, y)).begin;
}

/// The means of one row of rectangles. `rows`: where the plane has the rows that are read. A sum is less than 2^27,
/// since sides have at most 2^15 samples.
template <class Sample>
void shrink_rows(const Plane &luma, std::span<const int> rows, int bit_depth, std::int16_t *out) {
    std::vector<std::int32_t> columns(static_cast<std::size_t>(luma.width));
    for (const int row : rows)
        add_row(luma.row<Sample>(row), columns);
    std::array<std::int32_t, Thumbnail::width> sums{}, samples{};
    for (int x = 0; x < Thumbnail::width; x++) {
        const Range part = part_of(luma.width, x, Thumbnail::width);
        const auto begin = columns.begin() + part.begin;
        sums[static_cast<std::size_t>(x)] = std::accumulate(begin, begin + part.size(), std::int32_t{0});
        samples[static_cast<std::size_t>(x)] = part.size() * static_cast<int>(rows.size());
    }
    for (std::size_t x = 0; x < sums.size(); x++) { // as doubles for speed: the quotient's integer part is exact
        const double scaled = static_cast<double>(sums[x]) * Thumbnail::levels / samples[x];
        out[x] = static_cast<std::int16_t>(static_cast<std::int32_t>(scaled) >> (bit_depth - 8));
    }
}

/// `alone`: the plane has thumbnail_rows of the picture, one after the other, and no others.
Thumbnail shrink(const VideoFormat &format, const Plane &luma, bool alone) {
    Thumbnail thumbnail;
    for (int y = 0, next = 0; y < Thumbnail::height; y++) {
        std::array<int, rows_per_cell> places{};
        const auto rows = std::span(places).first(static_cast<std::size_t>(rows_read(format.height, y)));
        for (int n = 0; int &row : rows)
            row = alone ? next++ : row_read(format.height, y, n++);
        std::int16_t *out = thumbnail.samples.data() + std::ptrdiff_t{y} * Thumbnail::width;
        if (format.bit_depth == 8)
            shrink_rows<std::uint8_t>(luma, rows, format.bit_depth, out);
        else
            shrink_rows<std::uint16_t>(luma, rows, format.bit_depth, out);
    }
    const int mean = std::accumulate(thumbnail.samples.begin(), thumbnail.samples.end(), 0) /
                     static_cast<int>(thumbnail.samples.size());
    thumbnail.mean = static_cast<std::int16_t>(mean);
    for (std::int16_t &sample : thumbnail.samples)
        sample = static_cast<std::int16_t>(sample - mean);
    return thumbnail;
}

} // namespace

std::vector<int> thumbnail_rows(int height) {
    std::vector<int> rows;
    for (int y = 0; y < Thumbnail::height; y++)
        for (int n = 0; n < rows_read(height, y); n++)
            rows.push_back(row_read(height, y, n));
    return rows;
}

Thumbnail make_thumbnail(const Frame &frame) { return shrink(frame.format(), frame.plane(0), false); }

Thumbnail make_thumbnail(const VideoFormat &format, const Plane &rows) { return shrink(format, rows, true); }

} // namespace isovmaf
