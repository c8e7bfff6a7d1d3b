// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

extern "C" {
#include <libavformat/avformat.h>
}

#include "input/source.hpp"
#include "input/source_info.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// Whether a stream is a cover: one picture that belongs to the file, not to its video.
[[nodiscard]] bool is_cover(const AVStream &stream);

/// Numbers of the video streams, covers included: v:0 is the first.
[[nodiscard]] std::vector<unsigned> video_streams(const AVFormatContext &file);

/// The duration in seconds that a file states for this stream alone: in Matroska a tag, where there is one.
[[nodiscard]] std::optional<double> own_duration(const AVFormatContext &file, const AVStream &stream);

/// What the file says about the times of a stream's frames.
[[nodiscard]] SourceTiming describe_timing(const AVFormatContext &file, unsigned stream);

/// Estimates the number of frames of a stream: the number that the file states, or its duration times its rate.
[[nodiscard]] std::optional<std::int64_t> stated_frames(const AVStream &stream, const SourceTiming &timing);

/// The number of the stream to score. Without a choice it is the one that ffmpeg takes: the largest picture, where a
/// default disposition counts as 5 million pixels, and never a cover. `name` is the file's in error sentences.
[[nodiscard]] Result<unsigned> choose_video_stream(const AVFormatContext &file, const std::string &name,
                                                   const std::optional<StreamChoice> &choice);

} // namespace isovmaf
