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

/// Facts about a video that are known before its first frame is read.
struct SourceInfo {
    VideoFormat format;
    std::string name;                        ///< as the user gave it; "-" is standard input
    std::string container;                   ///< "y4m", "raw", or libavformat's name such as "matroska,webm"
    std::string codec;                       ///< "rawvideo", or libavcodec's name such as "ffv1"
    std::optional<std::int64_t> frame_count; ///< when the file states it; an estimate, for progress only
};

/// A video read frame by frame, in display order. Used by one thread at a time.
class FrameSource {
  public:
    virtual ~FrameSource() = default;

    [[nodiscard]] virtual const SourceInfo &info() const = 0;

    /// The next frame, or nothing at the end. When the last frame is truncated, the video ends before it and the log
    /// gets a warning. Damage before the end is an error.
    [[nodiscard]] virtual Result<std::optional<Frame>> read() = 0;

    /// Makes a read in progress, even one that waits for a pipe, and all later reads fail soon. May be called from any
    /// thread.
    virtual void cancel() = 0;
};

struct SourceOptions {
    /// The format of raw planar YUV, which has no header. Not set for other files.
    std::optional<VideoFormat> raw_format = {};
    int decode_threads = 0; ///< for codecs; 0: libavcodec chooses
    LogSink log = {};
};

/// Opens raw YUV when `raw_format` is given, else Y4M when the file starts like Y4M, else any file that libavformat can
/// read. "-" is standard input. The error says whether the file is missing, empty, a directory or of an unknown format.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> open_source(const std::string &path, const SourceOptions &options);

} // namespace isovmaf
