// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "input/libav/frame_indexes.hpp"
#include "report/report.hpp"
#include "run/alignment_doctor.hpp"
#include "run/parted_video.hpp"
#include "score_page/worst_frames.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/interrupt.hpp"
#include "tools/isovmaf/progress.hpp"
#include "tools/isovmaf/score/alignment_gain.hpp"
#include "tools/isovmaf/score/score_file.hpp"
#include "tools/isovmaf/score/score_request.hpp"
#include "tools/isovmaf/score/score_stats.hpp"

namespace isovmaf::tool {

/// What `isovmaf score` found out about a distorted video.
struct ScoredVideo {
    Report report;
    std::size_t first_model = 0;                 ///< columns of the scores from here on are those of models
    std::vector<WorstFrame> worst = {};          ///< for a page
    std::vector<std::int64_t> listed_worst = {}; ///< as many as --worst says, for a terminal
    std::int64_t worst_distance = 1;             ///< frames between two of them, at least
    std::string map_feature = {};                ///< whose maps they have; empty: they have none
    std::vector<ScoreSpan> spans = {};           ///< see ScoreRequest::per
    std::optional<Error> span_failure = {};      ///< why there are none
    std::vector<std::string> hints = {};         ///< sentences for standard error
    std::vector<LimitCheck> limits = {};         ///< those of the request; none when the run ended early

    /// Whether some limit had this outcome.
    [[nodiscard]] bool has_limit(LimitCheck::Outcome outcome) const {
        return std::ranges::find(limits, outcome, &LimitCheck::outcome) != limits.end();
    }
};

/// Where a distorted video is scored.
struct RunPlaces {
    std::vector<PartPlace> places;
    bool shared = false;         ///< with runs of other videos; one place then
    bool one_of_several = false; ///< other runs have other places: a place that fails is named
};

/// The scoring of one distorted video. Used by one thread at a time.
class VideoRun {
  public:
    /// Opens the video, and the reference unless it is given, and makes ready what scores them: a worker for each place
    /// and decoder. One worker alone reads the videos from start to end; several have parts of them. Runs that share a
    /// place may share the reference, and have one decoder each. `for_page` says that a page will show the worst
    /// frames. What is passed by reference has to outlive the run.
    [[nodiscard]] static Result<std::unique_ptr<VideoRun>>
    open(const ScoreArguments &arguments, const ScoreRequest &job, std::unique_ptr<FrameSource> reference,
         const RunPlaces &where, NoticeLog &notices, bool for_page);

    [[nodiscard]] std::optional<std::int64_t> expected_pairs() const { return expected_pairs_; }

    /// Progress of this run alone, before `score`.
    [[nodiscard]] Progress make_progress(ProgressStyle style) const;

    /// Scores until the videos end or the user interrupts, which returns true. `pushed` is called on the same thread.
    Result<bool> score(
        const InterruptGuard &guard, Progress &progress, const std::function<void()> &pushed = [] {});

    /// Makes `score` fail soon. May be called by any thread while `score` runs.
    void cancel();

    /// After `score`: stops to read, since runs that share the reference wait for one that stands still.
    void close();

    /// Whether there is a frame to report after `score`.
    [[nodiscard]] bool has_scores() const { return scored_ > 0; }

    /// Whether there is one after `score` has failed. Of videos that do not fit each other no score is right.
    [[nodiscard]] bool keeps_scores() const {
        return has_scores() && failure_ && failure_->code != ErrorCode::mismatch;
    }

    /// After `score`, once. Fails when warnings are errors and the pictures suggest other pairs.
    [[nodiscard]] Result<ScoredVideo> finish(RunEnd end, const Progress &progress);

  private:
    Result<void> watch_worst_frames();
    void measure_bytes(const LogSink &log);
    Result<void> judge_alignment(const LogSink &log);
    Result<void> check_limits_of_run();
    [[nodiscard]] std::vector<LimitCheck> judge_limits(const ScoreTable &scores) const;
    VideoRun(const ScoreArguments &arguments, const ScoreRequest &job, const RunPlaces &where, NoticeLog &notices);
    Result<void> open_pair(std::unique_ptr<FrameSource> reference, std::size_t workers);
    [[nodiscard]] std::size_t choose_decoders(std::size_t devices) const;
    Result<void> cut(std::vector<PartPlace> workers);
    [[nodiscard]] Result<void> check_cut() const;
    Result<PartPlan> plan_parts();
    Result<void> open_workers();
    Result<void> describe_workers();
    Result<VideoEnd> score(const ScoreObserver &observer);
    Result<void> judge_range(const std::function<bool()> &stop);
    [[nodiscard]] Result<FramePair> read_pair(std::int64_t frame) const;
    [[nodiscard]] bool is_whole() const { return places_.size() == 1; } ///< one worker reads from start to end
    [[nodiscard]] const ScoreTable &scores() const { return parts_->scores(); }
    [[nodiscard]] std::vector<Execution> executions() const;

    const ScoreArguments &arguments_;
    const ScoreRequest &job_;
    const RunPlaces where_;
    NoticeLog &notices_;
    std::atomic<bool> cancelled_ = false;
    bool chooses_decoders_ = false; ///< nobody says how many there are
    bool may_stay_whole_ = false;   ///< nobody asks for several decoders: what cannot be cut is read in one piece
    FrameIndexes indexes_;          ///< of coded files, for their parts; outlives those who read them
    bool warns_with_parts_ =
        false;            ///< `parts_` gives the warnings of readers, in frame order; set before anybody reads
    OpenedVideos videos_; ///< without pairs when a worker has them, or the run is closed
    std::optional<std::int64_t> expected_pairs_;
    VideoFormat format_;
    VideoRequest request_;               ///< of both videos, from the first frame on
    std::optional<PartPlan> plan_;       ///< where no file has to be read for it
    std::vector<PartPlace> places_;      ///< of each worker
    std::unique_ptr<PartedVideo> parts_; ///< scores the videos
    MeasuredTimes times_;
    std::vector<std::string> said_; ///< notices about the places that the user knows
    std::size_t scored_ = 0;        ///< frames that have all scores
    std::optional<Error> failure_;  ///< of the scoring
    Report report_;
    ScoringOptions scoring_;                ///< the request's, with what options take of the videos' facts
    std::vector<PairWarning> of_facts_;     ///< warnings about these
    std::size_t main_score_ = 0;            ///< column of the first model, or of the first feature
    std::optional<AlignmentDoctor> doctor_; ///< once the videos are open
    WorstFrames::Options listed_;
    std::mutex worst_mutex_;               ///< of `worst_`, to which a worker gives pairs
    std::optional<WorstFrames> worst_;     ///< for a page
    std::string map_feature_;              ///< whose maps it shows
    std::vector<ComparedScores> compared_; ///< for each of the request's baselines
};

} // namespace isovmaf::tool
