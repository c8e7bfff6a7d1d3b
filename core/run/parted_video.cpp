// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/parted_video.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/processors.hpp"
#include "base/try.hpp"
#include "engine/guarded.hpp"

namespace isovmaf {

/// What a worker hands over.
struct PartedVideo::SeenPiece : PartPiece {
    std::vector<PairThumbnails> thumbnails; ///< of each frame
};

/// The threads of the workers, and the pieces that they hand over. The destructor cancels what is left and waits.
class PartedVideo::Crew {
  public:
    Crew(PartedVideo &video, const std::function<Result<PartPlan>()> &make_plan, const PartObserver &observer)
        : video_(video), observer_(observer), dealer_(video.workers_.size()), at_work_(video.workers_.size()) {
        try {
            planner_ = std::jthread([this, make_plan] { plan(make_plan); });
            for (std::size_t i = 0; i < video.workers_.size(); i++)
                threads_.emplace_back([this, i] { work(i); });
        } catch (...) { // there is no thread for one, which others might wait for
            stop();
            throw;
        }
    }

    ~Crew() { stop(); }
    Crew(const Crew &) = delete;
    Crew &operator=(const Crew &) = delete;

    /// Waits for the piece that begins with this frame; those before it were scored. Nothing when nobody has the frame,
    /// as the reading was stopped. A place that does not open and a plan that cannot be made are errors at once.
    std::optional<Result<SeenPiece>> wait_for(std::int64_t frame) {
        dealer_.scored(frame);
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return failure_ || pieces_.contains(frame) || at_work_ == 0; });
        if (failure_)
            return tl::unexpected(*failure_);
        auto piece = pieces_.extract(frame);
        return piece ? std::optional(std::move(piece.mapped())) : std::nullopt;
    }

    /// Waits for the plan, which may fail after one worker has read everything.
    Result<void> wait_for_plan() {
        planner_.join();
        const std::lock_guard lock(mutex_);
        return failure_ ? tl::unexpected(*failure_) : Result<void>();
    }

  private:
    void stop() {
        cancelled_ = true;
        dealer_.stop();
        video_.cancel();
        planner_ = {};
        threads_.clear();
    }

    void plan(const std::function<Result<PartPlan>()> &make_plan) {
        const Result<void> made = guarded([&]() -> Result<void> {
            dealer_.set_plan(TRY(make_plan()));
            return {};
        });
        if (!made && !observer_.stop())
            fail(made.error());
        else if (!made)
            dealer_.stop();
    }

    void fail(const Error &error) {
        dealer_.stop();
        const std::lock_guard lock(mutex_);
        failure_ = failure_.value_or(error);
        changed_.notify_all();
    }

    void work(std::size_t number) {
        if (const Result<void> opened = video_.opened_[number].get(); opened)
            extract_parts(number);
        else
            fail(opened.error());
        const std::lock_guard lock(mutex_);
        at_work_--;
        changed_.notify_all();
    }

    void extract_parts(std::size_t number) {
        PairWorker &worker = *video_.workers_[number];
        if (!worker.place().processors.empty())
            (void)bind_thread(worker.place().processors); // which succeeded in PairWorker::open
        std::vector<PairThumbnails> seen;                 // of frames that were not handed over
        const PartWatch watch{.pushed = [this] { count_pushed(); },
                              .seen =
                                  [&](std::size_t, const PairThumbnails &pair) {
                                      if (video_.is_whole())
                                          observer_.seen(pair);
                                      else
                                          seen.push_back(pair);
                                  },
                              .watched = observer_.watched,
                              .extracted = [&](std::size_t, PartPiece piece) { hand_over(std::move(piece), seen); },
                              .goes_on = [this, number](std::int64_t frame) { return dealer_.goes_on(number, frame); },
                              .stop = observer_.stop,
                              .cancelled = [this] { return cancelled_.load(); },
                              .in_pieces = true};
        while (const std::optional<std::int64_t> first = dealer_.begin(number)) {
            if (*first == 0)
                worker.take_over(std::move(video_.opened_pairs_));
            if (const Result<void> done = guarded([&] { return worker.extract_from(*first, watch); }); !done) {
                dealer_.stop();
                hand_over(worker.next_frame(), tl::unexpected(done.error()));
                break;
            }
            if (observer_.stop())
                break;
        }
    }

    /// With the first ones of `seen`, which are its frames.
    void hand_over(PartPiece piece, std::vector<PairThumbnails> &seen) {
        const std::int64_t frame = piece.first_frame;
        const std::int64_t frames = piece.words && !video_.is_whole() ? piece.words->frame_count : 0;
        const auto end = seen.begin() + frames;
        SeenPiece with_pictures{std::move(piece), {seen.begin(), end}};
        seen.erase(seen.begin(), end);
        hand_over(frame, std::move(with_pictures));
    }

    void hand_over(std::int64_t frame, Result<SeenPiece> piece) {
        const std::lock_guard lock(mutex_);
        pieces_.emplace(frame, std::move(piece));
        changed_.notify_all();
    }

    void count_pushed() {
        const std::lock_guard lock(mutex_);
        observer_.pushed();
    }

    PartedVideo &video_;
    const PartObserver &observer_;
    PartDealer dealer_;
    std::atomic<bool> cancelled_ = false; ///< nobody waits for pieces any more

    std::mutex mutex_; ///< guards the members below
    std::condition_variable changed_;
    std::map<std::int64_t, Result<SeenPiece>> pieces_; ///< by their first frames
    std::size_t at_work_;                              ///< workers
    std::optional<Error> failure_;                     ///< of a place that did not open, or of the plan
    std::jthread planner_;
    std::vector<std::jthread> threads_; ///< the last member: its threads use all others
};

