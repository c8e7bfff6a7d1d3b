// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "execution/thread_budget.hpp"
#include "input/pair/pair_source.hpp"
#include "isovmaf/score_video.hpp"
#include "run/video_request.hpp"

namespace isovmaf {

/// Two videos that are being read.
struct OpenedVideos {
    /// As the files say, with the formats before scaling and all conversions.
    SourceInfo reference, distorted;
    /// Of ffmpeg, with the samples that are scored: see ffmpeg_command.
    std::string reference_command, distorted_command;
    std::vector<std::string> notes;    ///< what the report should say about the two, one sentence each
    std::string start_difference = {}; ///< one of the notes, a warning once pictures disagree; or empty
    std::string same_file = {};        ///< one of the notes, when both are one stream of one file; or empty
    HardwareDecoding hwaccel = HardwareDecoding::none;
    LogSink log = {};                  ///< of opening
    std::unique_ptr<PairSource> pairs; ///< its warnings begin with those of opening
};

/// Frames per second of the pairs, as far as the videos say: the rate of the slower one. 0 when none says one.
[[nodiscard]] double rate_of_pairs(const OpenedVideos &videos);

/// Opens both videos, converts what the request says (pixel format, crop, bit depth, range, size, in this order), and
/// checks that they can be compared. Warnings go to `log`, later ones of the reading too. Rates that differ are a
/// warning, with `pair.strict` an error: see rate_difference. What the request leaves to be decided is decided here:
/// who opens a pair several times calls settle_videos once before.
[[nodiscard]] Result<OpenedVideos> open_videos(const VideoRequest &request, const LogSink &log);

/// How the file of one side of a request is opened.
[[nodiscard]] SourceOptions source_options(const VideoSide &side, const VideoRequest &request, const LogSink &log);

/// Opens the reference of a request.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> open_reference(const VideoRequest &request, const LogSink &log);

/// The same as open_videos with a reference that was opened before.
[[nodiscard]] Result<OpenedVideos> open_videos(const VideoRequest &request, std::unique_ptr<FrameSource> reference,
                                               const LogSink &log);

/// What whoever computes words on this device, or on the CPU (null), wants of the frames of two videos. `demand`: of
/// the extractions that compute side by side; its `device` is set here.
[[nodiscard]] FrameNeeds frame_needs(int planes, FrameMemory memory, const DeviceHandle &device,
                                     ThreadDemand demand = {});

/// Scores the videos on a session of their format: see score_video. When the observer wants to stop, a read that fails
/// ends the video, so that PairSource::cancel loses no score. Of raw video the planes are read that the session looks
/// at. A device decodes where the videos' request says so and the session computes on it.
[[nodiscard]] Result<VideoEnd> score_opened_videos(OpenedVideos &videos, Session &session,
                                                   const ScoreObserver &observer);

/// After a failure of score_opened_videos: scores the pairs before it to the end, where the session still can.
void score_rest(Session &session, const ScoreObserver &observer);

} // namespace isovmaf
