// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/source_info.hpp"

#include <fmt/format.h>

namespace isovmaf {

std::string aspect_text(const Rational &ratio) { return fmt::format("{}:{}", ratio.numerator, ratio.denominator); }

std::string rational_text(const Rational &ratio) {
    return ratio.denominator == 1 ? fmt::format("{}", ratio.numerator)
                                  : fmt::format("{}/{}", ratio.numerator, ratio.denominator);
}

std::string rotation_text(const ColourDescription &colour) {
    if (colour.rotation == 0)
        return colour.mirrored ? "mirrored" : "none";
    return fmt::format("{} degrees{}", colour.rotation, colour.mirrored ? ", mirrored" : "");
}

std::vector<std::pair<std::string, std::string>> colour_fields(const ColourDescription &colour) {
    const auto &ratio = colour.sample_aspect_ratio;
    std::vector<std::pair<std::string, std::string>> fields{{"range", colour.range},
                                                            {"matrix", colour.matrix},
                                                            {"primaries", colour.primaries},
                                                            {"transfer", colour.transfer},
                                                            {"chroma_location", colour.chroma_location},
                                                            {"sample_aspect_ratio", ratio ? aspect_text(*ratio) : ""},
                                                            {"rotation", rotation_text(colour)},
                                                            {"field_order", colour.field_order}};
    if (!colour.dolby_vision.empty())
        fields.emplace_back("dolby_vision", colour.dolby_vision);
    return fields;
}

std::string conversion_text(const Conversion &conversion) {
    return conversion.filter && !conversion.filter->empty()
               ? fmt::format("{}, as ffmpeg -vf {}", conversion.what, *conversion.filter)
               : conversion.what;
}

} // namespace isovmaf
