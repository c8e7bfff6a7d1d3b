// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <fstream>
#include <string>

#include "base/testing/temporary_folder.hpp"
#include "engine/testing/session_scores.hpp"

namespace isovmaf::testing {

/// Writes one side of a generated clip, of 8 bit, as raw video.
inline std::string raw_file(const TemporaryFolder &folder, const std::string &name, const VideoFormat &format,
                            int frames, Frame FramePair::*side) {
    const std::string path = folder.file(name);
    std::ofstream file(path, std::ios::binary);
    for (const FramePair &pair : clip_of(format, frames))
        for (int p = 0; p < format.plane_count(); p++) {
            const Plane &plane = (pair.*side).plane(p);
            for (int y = 0; y < plane.height; y++)
                file.write(plane.row<char>(y), plane.width);
        }
    return path;
}

} // namespace isovmaf::testing