Result<std::unique_ptr<PartedVideo>> PartedVideo::create(VideoRequest videos, const VideoFormat &format,
                                                         const ScoringOptions &scoring,
                                                         const std::vector<PartPlace> &places,
                                                         std::unique_ptr<PairSource> opened, const LogSink &log) {
    SegmentScoring segment_scoring = TRY(SegmentScoring::create(scoring, format)); // fails before a driver starts
    std::unique_ptr<PartedVideo> video(
        new PartedVideo(std::move(videos), scoring, places, std::move(segment_scoring), log));
    if (opened)
        video->know(*opened);
    video->opened_pairs_ = std::move(opened);
    TRY(guarded([&]() -> Result<void> {
        video->open_workers(format);
        return {};
    }));
    return video;
}

PartedVideo::PartedVideo(VideoRequest videos, const ScoringOptions &scoring, const std::vector<PartPlace> &places,
                         SegmentScoring segment_scoring, const LogSink &log)
    : videos_(std::move(videos)), options_(scoring), scoring_(std::move(segment_scoring)) {
    for (const PartPlace &place : places)
        workers_.push_back(std::make_unique<PairWorker>(place, videos_.hwaccel,
                                                        ThreadDemand{.extractions = static_cast<int>(places.size())},
                                                        places.size() == 1 ? log : LogSink()));
}

/// Begins to open each on a thread of its own: devices take long, and one need not wait for another.
void PartedVideo::open_workers(const VideoFormat &format) {
    for (std::size_t i = 0; i < workers_.size(); i++)
        opened_.push_back(std::async(std::launch::async, [this, format, i] {
                              return guarded([&] { return workers_[i]->open(videos_, options_, format); });
                          }).share());
}

Result<void> PartedVideo::wait_until_open() const {
    for (const std::shared_future<Result<void>> &opened : opened_)
        TRY(opened.get());
    return {};
}

void PartedVideo::close() {
    opened_pairs_.reset();
    for (const std::unique_ptr<PairWorker> &worker : workers_)
        worker->close();
}

