// SPDX-License-Identifier: BSD-2-Clause-Patent
// Where the blocks of XPSNR lie: xpsnr.md §2.
#include <algorithm>
#include <cmath>

#include "features/xpsnr/xpsnr.hpp"
#include "features/xpsnr/xpsnr_math.h"
#include "frame/frame.hpp"

namespace isovmaf {

XpsnrGrid::XpsnrGrid(const VideoFormat &format, ChromaEdge edge, int plane_count)
    : format_(format), edge_(edge), plane_count_(plane_count),
      side_(4 * static_cast<int>(32.0 * std::sqrt(relative_size()) + 0.5)) {
    const std::int64_t samples = std::int64_t{format.width} * format.height;
    smoothed_ = samples <= XPSNR_MOST_SAMPLES_SMOOTHED;
    halved_ = samples > XPSNR_MOST_SAMPLES_WHOLE;
    for (int p = 0; p < plane_count; p++) {
        const bool whole = edge == ChromaEdge::present;
        width_[p] = whole ? stored_width(format, p) : format.plane_width(p);
        height_[p] = whole ? stored_height(format, p) : format.plane_height(p);
    }
    if (side_ == 0)
        return;
    columns_ = (format.width + side_ - 1) / side_;
    rows_ = (format.height + side_ - 1) / side_;
}

double XpsnrGrid::relative_size() const {
    return static_cast<double>(std::int64_t{format_.width} * format_.height) / 8294400.0;
}

XpsnrArea XpsnrGrid::block(int column, int row, int plane) const {
    const int width = plane_width(plane), height = plane_height(plane);
    if (!has_weights())
        return {0, 0, width, height};
    const int across = plane == 0 ? side_ : side_ >> format_.chroma_shift_x();
    const int down = plane == 0 ? side_ : side_ >> format_.chroma_shift_y();
    return {column * across, row * down, std::min((column + 1) * across, width), std::min((row + 1) * down, height)};
}

XpsnrArea XpsnrGrid::core(int column, int row) const {
    if (!has_weights())
        return {};
    const XpsnrArea area = block(column, row);
    const int edge = border();
    return {std::max(area.left, edge), std::max(area.top, edge), std::min(area.right, format_.width - edge),
            std::min(area.bottom, format_.height - edge)};
}

bool XpsnrGrid::forgets_spatial(int column) const {
    const int width = block(column, 0).width();
    return halved_ && column == columns_ - 1 && width >= XPSNR_FORGOTTEN_LEAST_WIDTH &&
           width <= XPSNR_FORGOTTEN_MOST_WIDTH;
}

} // namespace isovmaf
