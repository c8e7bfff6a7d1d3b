// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <span>
#include <string>

#include "input/libav/frame_index.hpp"
#include "input/libav/libav_decoder.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// Opens a decoder for a video file that begins with the last of the starts, which are those for some frame. Fails when
/// the packet is not found. The index has no obstacle, and outlives the decoder.
[[nodiscard]] Result<std::unique_ptr<LibavDecoder>> open_at_start(const std::string &path, const SourceOptions &options,
                                                                  const FrameIndex &index,
                                                                  std::span<const FrameIndex::Start> starts);

} // namespace isovmaf
