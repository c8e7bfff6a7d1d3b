// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <random>
#include <vector>

#include "content/patterns.hpp"

namespace isovmaf::testing {

/// Bands with ragged edges, and a few pixels of noise: some of it is masked, and neighbouring values meet everywhere.
inline Frame banded_frame(const VideoFormat &format, std::uint32_t seed, int band, std::uint32_t step) {
    std::mt19937 random(seed);
    const std::uint32_t most = largest_sample(format);
    return painted_frame(format, default_poison, [&](int, int x, int y) {
        const auto bits = static_cast<std::uint32_t>(random());
        const auto ragged = static_cast<int>(bits % 64 == 0) * band;
        const auto level = static_cast<std::uint32_t>((2 * x + y + ragged) / band) * step;
        const bool noisy = (x / 64 + y / 32) % 3 == 0 && bits >> 8 & 1;
        return (most / 4 + level + (noisy ? bits >> 16 & 7 : 0)) % (most + 1);
    });
}

inline std::vector<FramePair> banded_clip(std::uint32_t seed, const VideoFormat &format) {
    return {{banded_frame(format, seed, 24, 1), banded_frame(format, seed + 1, 6, 1)},
            {banded_frame(format, seed + 2, 9, 3), banded_frame(format, seed + 3, 17, 2)}};
}

/// Stripes as far apart as steps of CAMBI go, in the largest window: with 32 steps the sum is too large for c-values
/// with bits in low places. `edges` adds such: single pixels one step away, which CAMBI's filter leaves alone in the
/// first and the last row.
inline std::vector<FramePair> large_sums_clip(bool edges) {
    const VideoFormat format{.width = 3040, .height = 42, .chroma = Chroma::k400, .bit_depth = 10};
    const Frame stripes = painted_frame(format, default_poison, [&](int, int x, int y) {
        const bool is_edge = edges && (y == 0 || y + 1 == format.height);
        const bool is_gap = (x / 2 * 37 + y / 2 * 101) % 61 == 0; // so that counts differ
        return is_edge && x % 70 == 35 ? 133 : is_gap ? 500 : x / 2 % 2 ? 132 : 100;
    });
    return {{stripes, stripes}};
}

} // namespace isovmaf::testing
