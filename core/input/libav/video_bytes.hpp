// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isovmaf/result.hpp"

namespace isovmaf {

/// How large a video is on disk.
struct VideoBytes {
    std::int64_t file = 0;
    std::optional<std::int64_t> bit_rate = {}; ///< of the video stream alone, in bits per second; coded video has one
};

/// Reads all packets of a video stream of a coded file, counted among its video streams, without decoding them. The
/// bit rate is their bytes over the time from the first frame to the end of the last. It is missing where no packet has
/// a time. Of raw video and Y4M (`coded` is false) only the size of the file is told. Nothing for what is no regular
/// file: a pipe, a URL, numbered pictures.
[[nodiscard]] Result<std::optional<VideoBytes>> measure_video_bytes(const std::string &path, int stream, bool coded);

} // namespace isovmaf
