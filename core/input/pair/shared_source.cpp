// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/shared_source.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "input/source.hpp"

namespace isovmaf {

namespace {

using FrameRead = Result<std::optional<Frame>>;

/// The video, and the frames that some reader still needs. Thread-safe.
class SharedVideo {
  public:
    SharedVideo(std::unique_ptr<FrameSource> source, std::size_t readers)
        : source_(std::move(source)), info_(source_->info()), next_(readers, 0) {}

    [[nodiscard]] const SourceInfo &info() const { return info_; }

    /// What all readers want, which the first of them says: they compute on one device. Does nothing once a frame was
    /// read.
    Result<void> prepare(const FrameNeeds &needs) {
        const std::lock_guard lock(mutex_);
        if (!prepared_) {
            prepared_ = source_->prepare(needs);
            info_.decoder = source_->info().decoder;
        }
        return *prepared_;
    }

    /// `change` gets FrameSource::change of the frame.
    FrameRead next(std::size_t reader, ColourChangeHandle &change) {
        const Entry entry = take(reader, [this]() -> Entry {
            FrameRead frame = read_frame(*source_);
            return {.frame = std::move(frame), .change = source_->change()};
        });
        if (entry.asked > 0 && entry.goes_on())
            return fail(ErrorCode::internal,
                        fmt::format("a frame of {} is read that another reader passed over", display_name(info_.name)));
        change = entry.change;
        return entry.frame;
    }

    Result<std::int64_t> skip(std::size_t reader, std::int64_t count) {
        if (count == 0)
            return 0;
        const Entry entry = take(reader, [this, count] { return pass_over(count); });
        if (!entry.frame)
            return tl::unexpected(entry.frame.error());
        if (entry.asked != count && entry.goes_on())
            return fail(ErrorCode::internal,
                        fmt::format("readers of {} pass over different numbers of frames", display_name(info_.name)));
        return entry.passed_over;
    }

    /// The warning that the source gave at its end; empty while a frame is being read.
    [[nodiscard]] std::string end_warning() {
        const std::lock_guard lock(mutex_);
        return reading_ ? std::string() : source_->end_warning();
    }

    /// The reader reads no more.
    void leave(std::size_t reader) {
        const std::lock_guard lock(mutex_);
        if (!std::exchange(next_[reader], std::nullopt))
            return;
        drop_frames();
        if (std::ranges::none_of(next_, [](const auto &next) { return next.has_value(); }))
            source_->cancel();
        changed_.notify_all();
    }

  private:
    /// A frame of the video, or a run of frames that all readers pass over.
    struct Entry {
        FrameRead frame;
        ColourChangeHandle change = {};
        std::int64_t asked = 0; ///< how many frames were to be passed over; 0 for a frame that was read
        std::int64_t passed_over = 0;

        /// False for the end of the video and for an error: such an entry stays for all readers.
        [[nodiscard]] bool goes_on() const { return frame && (asked > 0 ? passed_over == asked : frame->has_value()); }
    };

    Entry pass_over(std::int64_t count) {
        const Result<std::int64_t> passed = skip_frames(*source_, count);
        if (!passed)
            return {.frame = tl::unexpected(passed.error()), .asked = count};
        return {.frame = FrameRead(), .asked = count, .passed_over = *passed};
    }

    /// The entry at the reader's place. `fetch` gets it when no reader has it yet.
    template <class Fetch>
    Entry take(std::size_t reader, const Fetch &fetch) {
        std::unique_lock lock(mutex_);
        for (;;) {
            if (!next_[reader])
                return {fail(ErrorCode::interrupted, fmt::format("reading {} was stopped", display_name(info_.name)))};
            if (const std::size_t place = *next_[reader] - first_; place < frames_.size())
                return advance(reader, frames_[place]);
            if (reading_ || frames_.size() >= most_shared_frames)
                changed_.wait(lock);
            else
                append(fetch, lock);
        }
    }

    Entry advance(std::size_t reader, Entry entry) {
        if (entry.goes_on())
            ++*next_[reader];
        drop_frames();
        changed_.notify_all();
        return entry;
    }

    /// Gets one frame, with the lock open.
    template <class Fetch>
    void append(const Fetch &fetch, std::unique_lock<std::mutex> &lock) {
        reading_ = true;
        if (!prepared_)
            prepared_.emplace();
        lock.unlock();
        Entry entry = fetch();
        lock.lock();
        reading_ = false;
        frames_.push_back(std::move(entry));
        drop_frames();
        changed_.notify_all();
    }

    /// Lets go of the frames that every reader has passed.
    void drop_frames() {
        std::optional<std::size_t> slowest;
        for (const auto &next : next_)
            if (next)
                slowest = std::min(slowest.value_or(*next), *next);
        for (; !frames_.empty() && first_ < slowest.value_or(first_ + 1); first_++)
            frames_.pop_front();
    }

    const std::unique_ptr<FrameSource> source_; ///< read by one thread at a time
    SourceInfo info_;                           ///< `decoder` is set with `prepared_`
    std::mutex mutex_;                          ///< guards the members below
    std::condition_variable changed_;
    std::deque<Entry> frames_; ///< from number `first_` on
    std::size_t first_ = 0;
    std::vector<std::optional<std::size_t>> next_; ///< frame of each reader; nothing when it has left
    bool reading_ = false;                         ///< some reader reads the source
    std::optional<Result<void>> prepared_;         ///< what is wanted of its frames is settled
};

class SharedSource final : public FrameSource {
  public:
    SharedSource(std::shared_ptr<SharedVideo> video, std::size_t reader) : video_(std::move(video)), reader_(reader) {}
    ~SharedSource() override { video_->leave(reader_); }

    [[nodiscard]] const SourceInfo &info() const override { return video_->info(); }

    [[nodiscard]] Result<std::optional<Frame>> read() override { return video_->next(reader_, change_); }
    [[nodiscard]] ColourChangeHandle change() const override { return change_; }

    [[nodiscard]] Result<std::int64_t> skip(std::int64_t count) override { return video_->skip(reader_, count); }
    [[nodiscard]] std::string end_warning() const override { return video_->end_warning(); }
    [[nodiscard]] Result<void> prepare(const FrameNeeds &needs) override { return video_->prepare(needs); }
    void cancel() override { video_->leave(reader_); }

  private:
    const std::shared_ptr<SharedVideo> video_;
    const std::size_t reader_;
    ColourChangeHandle change_;
};

} // namespace

Result<std::vector<std::unique_ptr<FrameSource>>> share_source(std::unique_ptr<FrameSource> source,
                                                               std::size_t readers) {
    if (source->conversion())
        return fail(
            ErrorCode::unsupported,
            fmt::format("{} cannot be shared by several pairs, because its samples are converted for one of them",
                        display_name(source->info().name)));
    const auto video = std::make_shared<SharedVideo>(std::move(source), readers);
    std::vector<std::unique_ptr<FrameSource>> sources;
    for (std::size_t reader = 0; reader < readers; reader++)
        sources.push_back(std::make_unique<SharedSource>(video, reader));
    return sources;
}

} // namespace isovmaf
