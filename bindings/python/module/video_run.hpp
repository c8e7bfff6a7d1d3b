// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/creator_process.hpp"
#include "input/raw/pipe_group.hpp"
#include "result.hpp"
#include "run/alignment_doctor.hpp"
#include "run/parted_video.hpp"
#include "video_options.hpp"

namespace isovmaf::python {

/// Scores two videos on a thread of its own, which runs no Python: so the caller's thread can look for signals and call
/// functions of Python meanwhile.
class VideoRun {
  public:
    /// Starts to open and score the videos.
    explicit VideoRun(VideoJob job);

    /// Stops the run if it goes on, and waits for its end; not in a process that was forked since.
    ~VideoRun();
    VideoRun(const VideoRun &) = delete;
    VideoRun &operator=(const VideoRun &) = delete;

    /// Fails in a process that was forked since: the thread is not there. The other functions are for the process that
    /// made the object.
    [[nodiscard]] Result<void> check_process() const { return creator_.check("the run of score"); }

    /// Waits for the end, `time` at most. Returns whether the run has ended.
    [[nodiscard]] bool wait(std::chrono::milliseconds time) const;

    /// Frames whose scores are known.
    [[nodiscard]] std::int64_t scored() const { return scored_; }

    /// Frames that will be scored, as far as the files say.
    [[nodiscard]] std::optional<std::int64_t> expected() const;

    /// Sentences of the level warning since the last call.
    [[nodiscard]] std::vector<std::string> take_warnings();

    /// Scores, or why there are none. Once, after the end.
    [[nodiscard]] Result<VideoScores> take_result() { return result_.get(); }

  private:
    Result<VideoScores> run();
    Result<void> open_video(const VideoRequest &request, const ScoringOptions &scoring, OpenedVideos &videos);
    Result<VideoScores> score(const OpenedVideos &videos, AlignmentDoctor &doctor, Report report);
    Result<void> judge_alignment(const AlignmentDoctor &doctor, const OpenedVideos &videos, Report &report);
    void log(Severity severity, std::string_view sentence);

    CreatorProcess creator_;
    VideoJob job_;
    const std::shared_ptr<PipeGroup> pipes_; ///< the pipes among the videos
    std::atomic<bool> stopped_ = false;
    std::atomic<std::int64_t> scored_ = 0;
    VideoFormat format_;                 ///< of the pairs
    mutable std::mutex mutex_;           ///< guards what follows
    std::unique_ptr<PartedVideo> video_; ///< changed by the thread of the run
    std::optional<std::int64_t> expected_;
    std::vector<std::string> warnings_, notes_;

    std::promise<Result<VideoScores>> promise_;
    std::future<Result<VideoScores>> result_ = promise_.get_future();
    std::thread thread_; ///< last: it uses the members above
};

} // namespace isovmaf::python
