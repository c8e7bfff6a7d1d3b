// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "isovmaf/frame.hpp"

/// Generates the pixels of test pictures.
namespace isovmaf::diff {

/// Which frame a fill draws.
struct FrameSpec {
    VideoFormat format;
    std::uint32_t seed;
    int index; ///< number of the frame in the video
    int pitch; ///< Fill::pitch
};

struct Fill {
    std::string_view name;
    std::string_view summary; ///< one sentence
    FramePair (*make)(const FrameSpec &);
    int pitch = 0; ///< period in samples; the fill shows nothing unless the longer side of the picture is greater
};

/// Every fill, in the order in which sweeps go through them.
[[nodiscard]] std::span<const Fill> fills();

/// The fill of this name, or null.
[[nodiscard]] const Fill *find_fill(std::string_view name);

} // namespace isovmaf::diff
