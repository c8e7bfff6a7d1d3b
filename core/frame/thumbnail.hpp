// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "frame/frame.hpp"

namespace isovmaf {

/// The luma of a picture as 32 x 18 means of rectangles, minus the mean of them all, in 1/64 of an 8-bit level. Equal
/// on every machine. Pictures of other sizes and bit depths than each other can be compared by it.
struct Thumbnail {
    static constexpr int width = 32;
    static constexpr int height = 18;
    static constexpr int levels = 64; ///< units in one 8-bit level

    std::array<std::int16_t, std::size_t{width} * height> samples{};
    std::int16_t mean = 0; ///< that was taken off the samples
};

/// Reads at most 2 rows of each rectangle: 36 rows of a picture.
[[nodiscard]] Thumbnail make_thumbnail(const Frame &frame);

/// The rows that are read of a picture with `height` rows, in order.
[[nodiscard]] std::vector<int> thumbnail_rows(int height);

/// The same of a picture of `format` of which `rows` has these rows alone, one after the other.
[[nodiscard]] Thumbnail make_thumbnail(const VideoFormat &format, const Plane &rows);

/// Small pictures of a pair.
struct PairThumbnails {
    Thumbnail reference, distorted;
};

} // namespace isovmaf
