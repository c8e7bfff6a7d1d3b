// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// A video format without its size.
struct SampleFormat {
    Chroma chroma = Chroma::k420;
    int bit_depth = 8;

    friend bool operator==(const SampleFormat &, const SampleFormat &) = default;
};

/// Parses "420p10": chroma (400, 420, 422 or 444) and bit depth, which is 8 when left out.
[[nodiscard]] std::optional<SampleFormat> parse_sample_format(std::string_view text);

/// The text that parse_sample_format reads, with its depth.
[[nodiscard]] std::string sample_format_text(const SampleFormat &format);

} // namespace isovmaf
