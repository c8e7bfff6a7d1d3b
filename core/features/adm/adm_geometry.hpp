// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "features/adm/adm_math.h"
#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// Columns [left, right) and rows [top, bottom) of a subband.
struct AdmRegion {
    int left = 0, top = 0, right = 0, bottom = 0;

    [[nodiscard]] constexpr int width() const { return right - left; }
    [[nodiscard]] constexpr int height() const { return bottom - top; }
    [[nodiscard]] constexpr int area() const { return width() * height(); }
};

/// Size, regions and rounding shifts of the subbands of one scale: all that depends on the picture size alone.
struct AdmScale {
    int width = 0, height = 0;
    AdmRegion wide; ///< where the bands are decoupled and masks filtered
    AdmRegion core; ///< where sums are taken; one sample or more inside `wide`, or at the subband's edge

    std::array<int, ADM_BAND_COUNT> cube_shift{}; ///< masked coefficients: of each cube,
    int row_shift = 0;                            ///< and of each row sum
    int reference_cube_shift = 0;                 ///< denominator: of each cube, 0 at scale 0,
    int reference_row_shift = 0;                  ///< and of each row sum
};

using AdmGeometry = std::array<AdmScale, ADM_SCALE_COUNT>;

/// All that the sums of a scale depend on: the core region and, for its thresholds, one sample more on every side.
[[nodiscard]] constexpr AdmRegion adm_seen(const AdmScale &s) {
    return {std::max(s.core.left - 1, 0), std::max(s.core.top - 1, 0), std::min(s.core.right + 1, s.width),
            std::min(s.core.bottom + 1, s.height)};
}

namespace adm_detail {

/// ceil(log2(n)), n >= 1.
constexpr int ceil_log2(int n) { return static_cast<int>(std::bit_width(static_cast<unsigned>(n) - 1)); }

/// One side of the regions of features.md §4.2; casts truncate towards zero.
struct Interval {
    int begin, end;
};
constexpr Interval core_interval(int n) {
    const int begin = static_cast<int>(n * 0.1 - 0.5);
    return {begin, n - begin};
}
constexpr Interval wide_interval(int n) {
    const int begin = static_cast<int>(n * 0.1 - 0.5 - 1);
    return {std::max(begin, 0), std::min(n - begin + 2, n)};
}
constexpr AdmRegion region(Interval x, Interval y) { return {x.begin, y.begin, x.end, y.end}; }

constexpr AdmScale scale(int index, int width, int height) {
    AdmScale s;
    s.width = width;
    s.height = height;
    s.wide = region(wide_interval(width), wide_interval(height));
    s.core = region(core_interval(width), core_interval(height));
    for (std::size_t band = 0; band < ADM_BAND_COUNT; band++)
        s.cube_shift[band] = ceil_log2(width) - (index == 0 ? adm_cube_shift_0[band] : 0);
    s.row_shift = ceil_log2(height);
    s.reference_cube_shift = index == 0 ? 0 : ceil_log2(s.core.width());
    s.reference_row_shift = index == 0 ? std::max(ceil_log2(s.core.area()) - 20, 0) : ceil_log2(s.core.height());
    return s;
}

} // namespace adm_detail

[[nodiscard]] constexpr AdmGeometry adm_geometry(const VideoFormat &format) {
    AdmGeometry geometry;
    int width = format.width, height = format.height;
    for (int index = 0; index < ADM_SCALE_COUNT; index++) {
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        geometry[static_cast<std::size_t>(index)] = adm_detail::scale(index, width, height);
    }
    return geometry;
}

} // namespace isovmaf
