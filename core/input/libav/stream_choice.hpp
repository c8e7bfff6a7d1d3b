// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

#include "isovmaf/result.hpp"

namespace isovmaf {

/// A stream of a file, counted from 0.
struct StreamChoice {
    int number = 0;
    bool among_video = true; ///< counts video streams only; else all streams

    friend bool operator==(const StreamChoice &, const StreamChoice &) = default;
};

/// Parses "v:1", the second video stream, or "3", the fourth stream.
[[nodiscard]] Result<StreamChoice> parse_stream_choice(std::string_view text);

/// The text that parse_stream_choice reads.
[[nodiscard]] std::string stream_choice_text(const StreamChoice &choice);

} // namespace isovmaf
