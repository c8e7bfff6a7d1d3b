// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>

#include "input/raw/byte_reader.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// Whether the next bytes are the start of a YUV4MPEG2 file.
[[nodiscard]] Result<bool> looks_like_y4m(ByteReader &reader);

/// Opens YUV4MPEG2 of 8 to 16 bit in 4:0:0, 4:2:0, 4:2:2 or 4:4:4. A file without one whole frame is an error.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> open_y4m(std::unique_ptr<ByteReader> reader,
                                                            const SourceOptions &options);

} // namespace isovmaf
