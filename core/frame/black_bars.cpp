// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/black_bars.hpp"

#include <algorithm>
#include <numeric>

namespace isovmaf {

namespace {

void keep_larger(std::vector<std::int64_t> &largest, const std::vector<std::int64_t> &sums) {
    for (std::size_t i = 0; i < sums.size(); i++)
        largest[i] = std::max(largest[i], sums[i]);
}

} // namespace

BlackBars::BlackBars(const VideoFormat &format, bool full_range)
    : format_(format), black_(full_range ? 0 : 16), brightest_rows_(static_cast<std::size_t>(format.height)),
      brightest_columns_(static_cast<std::size_t>(format.width)) {}

void BlackBars::see(const Frame &frame) {
    frames_++;
    if (format_.bit_depth == 8)
        add<std::uint8_t>(frame.plane(0));
    else
        add<std::uint16_t>(frame.plane(0));
}

/// Sums are less than 2^46: sides have at most 2^15 samples of 16 bits.
template <class Sample>
void BlackBars::add(const Plane &luma) {
    std::vector<std::int64_t> rows(brightest_rows_.size()), columns(brightest_columns_.size());
    for (std::size_t y = 0; y < rows.size(); y++) {
        const Sample *const row = luma.row<Sample>(static_cast<int>(y));
        for (std::size_t x = 0; x < columns.size(); x++) {
            rows[y] += row[x];
            columns[x] += row[x];
        }
    }
    const std::int64_t samples = std::int64_t{format_.width} * format_.height;
    if (std::accumulate(rows.begin(), rows.end(), std::int64_t{0}) < level(lit_levels) * samples)
        return;
    lit_frames_++;
    keep_larger(brightest_rows_, rows);
    keep_larger(brightest_columns_, columns);
}

std::int64_t BlackBars::level(int levels) const { return std::int64_t{black_ + levels} << (format_.bit_depth - 8); }

BlackBars::Bars BlackBars::bars_of(std::span<const std::int64_t> brightest, int samples) const {
    const auto is_lit = [&](std::int64_t sum) { return sum > level(black_levels) * samples; };
    const auto first = std::ranges::find_if(brightest, is_lit);
    if (first == brightest.end())
        return {static_cast<int>(brightest.size()), 0, false};
    const auto last = std::find_if(brightest.rbegin(), brightest.rend(), is_lit);
    Bars bars{static_cast<int>(first - brightest.begin()), static_cast<int>(last - brightest.rbegin())};
    const auto is_clear = [&](int lines, std::int64_t sum) {
        return lines == 0 || sum >= level(clear_levels) * samples;
    };
    bars.clear = is_clear(bars.before, *first) && is_clear(bars.after, *last);
    return bars;
}

} // namespace isovmaf
