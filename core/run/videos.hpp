// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "input/pair_source.hpp"
#include "input/source.hpp"
#include "isovmaf/score_video.hpp"

namespace isovmaf {

/// One video file, and how it is read.
struct VideoSide {
    std::string path;         ///< "-" is standard input
    StatedFormat stated = {}; ///< how raw video is read; other files are compared with it
    std::optional<StreamChoice> stream = {};
};

/// Two video files, and how they are read.
struct VideoRequest {
    VideoSide reference, distorted;
    bool allow_partial = false; ///< raw video may end inside a frame
    PairOptions pair = {};      ///< its log is not used: see open_videos
};

/// Two videos that are being read.
struct OpenedVideos {
    SourceInfo reference;
    SourceInfo distorted;
    std::unique_ptr<PairSource> pairs;
};

/// Opens both videos and checks that they can be compared. Warnings go to `log`, later ones of the reading too.
[[nodiscard]] Result<OpenedVideos> open_videos(const VideoRequest &request, const LogSink &log);

/// Scores the videos on a session of their format: see score_video.
[[nodiscard]] Result<VideoEnd> score_videos(OpenedVideos &videos, Session &session, const ScoreObserver &observer);

} // namespace isovmaf
