// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "isovmaf/result.hpp"

namespace isovmaf {

/// Encodes a picture of full-range Y, Cb and Cr planes of BT.601, each of `width` x `height` samples without gaps, as a
/// JPEG file by libavcodec. `quantizer` goes from 2, the finest, to 31. Fails where libavcodec was built without its
/// JPEG encoder.
[[nodiscard]] Result<std::string>
encode_jpeg(int width, int height, const std::array<std::span<const std::uint8_t>, 3> &planes, int quantizer);

} // namespace isovmaf
