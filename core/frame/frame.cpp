// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/frame.hpp"

#include <algorithm>
#include <cassert>
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

bool has_chroma_edge(const VideoFormat &format) {
    return format.plane_count() > 1 &&
           (stored_width(format, 1) != format.plane_width(1) || stored_height(format, 1) != format.plane_height(1));
}

Frame::Frame(const VideoFormat &format, std::shared_ptr<const void> owner, const std::array<const void *, 3> &data,
             const std::array<std::ptrdiff_t, 3> &stride_bytes, ChromaEdge edge,
             const std::array<SampleLayout, 3> &samples)
    : format_(format), owner_(std::move(owner)), edge_(edge) {
    for (std::size_t p = 0; p < static_cast<std::size_t>(format.plane_count()); p++)
        places_[p] = {reinterpret_cast<std::uint64_t>(data[p]), stride_bytes[p], samples[p]};
}

Frame Frame::on_device(DeviceHandle device, const VideoFormat &format, std::shared_ptr<const void> owner,
                       const std::array<std::uint64_t, 3> &address, const std::array<std::uint64_t, 3> &stride_bytes,
                       const std::array<SampleLayout, 3> &samples) {
    Frame frame;
    frame.format_ = format;
    frame.device_ = std::move(device);
    frame.owner_ = std::move(owner);
    for (std::size_t p = 0; p < static_cast<std::size_t>(format.plane_count()); p++)
        frame.places_[p] = {address[p], static_cast<std::ptrdiff_t>(stride_bytes[p]), samples[p]};
    return frame;
}

bool Frame::is_plain() const {
    return std::ranges::all_of(places_, [](const Place &place) { return place.samples.is_plain(); });
}

Plane Frame::plane(int index) const {
    assert(!device_ && samples(index).is_plain());
    return {reinterpret_cast<const std::byte *>(address(index)), stride_bytes(index), format_.plane_width(index),
            format_.plane_height(index)};
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
