// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>

#include "frame/crop.hpp"
#include "input/source.hpp"

/// Sources that give a part of another source's frames, in the memory of those frames.
namespace isovmaf {

/// Gives a part of the pictures of `source`. Fails when the part does not lie in the pictures, or cuts through chroma
/// samples.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> make_cropped_source(std::unique_ptr<FrameSource> source,
                                                                       const Crop &crop);

/// Gives the luma of `source` as 4:0:0.
[[nodiscard]] std::unique_ptr<FrameSource> make_luma_source(std::unique_ptr<FrameSource> source);

} // namespace isovmaf
