// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "input/rational.hpp"

namespace isovmaf {

/// What a file says about how its samples become a picture. Texts are empty, and ratios missing, where the file does
/// not say. Names of matrix, primaries, transfer and chroma location are those of libav: "bt709", "smpte2084", "left".
struct ColourDescription {
    std::string range;  ///< "limited" or "full"
    std::string matrix; ///< from R'G'B' to Y'CbCr; "gbr" when the samples are R'G'B'
    std::string primaries;
    std::string transfer;
    std::string chroma_location;                 ///< of subsampled chroma
    std::optional<Rational> sample_aspect_ratio; ///< width of a sample : its height
    int rotation = 0;                            ///< degrees, clockwise, that a player turns the picture by: 0 to 359
    bool mirrored = false;                       ///< a player also mirrors the picture
    std::string field_order; ///< "progressive", or "top field first", "bottom field first" or "mixed": interlaced

    [[nodiscard]] bool interlaced() const { return !field_order.empty() && field_order != "progressive"; }

    friend bool operator==(const ColourDescription &, const ColourDescription &) = default;
};

/// "90 degrees", "180 degrees, mirrored", "none"
[[nodiscard]] std::string rotation_text(const ColourDescription &colour);

/// All fields by their names in reports; texts of fields that are not specified are empty.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> colour_fields(const ColourDescription &colour);

} // namespace isovmaf
