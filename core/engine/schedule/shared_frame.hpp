// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "frame/frame.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf {

/// The frame as sessions take it. The memory is shared, not copied.
[[nodiscard]] inline SharedFrame share(const Frame &frame) {
    SharedFrame shared{{}, frame.owner()};
    for (int p = 0; p < frame.format().plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        shared.view.data[i] = frame.plane(p).data;
        shared.view.stride_bytes[i] = frame.plane(p).stride_bytes;
    }
    return shared;
}

} // namespace isovmaf
