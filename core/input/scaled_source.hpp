// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>

#include "input/source.hpp"

namespace isovmaf {

enum class ScaleFilter : std::uint8_t { bilinear, bicubic, lanczos };

/// "bicubic"
[[nodiscard]] std::string_view scale_filter_name(ScaleFilter filter);

/// Gives the frames of `source` scaled to `width` x `height`. libswscale's exact rounding makes them the same on every
/// CPU. Chroma subsampling and bit depth stay. Fails for bit depths that libswscale cannot scale.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> make_scaled_source(std::unique_ptr<FrameSource> source, int width,
                                                                      int height, ScaleFilter filter);

} // namespace isovmaf
