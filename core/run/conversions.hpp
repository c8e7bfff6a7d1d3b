// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "input/source_info.hpp"
#include "run/video_request.hpp"

/// The conversions of two videos, in the order in which they are made.
namespace isovmaf {

/// Chooses what samples become that features cannot read: the format, range and matrix of the other video, or the
/// matrix of the request. Fails when the request has a matrix for a video that is not R'G'B'.
Result<void> choose_conversions(const VideoRequest &request, FrameSource &reference, FrameSource &distorted);

/// The bits that a side has after the conversions of the request: more are added where the other side has more.
[[nodiscard]] int requested_depth(const VideoSide &side, const VideoFormat &stored);

/// Changes chroma, turns, crops, and changes bit depths and ranges. The side with fewer bits gets as many as the other:
/// see BitsAdded.
Result<void> convert_sides(const VideoRequest &request, std::unique_ptr<FrameSource> &reference,
                           std::unique_ptr<FrameSource> &distorted);

/// Scales the side that `resize` names to the other's size, when the sizes differ.
[[nodiscard]] Result<std::vector<std::string>>
apply_resize(const Resize &resize, std::unique_ptr<FrameSource> &reference, std::unique_ptr<FrameSource> &distorted);

/// A command line that lets ffmpeg read the file of `stored` and write the samples that the conversions of `converted`
/// make of it, as raw video to standard output. Empty when nothing is converted, or when ffmpeg has no filter for one
/// of the conversions. `stored` and `converted` describe the video before and after all conversions.
[[nodiscard]] std::string ffmpeg_command(const SourceInfo &stored, const SourceInfo &converted);

} // namespace isovmaf
