// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/words/frame_digest.hpp"

#include "base/xxh64.hpp"

namespace isovmaf {

std::uint64_t frame_digest(const Frame &frame) {
    std::uint64_t hash = 0;
    for (int p = 0; p < frame.format().plane_count(); p++) {
        const Plane &plane = frame.plane(p);
        const auto row_bytes = static_cast<std::size_t>(plane.width * frame.format().bytes_per_sample());
        for (int y = 0; y < plane.height; y++)
            hash = xxh64({plane.row<std::byte>(y), row_bytes}, hash);
    }
    return hash;
}

} // namespace isovmaf
