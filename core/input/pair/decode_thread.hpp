// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// First in, first out, between one thread that pushes and one that pops. It allocates no memory.
template <class Item, std::size_t most>
class BoundedQueue {
  public:
    /// `capacity`: how many items wait at most, 1 to `most`.
    explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

    /// Waits for room. Once the queue is closed, the item is dropped and the result is false.
    bool push(Item item) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || count_ < capacity_; });
        if (closed_)
            return false;
        items_[(first_ + count_) % most] = std::move(item);
        count_++;
        changed_.notify_all();
        return true;
    }

    /// Waits for an item.
    Item pop() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return count_ > 0; });
        Item item = *std::move(items_[first_]);
        items_[first_].reset();
        first_ = (first_ + 1) % most;
        count_--;
        changed_.notify_all();
        return item;
    }

    /// From now on `push` returns false, and a `push` that waits for room returns.
    void close() {
        const std::scoped_lock lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }

    /// Empties a closed queue, which nobody uses, and opens it.
    void reopen() {
        const std::scoped_lock lock(mutex_);
        items_ = {};
        count_ = 0;
        closed_ = false;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::array<std::optional<Item>, most> items_;
    const std::size_t capacity_;
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    bool closed_ = false;
};

/// A frame of a source, with what it says about its colours: see FrameSource::change.
struct ReadFrame {
    Frame frame;
    ColourChangeHandle change = {};
};

/// Reads frames of a source ahead of time, a few at most, on a thread of its own.
class DecodeThread {
  public:
    /// The thread skips `skip` frames first, and then `passed` frames, of which the first one is read for its time.
    /// When `limit` is given, at most that many frames are read after them.
    DecodeThread(std::unique_ptr<FrameSource> source, std::int64_t skip, std::int64_t passed,
                 std::optional<std::int64_t> limit);

    /// Stops the thread, even while it waits for a pipe.
    ~DecodeThread();
    DecodeThread(const DecodeThread &) = delete;
    DecodeThread &operator=(const DecodeThread &) = delete;

    /// Starts the thread, once, before the first `next`. Throws std::system_error when it cannot be started.
    Result<void> start(const FrameNeeds &needs);

    /// See FrameSource::can_go_to.
    [[nodiscard]] bool can_go_to() const { return source_->can_go_to(); }

    /// After a `next`, and after the end: goes to the frame that is `passed` frames behind those that are skipped.
    /// `limit`: as in the constructor. Throws std::system_error when the thread cannot be started.
    void go_to(std::int64_t passed, std::optional<std::int64_t> limit);

    /// After `start`: see SourceInfo::decoder.
    [[nodiscard]] const std::string &decoder() const { return source_->info().decoder; }

    /// Makes `next` fail soon, even while the thread waits for a pipe. May be called from any thread.
    void cancel() { source_->cancel(); }

    [[nodiscard]] const SourceInfo &info() const { return info_; }

    /// The next frame with its time, or nothing at the end; waits for the thread. Must not be called after the end or
    /// an error.
    [[nodiscard]] Result<std::optional<ReadFrame>> next() { return queue_.pop(); }

    /// After the first `next`: the time of the first frame behind `skip`, if it has one.
    [[nodiscard]] std::optional<double> first_seconds() const { return first_seconds_; }

    /// How long the thread has read and decoded so far, in seconds. May be called from any thread.
    [[nodiscard]] double reading_seconds() const { return busy_.get() - converting_seconds(); }

    /// The same for conversions.
    [[nodiscard]] double converting_seconds() const { return source_->conversion_seconds(); }

    /// After the end: see FrameSource::end_warning.
    [[nodiscard]] std::string end_warning() const { return source_->end_warning(); }

    /// How many frames are decoded ahead of the scorer: enough to even out slow and fast frames, fewer when they are
    /// large.
    [[nodiscard]] static std::size_t frames_ahead(const VideoFormat &format);

  private:
    static constexpr std::size_t most_frames_ahead = 3;

    void run();
    Result<bool> find_first();
    Result<bool> pass_over();
    Result<std::optional<ReadFrame>> read();

    const std::unique_ptr<FrameSource> source_; ///< used by the thread only, while it runs
    const SourceInfo info_;
    BoundedQueue<Result<std::optional<ReadFrame>>, most_frames_ahead> queue_;
    const std::int64_t skip_;
    std::int64_t passed_;
    std::optional<std::int64_t> limit_;
    bool moved_ = false;                  ///< by `go_to`
    std::optional<double> first_seconds_; ///< set before the first item is pushed
    SharedSeconds busy_;
    std::thread thread_;
};

} // namespace isovmaf
