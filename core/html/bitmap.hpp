// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace isovmaf {

/// A Windows bitmap of 16 colours, 4 bits per pixel. `pixels` are indices into heat_colours, row by row from the top.
[[nodiscard]] std::string heat_bitmap(std::span<const std::uint8_t> pixels, int width, int height);

/// Base64 of RFC 4648, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);

} // namespace isovmaf
