// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>

#include "input/byte_reader.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// Whatever libavformat and libavcodec read: the best video stream, every decoded frame in output order whatever its
/// time stamp. A file without a decodable frame is an error. Quietens libav's own log for the whole process.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> open_libav(std::unique_ptr<ByteReader> reader,
                                                              const SourceOptions &options);

} // namespace isovmaf
