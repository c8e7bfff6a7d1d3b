// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/parted_video.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/processors.hpp"
#include "base/try.hpp"
#include "engine/guarded.hpp"

namespace isovmaf {

namespace {

/// How many threads read each file for one of several workers: all workers together keep every processor busy.
int readers_of_each(std::size_t workers) {
    constexpr int most = 4;
    return std::clamp(usable_processors() / static_cast<int>(2 * workers), 1, most);
}

/// The same for threads that decode: the two files of a worker seldom keep all of them busy at a time.
int decode_threads_of_each(std::size_t workers) { return std::max(1, usable_processors() / static_cast<int>(workers)); }

} // namespace

/// The threads of the workers, and the parts that they hand over. The destructor cancels what is left and waits.
class PartedVideo::Crew {
  public:
    Crew(PartedVideo &video, const PartObserver &observer)
        : video_(video), observer_(observer), parts_(video.firsts_.size()), at_work_(video.workers_.size()) {
        try {
            for (std::size_t i = 0; i < video.workers_.size(); i++)
                threads_.emplace_back([this, i] { work(i); });
        } catch (...) { // there is no thread for one, whose part nobody would extract
            stop();
            throw;
        }
    }

    ~Crew() { stop(); }
    Crew(const Crew &) = delete;
    Crew &operator=(const Crew &) = delete;

    /// Waits for a part. Nothing when the reading was stopped before anybody began it.
    std::optional<Result<ExtractedPart>> wait_for(std::size_t part) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return parts_[part] || at_work_ == 0; });
        return std::exchange(parts_[part], std::nullopt);
    }

  private:
    void stop() {
        cancelled_ = true;
        video_.cancel();
        threads_.clear();
    }

    /// One worker: it was prepared for the part with its own number, and goes on with the next part of all.
    void work(std::size_t number) {
        if (const Result<void> opened = video_.opened_[number].get(); !opened) {
            hand_over(number, tl::unexpected(opened.error()));
        } else {
            const PartPlace &place = video_.workers_[number]->place();
            if (!place.processors.empty())
                (void)bind_thread(place.processors); // which succeeded in PartWorker::open
            for (std::optional<std::size_t> part = number; part; part = next_part())
                if (!extract(*video_.workers_[number], *part))
                    break;
        }
        const std::lock_guard lock(mutex_);
        at_work_--;
        changed_.notify_all();
    }

    [[nodiscard]] bool ended() const { return failed_ || cancelled_ || observer_.stop(); }

    std::optional<std::size_t> next_part() {
        const std::lock_guard lock(mutex_);
        return ended() || next_ == parts_.size() ? std::nullopt : std::optional(next_++);
    }

    /// False when the worker cannot be used any more.
    bool extract(PartWorker &worker, std::size_t part) {
        const PartWatch watch{.pushed = [this] { count_pushed(); },
                              .stop = observer_.stop,
                              .cancelled = [this] { return cancelled_.load(); }};
        ExtractedPart extracted;
        const Result<void> done = guarded([&]() -> Result<void> {
            extracted = TRY(worker.extract(video_.part(part), watch));
            return {};
        });
        const bool usable = done && !extracted.stopped;
        if (done)
            hand_over(part, std::move(extracted));
        else
            hand_over(part, tl::unexpected(done.error()));
        return usable;
    }

    void hand_over(std::size_t part, Result<ExtractedPart> extracted) {
        failed_ = failed_ || !extracted;
        const std::lock_guard lock(mutex_);
        parts_[part] = std::move(extracted);
        changed_.notify_all();
    }

    void count_pushed() {
        const std::lock_guard lock(mutex_);
        observer_.pushed();
    }

    PartedVideo &video_;
    const PartObserver &observer_;
    std::atomic<bool> failed_ = false;    ///< no part is begun any more
    std::atomic<bool> cancelled_ = false; ///< nobody waits for parts any more

    std::mutex mutex_; ///< guards the members below
    std::condition_variable changed_;
    std::vector<std::optional<Result<ExtractedPart>>> parts_;
    std::size_t at_work_;                       ///< workers
    std::size_t next_ = video_.workers_.size(); ///< the part that is begun next
    std::vector<std::jthread> threads_;         ///< the last member: its threads use all others
};

