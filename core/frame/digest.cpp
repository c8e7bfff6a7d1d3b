// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/digest.hpp"

namespace isovmaf {

void add_samples(Sha256 &sha256, const Frame &frame) {
    for (int p = 0; p < frame.format().plane_count(); p++) {
        const Plane &plane = frame.plane(p);
        const auto row_bytes = static_cast<std::size_t>(plane.width * frame.format().bytes_per_sample());
        for (int y = 0; y < plane.height; y++)
            sha256.add({plane.row<std::byte>(y), row_bytes});
    }
}

} // namespace isovmaf
