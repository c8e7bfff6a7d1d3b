// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "frame/generated_clip.hpp"

/// The pixels of generated contents.
namespace isovmaf::diff {

/// A frame of a fill.
struct Shot {
    VideoFormat format;
    std::uint32_t seed;
    int index; ///< of the frame
    int pitch; ///< the fill's
};

struct Fill {
    std::string_view name;
    std::string_view summary; ///< one sentence
    FramePair (*make)(const Shot &);
    int pitch = 0; ///< distance in samples at which the fill does something; the longer side has to be greater
};

/// Every fill, in the order in which sweeps go through them.
[[nodiscard]] std::span<const Fill> fills();

/// Null when there is none of this name.
[[nodiscard]] const Fill *find_fill(std::string_view name);

} // namespace isovmaf::diff
