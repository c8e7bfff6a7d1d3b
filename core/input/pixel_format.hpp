// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <optional>
#include <string>

extern "C" {
#include <libavutil/pixfmt.h>
}

#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// Where one component's samples lie in the memory of a libav frame.
struct ComponentLayout {
    int plane = 0;
    int offset_bytes = 0; ///< of a row's first sample
    int step_bytes = 0;   ///< from one sample to the next

    friend bool operator==(const ComponentLayout &, const ComponentLayout &) = default;
};

/// How a libav pixel format stores Y'CbCr samples.
struct PixelLayout {
    Chroma chroma = Chroma::k420;
    int bit_depth = 8;
    int shift = 0; ///< empty low bits below the sample in its word of one or two bytes
    std::array<ComponentLayout, 3> components{};

    [[nodiscard]] int word_bytes() const { return bit_depth > 8 ? 2 : 1; }

    /// Whether a Frame can use the memory as it is.
    [[nodiscard]] bool is_planar() const;

    friend bool operator==(const PixelLayout &, const PixelLayout &) = default;
};

/// The layout, when it is Y'CbCr or luma only, of 8 to 16 bit in words of native byte order, without alpha.
[[nodiscard]] std::optional<PixelLayout> pixel_layout(AVPixelFormat format);

/// The planar pixel format of such frames; AV_PIX_FMT_NONE when libav has none (11, 13 and 15 bit).
[[nodiscard]] AVPixelFormat pixel_format(const VideoFormat &format);

/// libav's name, "unknown" for what it has no name for.
[[nodiscard]] std::string pixel_format_name(AVPixelFormat format);

} // namespace isovmaf
