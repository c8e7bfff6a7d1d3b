// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/frame.hpp"

#include <utility>

namespace isovmaf {

Frame::Frame(const VideoFormat &format, std::shared_ptr<const void> owner, const std::array<const std::byte *, 3> &data,
             const std::array<std::ptrdiff_t, 3> &stride_bytes)
    : format_(format), owner_(std::move(owner)) {
    for (int p = 0; p < format.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        planes_[i] = {data[i], stride_bytes[i], format.plane_width(p), format.plane_height(p)};
    }
}

} // namespace isovmaf
