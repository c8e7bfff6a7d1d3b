// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "input/source_info.hpp"
#include "isovmaf/result.hpp"
#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// First word of every YUV4MPEG2 file.
inline constexpr std::string_view y4m_magic = "YUV4MPEG2";

/// First word of every frame's header line.
inline constexpr std::string_view y4m_frame_magic = "FRAME";

/// Longest header line accepted. Real ones have less than 200 bytes.
inline constexpr std::size_t y4m_line_limit = 4096;

/// What the header line of a Y4M file says.
struct Y4mHeader {
    VideoFormat format;
    std::optional<Rational> frame_rate; ///< frames per second
    ColourDescription colour;           ///< its chroma location, field order, sample aspect ratio and range
};

/// Parses the stream's header line, which is given without its line feed. Errors begin with `name`.
[[nodiscard]] Result<Y4mHeader> parse_y4m_header(std::string_view line, const std::string &name);

/// Text from a damaged file, shortened and without unprintable characters, for an error sentence.
[[nodiscard]] std::string printable(std::string_view text);

} // namespace isovmaf
