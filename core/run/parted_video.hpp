// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "isovmaf/score_video.hpp"
#include "run/pair_worker.hpp"
#include "run/part_dealer.hpp"

/// A pair of videos whose frames are dealt to workers, which extract them side by side, on several devices or with
/// several decoders (docs/adr/0092); one worker alone reads the videos from start to end. The words come together in
/// frame order, and are scored there.
namespace isovmaf {

/// Functions that PartedVideo::run calls.
struct PartObserver {
    std::function<void()> pushed = [] {}; ///< one more frame was pushed; by one thread at a time
    /// Small pictures of each pair in frame order, before its scores: on the thread that called `run`, or, with one
    /// worker, on that worker's, before another pair is read.
    std::function<void(const PairThumbnails &)> seen = [](const PairThumbnails &) {};
    /// With one worker: each pair with all planes, in host memory, before its scores, on the worker's thread. Empty:
    /// nobody looks at pictures.
    std::function<void(const FramePair &)> watched = {};
    std::function<void(FrameScores)> scored = [](FrameScores) {}; ///< in frame order, on the same thread
    /// Likewise; once for each warning, and at the end for those that count frames.
    std::function<void(const PairWarning &)> warned = [](const PairWarning &) {};
    std::function<bool()> stop = [] { return false; }; ///< any thread asks it before each pair
};

class PartedVideo {
  public:
    /// Each place gets a worker, and all begin to open at once; a place that cannot be opened makes `run` fail.
    /// `videos` are those of the parts; for several workers pairs by index, with indexes for coded files. `format` is
    /// that of their pairs. `opened` is for PairWorker::take_over of the worker that begins with the first frame, and
    /// its warnings are known; null: the worker opens the videos. `log` gets what one worker alone says of decoders;
    /// of several, their executions say it.
    [[nodiscard]] static Result<std::unique_ptr<PartedVideo>>
    create(VideoRequest videos, const VideoFormat &format, const ScoringOptions &scoring,
           const std::vector<PartPlace> &places, std::unique_ptr<PairSource> opened = {}, const LogSink &log = {});

    /// Extracts and scores until the videos end or the observer stops the reading, which scores the frames from the
    /// start up to the first one that is missing. Fails with the error of the earliest frame that failed, and scores
    /// the frames before it. Once.
    /// `make_plan` is called on a thread of its own; one worker begins before it returns. Its failure is one of `run`.
    Result<VideoEnd> run(const std::function<Result<PartPlan>()> &make_plan, const PartObserver &observer);

    /// Takes over what a reader of both videos says that has judged their ranges, and is not passed to `create`: its
    /// warnings are known, and do not count the frames that it has read. Before `run`.
    void know(const PairSource &reader) { keep_findings(reader, 0); }

    /// Waits until all places are open, and fails where one cannot be opened.
    Result<void> wait_until_open() const;

    /// Closes the videos, as `run` does at its end. Not while it runs.
    void close();

    /// Makes `run` fail soon, or, where the observer stops the reading, end soon. May be called from any thread.
    void cancel();

    /// All scores so far; complete after `run`.
    [[nodiscard]] const ScoreTable &scores() const { return scoring_.table(); }
    [[nodiscard]] std::size_t feature_score_count() const { return scoring_.feature_score_count(); }
    [[nodiscard]] const std::vector<std::string> &aggregate_names() const { return scoring_.aggregate_names(); }

    /// What is wrong with the videos as far as they were scored: what one reader of both gives.
    [[nodiscard]] const std::vector<PairWarning> &warnings() const { return warnings_; }

    /// The same: see PairSource::notes.
    [[nodiscard]] const std::vector<PairWarning> &notes() const { return notes_; }

    /// How pairs were made: of one worker alone as far as it has read, else as a reader said that is known.
    [[nodiscard]] const SyncResult &sync() const { return sync_; }

    /// Of the first part: see PairSource::decoders.
    [[nodiscard]] const std::pair<std::string, std::string> &decoders() const { return decoders_; }

    /// After `run`: how each worker read its parts.
    [[nodiscard]] std::vector<PartReading> readings() const;

    /// How long scores were computed from words, in seconds.
    [[nodiscard]] double scoring_seconds() const { return scoring_seconds_; }

    /// Where each worker computes, and what it did there. Waits until all are open.
    [[nodiscard]] std::vector<Execution> executions() const;

  private:
    class Crew;
    struct SeenPiece;

    PartedVideo(VideoRequest videos, const ScoringOptions &scoring, const std::vector<PartPlace> &places,
                SegmentScoring segment_scoring, const LogSink &log);
    void open_workers(const VideoFormat &format);
    Result<VideoEnd> score_parts(const std::function<Result<PartPlan>()> &make_plan, const PartObserver &observer);
    Result<VideoEnd> score_pieces(Crew &crew, const PartObserver &observer);
    void keep_findings(const PairSource &reader, std::optional<std::int64_t> end);
    [[nodiscard]] bool is_whole() const { return workers_.size() == 1; } ///< one worker reads from start to end
    Result<void> score(const SeenPiece &piece, const PartObserver &observer);
    void hand_out(const PartObserver &observer);

    const VideoRequest videos_;
    const ScoringOptions options_;
    std::unique_ptr<PairSource> opened_pairs_; ///< until a worker takes them over
    std::vector<std::unique_ptr<PairWorker>> workers_;
    std::vector<std::shared_future<Result<void>>>
        opened_; ///< of each worker; the threads behind them use the members above
    SegmentScoring scoring_;
    double scoring_seconds_ = 0;
    std::vector<PairWarning> warnings_, notes_;
    SyncResult sync_;
    std::pair<std::string, std::string> decoders_;
};

} // namespace isovmaf
