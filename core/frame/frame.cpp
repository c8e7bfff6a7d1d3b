// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/frame.hpp"

#include <utility>

namespace isovmaf {

int stored_width(const VideoFormat &format, int plane) {
    const int shift = plane == 0 ? 0 : format.chroma_shift_x();
    return (format.width + (1 << shift) - 1) >> shift;
}

int stored_height(const VideoFormat &format, int plane) {
    const int shift = plane == 0 ? 0 : format.chroma_shift_y();
    return (format.height + (1 << shift) - 1) >> shift;
}

Frame::Frame(const VideoFormat &format, std::shared_ptr<const void> owner, const std::array<const std::byte *, 3> &data,
             const std::array<std::ptrdiff_t, 3> &stride_bytes, ChromaEdge edge)
    : format_(format), owner_(std::move(owner)), edge_(edge) {
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        planes_[i] = {data[i], stride_bytes[i], format.plane_width(p), format.plane_height(p)};
    }
}

Plane Frame::stored_plane(int index) const {
    Plane plane = this->plane(index);
    if (edge_ == ChromaEdge::present) {
        plane.width = stored_width(format_, index);
        plane.height = stored_height(format_, index);
    }
    return plane;
}

} // namespace isovmaf