Result<std::unique_ptr<PartedVideo>> PartedVideo::create(VideoRequest videos, const VideoFormat &format,
                                                         const ScoringOptions &scoring, std::vector<PartPlace> places,
                                                         std::vector<std::int64_t> firsts) {
    SegmentScoring segment_scoring = TRY(SegmentScoring::create(scoring, format)); // fails before a driver starts
    std::unique_ptr<PartedVideo> video(
        new PartedVideo(std::move(videos), scoring, std::move(places), std::move(firsts), std::move(segment_scoring)));
    TRY(guarded([&]() -> Result<void> {
        video->open_workers(format);
        return {};
    }));
    return video;
}

PartedVideo::PartedVideo(VideoRequest videos, const ScoringOptions &scoring, std::vector<PartPlace> places,
                         std::vector<std::int64_t> firsts, SegmentScoring segment_scoring)
    : videos_(std::move(videos)), options_(scoring), places_(std::move(places)), firsts_(std::move(firsts)),
      scoring_(std::move(segment_scoring)) {
    videos_.decode_threads = decode_threads_of_each(places_.size());
    for (const PartPlace &place : places_)
        workers_.push_back(std::make_unique<PartWorker>(videos_, options_, place, readers_of_each(places_.size())));
}

/// Begins to open each on a thread of its own: devices take long, and one need not wait for another.
void PartedVideo::open_workers(const VideoFormat &format) {
    for (std::size_t i = 0; i < workers_.size(); i++)
        opened_.push_back(std::async(std::launch::async, [this, format, i] {
                              return guarded([&] { return workers_[i]->open(format, firsts_[i]); });
                          }).share());
}

FrameRange PartedVideo::part(std::size_t number) const {
    return {firsts_[number],
            number + 1 < firsts_.size() ? std::optional<std::int64_t>(firsts_[number + 1]) : std::nullopt};
}

Result<VideoEnd> PartedVideo::run(const PartObserver &observer) {
    VideoEnd end = VideoEnd::reached;
    TRY(guarded([&]() -> Result<void> {
        Crew crew(*this, observer);
        for (std::size_t number = 0; number < firsts_.size() && end == VideoEnd::reached; number++) {
            std::optional<Result<ExtractedPart>> extracted = crew.wait_for(number);
            if (!extracted) {
                end = VideoEnd::stopped;
                break;
            }
            const ExtractedPart part = TRY(*std::move(extracted));
            if (number == 0)
                decoders_ = part.decoders;
            TRY(score(part, observer));
            if (part.stopped)
                end = VideoEnd::stopped;
            else if (!part.words || part.words->ends_video)
                break;
        }
        return {};
    }));
    TRY(scoring_.end());
    hand_out(observer);
    return end;
}

Result<void> PartedVideo::score(const ExtractedPart &part, const PartObserver &observer) {
    const std::size_t known = warnings_.size();
    add_warnings(warnings_, part.warnings);
    for (std::size_t i = known; i < warnings_.size(); i++)
        observer.warned(warnings_[i]);
    for (const PairThumbnails &pair : part.thumbnails)
        observer.seen(pair);
    if (part.words)
        TRY(scoring_.add(*part.words));
    hand_out(observer);
    return {};
}

void PartedVideo::hand_out(const PartObserver &observer) {
    while (std::optional<FrameScores> scores = scoring_.next_result())
        observer.scored(*std::move(scores));
}

void PartedVideo::cancel() {
    for (const std::unique_ptr<PartWorker> &worker : workers_)
        worker->cancel();
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
