// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "input/raw/byte_reader.hpp"
#include "input/source.hpp"
#include "input/source_info.hpp"
#include "isovmaf/result.hpp"
#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// First word of every YUV4MPEG2 file.
inline constexpr std::string_view y4m_magic = "YUV4MPEG2";

/// What the header line of a Y4M file says.
struct Y4mHeader {
    VideoFormat format;
    std::optional<Rational> frame_rate; ///< frames per second
    ColourDescription colour;           ///< its chroma location, field order, sample aspect ratio and range
};

/// Parses the stream's header line, which is given without its line feed. Errors begin with `name`.
[[nodiscard]] Result<Y4mHeader> parse_y4m_header(std::string_view line, const std::string &name);

/// Whether the next bytes are the start of a YUV4MPEG2 file.
[[nodiscard]] Result<bool> looks_like_y4m(ByteReader &reader);

/// Opens YUV4MPEG2 of 8 to 16 bit in 4:0:0, 4:2:0, 4:2:2 or 4:4:4. A file without one whole frame is an error.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> open_y4m(std::unique_ptr<ByteReader> reader,
                                                            const SourceOptions &options);

} // namespace isovmaf
