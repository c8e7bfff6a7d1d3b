// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "frame/frame.hpp"
#include "isovmaf/result.hpp"
#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// What is known of a video before its first frame is read.
struct SourceInfo {
    VideoFormat format;
    std::string name;                        ///< as the user gave it; "-" is standard input
    std::string container;                   ///< "y4m", "raw", or libavformat's name such as "matroska,webm"
    std::string codec;                       ///< "rawvideo", or libavcodec's name such as "ffv1"
    std::optional<std::int64_t> frame_count; ///< where the file tells; an estimate, for progress only
};

/// A video read frame by frame, in display order. Used by one thread at a time.
class FrameSource {
  public:
    virtual ~FrameSource() = default;

    [[nodiscard]] virtual const SourceInfo &info() const = 0;

    /// The next frame, or nothing at the end. A truncated last frame ends the video with a warning to the log; damage
    /// before the end is an error.
    [[nodiscard]] virtual Result<std::optional<Frame>> read() = 0;

    /// Makes a read in progress and all later ones give up soon, even one that waits for a pipe. May be called from
    /// any thread.
    virtual void cancel() = 0;
};

struct SourceOptions {
    /// Set for raw planar YUV: the file has no header and this is its format.
    std::optional<VideoFormat> raw_format = {};
    int decode_threads = 0; ///< for codecs; 0: libavcodec chooses
    LogSink log = {};
};

/// Opens raw YUV when `raw_format` is given, else Y4M when the file starts as one, else whatever libavformat reads.
/// "-" is standard input. The error tells a missing file, a directory, an empty file and an unknown format apart.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> open_source(const std::string &path, const SourceOptions &options);

} // namespace isovmaf
