// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "input/source_info.hpp"
#include "isovmaf/result.hpp"
#include "isovmaf/video_format.hpp"

namespace isovmaf {

struct SourceInfo;

/// What the user states about one video. A file without a header is read as the statement says. For all other files the
/// statement is compared with the file's header.
struct StatedFormat {
    StatedFormat() = default;
    StatedFormat(const VideoFormat &format) // NOLINT(google-explicit-constructor): a format is a complete statement
        : width(format.width), height(format.height), chroma(format.chroma), bit_depth(format.bit_depth) {}

    std::optional<int> width;
    std::optional<int> height;
    std::optional<Chroma> chroma;
    std::optional<int> bit_depth;
    std::optional<Rational> frame_rate; ///< frames per second
    bool headerless = false;            ///< the file is raw video, even if it begins like another format

    [[nodiscard]] bool empty() const { return !width && !height && !chroma && !bit_depth && !frame_rate; }

    /// The format of raw video; nothing unless width, height, chroma and bit depth are all stated.
    [[nodiscard]] std::optional<VideoFormat> raw_format() const;

    /// The fields of the format that are not stated: "height, bit depth".
    [[nodiscard]] std::string missing() const;

    friend bool operator==(const StatedFormat &, const StatedFormat &) = default;
};

/// Parses "1920x1080:420p10@24": size, chroma (400, 420, 422 or 444), bit depth (8 when left out) and frame rate (may
/// be left out; "30000/1001" also). "raw:" in front sets `headerless`.
[[nodiscard]] Result<StatedFormat> parse_stated_format(std::string_view text);

/// The text that parse_stated_format reads. The statement holds a complete format.
[[nodiscard]] std::string stated_format_text(const StatedFormat &stated);

/// Fails when the header of a video says something else than the statement. The error names both.
[[nodiscard]] Result<void> check_stated(const StatedFormat &stated, const SourceInfo &info);

} // namespace isovmaf
