// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>

#include "input/byte_reader.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// Opens any file that libavformat and libavcodec can read. Gives every decoded frame of the chosen video stream in
/// output order, without regard to time stamps. A file without a decodable frame is an error. Silences libav's log in
/// the whole process.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> open_libav(std::unique_ptr<ByteReader> reader,
                                                              const SourceOptions &options);

} // namespace isovmaf
