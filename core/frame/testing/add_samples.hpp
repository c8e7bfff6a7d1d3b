// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>

#include "base/hashes.hpp"
#include "frame/frame.hpp"

namespace isovmaf {

/// Adds the samples of all planes in the order of a raw planar file of the size that the frame has: rows follow each
/// other without gaps, so the bytes between rows have no influence.
inline void add_samples(Sha256 &sha256, const Frame &frame) {
    for (int p = 0; p < frame.format().plane_count(); p++) {
        const Plane &plane = frame.stored_plane(p);
        const auto row_bytes = static_cast<std::size_t>(plane.width * frame.format().bytes_per_sample());
        for (int y = 0; y < plane.height; y++)
            sha256.add({plane.row<std::byte>(y), row_bytes});
    }
}

} // namespace isovmaf
