// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/colour.hpp"

#include <fmt/format.h>

namespace isovmaf {

std::string rotation_text(const ColourDescription &colour) {
    if (colour.rotation == 0)
        return colour.mirrored ? "mirrored" : "none";
    return fmt::format("{} degrees{}", colour.rotation, colour.mirrored ? ", mirrored" : "");
}

std::vector<std::pair<std::string, std::string>> colour_fields(const ColourDescription &colour) {
    const auto &ratio = colour.sample_aspect_ratio;
    return {{"range", colour.range},
            {"matrix", colour.matrix},
            {"primaries", colour.primaries},
            {"transfer", colour.transfer},
            {"chroma_location", colour.chroma_location},
            {"sample_aspect_ratio", ratio ? aspect_text(*ratio) : ""},
            {"rotation", rotation_text(colour)},
            {"field_order", colour.field_order}};
}

} // namespace isovmaf
