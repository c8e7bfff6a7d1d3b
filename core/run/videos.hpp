// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "input/pair_source.hpp"
#include "input/source.hpp"
#include "isovmaf/score_video.hpp"
#include "run/check_colours.hpp"

namespace isovmaf {

/// One video file, and how it is read.
struct VideoSide {
    std::string path;         ///< "-" is standard input
    StatedFormat stated = {}; ///< how raw video is read; other files are compared with it
    std::optional<StreamChoice> stream = {};
    bool convert_range = false;                ///< to the colour range of the other video
    std::optional<int> convert_bit_depth = {}; ///< to this bit depth, which may not be lower
};

/// Two video files, and how they are read.
struct VideoRequest {
    VideoSide reference, distorted;
    bool allow_partial = false; ///< raw video may end inside a frame
    bool common_depth = false;  ///< the video with fewer bits is converted to the bit depth of the other
    bool predicts = false;      ///< a model predicts a score: HDR video gets a warning
    ColourPolicy colours = ColourPolicy::refuse;
    PairOptions pair = {}; ///< its log is not used: see open_videos
};

/// Two videos that are being read.
struct OpenedVideos {
    SourceInfo reference; ///< as its file says, and what it was converted to before scaling
    SourceInfo distorted;
    std::vector<std::string> notes; ///< what the report should say about the two, one sentence each
    std::unique_ptr<PairSource> pairs;
};

/// Opens both videos, converts what the request says, and checks that they can be compared. Warnings go to `log`, later
/// ones of the reading too. Rates and start times that differ are warnings, with `pair.strict` errors: see
/// timing_differences.
[[nodiscard]] Result<OpenedVideos> open_videos(const VideoRequest &request, const LogSink &log);

/// Sees each pair before the session does, on the thread that called score_videos.
using PairWatcher = std::function<void(const FramePair &)>;

/// Scores the videos on a session of their format: see score_video. When the observer wants to stop, a read that fails
/// ends the video, so that PairSource::cancel loses no score.
[[nodiscard]] Result<VideoEnd> score_videos(
    OpenedVideos &videos, Session &session, const ScoreObserver &observer,
    const PairWatcher &watch = [](const FramePair &) {});

} // namespace isovmaf
