// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
#include <libavutil/pixfmt.h>
}

#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// Position of one component's samples in the memory of a libav frame.
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
    int shift = 0; ///< number of unused low bits below the sample in its one or two bytes
    std::array<ComponentLayout, 3> components{};

    [[nodiscard]] int word_bytes() const { return bit_depth > 8 ? 2 : 1; }

    /// Whether a Frame can use the memory as it is.
    [[nodiscard]] bool is_planar() const;

    friend bool operator==(const PixelLayout &, const PixelLayout &) = default;
};

/// The layout of a format that can be scored: Y'CbCr or luma alone, 8 to 16 bit in native byte order. Alpha is
/// left out.
[[nodiscard]] std::optional<PixelLayout> pixel_layout(AVPixelFormat format);

/// Whether the samples of a pixel format are R'G'B', also by way of a palette.
[[nodiscard]] bool is_rgb(AVPixelFormat format);

/// libav's name of its planar pixel format for `format`; empty when libav has none (11, 13 and 15 bit). Needs no libav.
[[nodiscard]] std::string planar_format_name(const VideoFormat &format);

/// The format with that name; AV_PIX_FMT_NONE when there is none.
[[nodiscard]] AVPixelFormat pixel_format(const VideoFormat &format);

/// libav's name of the format, or "unknown".
[[nodiscard]] std::string pixel_format_name(AVPixelFormat format);

/// A matrix between R'G'B' and Y'CbCr that libswscale computes.
struct Matrix {
    std::string_view name;        ///< libav's
    std::string_view filter_name; ///< that of ffmpeg's filter scale, and of our option --convert
    int coefficients;             ///< for sws_getCoefficients
};

/// Finds a matrix by libav's name; null when libswscale does not compute it.
[[nodiscard]] const Matrix *find_matrix(std::string_view name);

/// Finds a matrix by the name that ffmpeg's filter takes; null when there is none.
[[nodiscard]] const Matrix *find_filter_matrix(std::string_view filter_name);

/// The names that ffmpeg's filter takes, each once.
[[nodiscard]] std::vector<std::string_view> filter_matrix_names();

} // namespace isovmaf
