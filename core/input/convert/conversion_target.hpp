// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// The target of the conversion of samples that features cannot read.
struct ConversionTarget {
    VideoFormat format;          ///< its size is that of the video
    std::string range;           ///< "limited" or "full"
    std::string matrix;          ///< libav's name; for R'G'B' only, else empty
    bool matrix_assumed = false; ///< neither the other video nor the user says that it is this one

    friend bool operator==(const ConversionTarget &, const ConversionTarget &) = default;
};

} // namespace isovmaf
