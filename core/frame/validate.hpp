// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "isovmaf/result.hpp"
#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// Fails unless the format is one that frames can have: sides 1..max_frame_side, a known chroma, 8 to 16 bit.
[[nodiscard]] Result<void> validate_format(const VideoFormat &format);

/// Returns a width or height as int when it is from 1 to max_frame_side. The error's sentence begins with `what`.
[[nodiscard]] Result<int> validate_side(std::string_view what, std::int64_t side);

inline constexpr std::array all_chromas{Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444};

/// "4:2:0"
[[nodiscard]] std::string_view chroma_text(Chroma chroma);

/// The code of a chroma on command lines and in reports: "420".
[[nodiscard]] std::string_view chroma_code(Chroma chroma);

/// The chroma with this code.
[[nodiscard]] std::optional<Chroma> find_chroma(std::string_view code);

/// "1920x1080 4:2:0 8-bit"
[[nodiscard]] std::string format_text(const VideoFormat &format);

} // namespace isovmaf
