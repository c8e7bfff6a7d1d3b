// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/stream_choice.hpp"

#include <fmt/format.h>

#include "base/number.hpp"

namespace isovmaf {

Result<StreamChoice> parse_stream_choice(std::string_view text) {
    StreamChoice choice;
    choice.among_video = text.starts_with("v:");
    const auto number = parse_integer(choice.among_video ? text.substr(2) : text);
    if (!number || *number < 0 || *number > 9999)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("\"{}\" names no stream: v:1 is the second video stream, 3 the fourth stream", text));
    choice.number = static_cast<int>(*number);
    return choice;
}

std::string stream_choice_text(const StreamChoice &choice) {
    return fmt::format("{}{}", choice.among_video ? "v:" : "", choice.number);
}

} // namespace isovmaf
