// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "run/videos.hpp"

/// Where a pair of videos is cut into parts (docs/adr/0092).
namespace isovmaf {

/// Frames of a part, at least: a part costs opening both files, and a device that runs empty.
inline constexpr std::int64_t least_part_frames = 64;

/// How many frames a part should have: each of several workers gets some eight parts, so that all end at about the same
/// time.
[[nodiscard]] std::int64_t choose_part_frames(std::int64_t frames, std::size_t workers);

/// The first frames of parts of a video with `frames` frames, ascending from 0, at least `part_frames` apart: 0, and
/// some of `starts`, which ascend. Without `starts` a part may begin anywhere.
[[nodiscard]] std::vector<std::int64_t> cut_video(std::int64_t frames, std::int64_t part_frames,
                                                  const std::optional<std::vector<std::int64_t>> &starts = {});

/// The same for two videos, of which `opened` tells the number of frames. Parts of coded files begin where both, or at
/// least the one with fewer key frames, can be decoded from a key frame on. Builds the indexes of coded files, which
/// the request has. Fails with `unsupported` when the pair cannot be read in parts: the sentence says why.
/// `part_frames`: 0 to choose.
[[nodiscard]] Result<std::vector<std::int64_t>> plan_parts(const VideoRequest &request, const OpenedVideos &opened,
                                                           std::size_t workers, std::int64_t part_frames);

} // namespace isovmaf
