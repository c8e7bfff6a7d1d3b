// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>

#include "run/video_request.hpp"

/// What is decided about a pair of videos before any of its frames is scored (docs/adr/0116). Decisions depend on the
/// two files and the request alone, so that all who read the pair decide the same.
namespace isovmaf {

/// Whether a request leaves nothing to decide.
[[nodiscard]] inline bool is_settled(const VideoRequest &request) { return !request.fit && !request.find_offset; }

enum class SettledBy : std::uint8_t {
    pictures, ///< everything
    headers,  ///< chroma, range and size alone: frames are not looked at, and their number is known
};

/// Decides what the request leaves open, unless an option by hand says it: with `fit`, in this order, chroma, bars that
/// one of the videos has not, range and size; then the offset. The result has these decisions as a user would give them
/// by hand, and says what they were. Fails when an offset is asked for that the pictures do not tell.
[[nodiscard]] Result<VideoRequest> settle_videos(VideoRequest request, SettledBy by = SettledBy::pictures);

/// Gives a request what was decided about another one, of the same contents and options: see settle_videos.
void take_decisions(const VideoRequest &settled, VideoRequest &request);

/// Whether a video is a pipe or the like, which cannot be read twice.
[[nodiscard]] bool is_read_once(const std::string &path);

/// Fails where something is to be decided about videos that can be read once.
[[nodiscard]] Result<void> check_can_settle(const VideoRequest &request);

} // namespace isovmaf
