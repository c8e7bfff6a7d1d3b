// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>

#include "input/raw/byte_reader.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// Opens any file that libavformat and libavcodec can read. Gives every decoded frame of the chosen video stream in
/// output order, without regard to time stamps. A file without a decodable frame is an error. Silences libav's log in
/// the whole process.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> open_libav(std::unique_ptr<ByteReader> reader,
                                                              const SourceOptions &options);

/// The same for a URL or a pattern of names of numbered pictures: see is_url_or_pattern.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> open_libav(const std::string &path, const SourceOptions &options);

} // namespace isovmaf