/// What a reader says of both videos, with the frames that it has read before `end`.
void PartedVideo::keep_findings(const PairSource &reader, std::optional<std::int64_t> end) {
    sync_ = reader.sync();
    warnings_ = reader.warnings(0, end);
    notes_ = reader.notes(0, end);
}

Result<VideoEnd> PartedVideo::run(const std::function<Result<PartPlan>()> &make_plan, const PartObserver &observer) {
    const Result<VideoEnd> end = score_parts(make_plan, observer);
    if (const PairSource *const reader = workers_.front()->reader(); reader && is_whole())
        keep_findings(*reader, std::nullopt);
    close();
    return end;
}

Result<VideoEnd> PartedVideo::score_parts(const std::function<Result<PartPlan>()> &make_plan,
                                          const PartObserver &observer) {
    const Result<VideoEnd> end = guarded([&]() -> Result<VideoEnd> {
        Crew crew(*this, make_plan, observer);
        const VideoEnd scored = TRY(score_pieces(crew, observer));
        if (scored == VideoEnd::reached)
            TRY(crew.wait_for_plan());
        return scored;
    });
    if (!end) { // what the videos have before a fault is scored to the end; behind a device's failure they go on
        if (may_blame_device(end.error().code) || scoring_.end())
            hand_out(observer);
        return end;
    }
    TRY(wait_until_open()); // of a place that had nothing to do, too
    TRY(scoring_.end());
    hand_out(observer);
    for (const PairWarning &warning : warnings_)
        if (warning.frames > 0)
            observer.warned(warning);
    return end;
}

Result<VideoEnd> PartedVideo::score_pieces(Crew &crew, const PartObserver &observer) {
    for (std::int64_t frame = 0;;) {
        std::optional<Result<SeenPiece>> extracted = crew.wait_for(frame);
        if (!extracted && observer.stop())
            return VideoEnd::stopped;
        if (!extracted)
            return fail(ErrorCode::internal, fmt::format("no part has frame {}", frame));
        const SeenPiece piece = TRY(*std::move(extracted));
        if (frame == 0)
            decoders_ = piece.decoders;
        TRY(score(piece, observer));
        if (piece.stopped)
            return VideoEnd::stopped;
        if (!piece.words || piece.words->ends_video)
            return VideoEnd::reached;
        frame = piece.words->end_frame();
    }
}

Result<void> PartedVideo::score(const SeenPiece &piece, const PartObserver &observer) {
    const auto uncounted = [this] { return std::ranges::count(warnings_, 0, &PairWarning::frames); };
    const auto known = uncounted();
    add_warnings(warnings_, piece.warnings);
    add_warnings(notes_, piece.notes);
    for (auto i = known; i < uncounted(); i++)
        observer.warned(warnings_[static_cast<std::size_t>(i)]);
    for (const PairThumbnails &pair : piece.thumbnails)
        observer.seen(pair);
    if (piece.words) {
        const StageClock clock(scoring_seconds_);
        TRY(scoring_.add(*piece.words));
    }
    hand_out(observer);
    return {};
}

void PartedVideo::hand_out(const PartObserver &observer) {
    while (std::optional<FrameScores> scores = scoring_.next_result())
        observer.scored(*std::move(scores));
}

void PartedVideo::cancel() {
    for (const std::unique_ptr<PairWorker> &worker : workers_)
        worker->cancel();
}

std::vector<PartReading> PartedVideo::readings() const {
    std::vector<PartReading> readings;
    for (const std::unique_ptr<PairWorker> &worker : workers_)
        readings.push_back(worker->reading());
    return readings;
}

std::vector<Execution> PartedVideo::executions() const {
    std::vector<Execution> executions;
    for (std::size_t i = 0; i < workers_.size(); i++) {
        opened_[i].wait();
        executions.push_back(workers_[i]->execution());
    }
    return executions;
}

} // namespace isovmaf
