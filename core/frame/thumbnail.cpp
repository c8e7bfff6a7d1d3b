// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/thumbnail.hpp"

#include <algorithm>
#include <numeric>

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

template <class Sample>
void add_row(const Sample *row, int width, std::array<std::uint64_t, Thumbnail::width> &sums) {
    for (int x = 0; x < Thumbnail::width; x++) {
        const Range columns = part_of(width, x, Thumbnail::width);
        sums[static_cast<std::size_t>(x)] +=
            std::accumulate(row + columns.begin, row + columns.end, std::uint32_t{0},
                            [](std::uint32_t sum, Sample sample) { return sum + sample; });
    }
}

/// The means of one row of rectangles.
template <class Sample>
void shrink_rows(const Plane &luma, Range rows, int bit_depth, std::int16_t *out) {
    const int read = std::min(rows.size(), rows_per_cell);
    std::array<std::uint64_t, Thumbnail::width> sums{};
    for (int n = 0; n < read; n++)
        add_row(luma.row<Sample>(rows.begin + part_of(rows.size(), n, read).begin), luma.width, sums);
    for (int x = 0; x < Thumbnail::width; x++) {
        const auto samples = static_cast<std::uint64_t>(part_of(luma.width, x, Thumbnail::width).size() * read);
        const std::uint64_t scaled = sums[static_cast<std::size_t>(x)] * Thumbnail::levels / samples;
        out[x] = static_cast<std::int16_t>(scaled >> (bit_depth - 8));
    }
}

} // namespace

Thumbnail make_thumbnail(const Frame &frame) {
    const Plane &luma = frame.plane(0);
    const int bit_depth = frame.format().bit_depth;
    Thumbnail thumbnail;
    for (int y = 0; y < Thumbnail::height; y++) {
        std::int16_t *out = thumbnail.samples.data() + std::ptrdiff_t{y} * Thumbnail::width;
        const Range rows = part_of(luma.height, y, Thumbnail::height);
        if (bit_depth == 8)
            shrink_rows<std::uint8_t>(luma, rows, bit_depth, out);
        else
            shrink_rows<std::uint16_t>(luma, rows, bit_depth, out);
    }
    const int mean = std::accumulate(thumbnail.samples.begin(), thumbnail.samples.end(), 0) /
                     static_cast<int>(thumbnail.samples.size());
    thumbnail.mean = static_cast<std::int16_t>(mean);
    for (std::int16_t &sample : thumbnail.samples)
        sample = static_cast<std::int16_t>(sample - mean);
    return thumbnail;
}

} // namespace isovmaf
