// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>

#include "input/raw/byte_reader.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// Opens planar video without a header, with 8-bit or 16-bit little-endian samples in the stated format, which has to
/// be complete, as ffmpeg's rawvideo muxer writes it. A file shorter than one frame is an error. So is a file that is
/// not a whole number of frames, unless `options.allow_partial`.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> open_raw(std::unique_ptr<ByteReader> reader,
                                                            const SourceOptions &options);

} // namespace isovmaf
