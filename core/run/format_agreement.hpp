// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "input/source_info.hpp"
#include "run/video_request.hpp"

/// Whether two videos have a format in which they can be compared, and what helps where they do not.
namespace isovmaf {

/// What is known of both videos at one time.
struct PairInfo {
    SourceInfo reference, distorted;
};

/// Describes both videos as they are now.
[[nodiscard]] PairInfo describe_pair(const FrameSource &reference, const FrameSource &distorted);

/// What a report should say of bits that were added without being asked for; no sentence otherwise. `stored` is the
/// pair before the conversions of the request, `converted` after them.
[[nodiscard]] Result<std::vector<std::string>> added_bits_notes(const VideoRequest &request, const PairInfo &stored,
                                                                const PairInfo &converted);

/// Fails when the converted videos do not have one format and will not get one by scaling or by leaving chroma out. The
/// error names the formats that the files have, what reads the chroma, and options each of which helps by itself.
[[nodiscard]] Result<void> check_formats(const VideoRequest &request, const PairInfo &stored,
                                         const PairInfo &converted);

/// Leaves chroma out where the videos, which passed check_formats, have different chroma, or one has none. Returns what
/// a report should say.
[[nodiscard]] std::vector<std::string> match_luma(std::unique_ptr<FrameSource> &reference,
                                                  std::unique_ptr<FrameSource> &distorted);

} // namespace isovmaf
