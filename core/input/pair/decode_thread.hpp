// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <thread>

#include "input/pair/bounded_queue.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// Reads frames of a source ahead of time, a few at most, on a thread of its own.
class DecodeThread {
  public:
    /// Skips `skip` frames first. When `limit` is given, at most so many frames are read after them. Throws
    /// std::system_error when the thread cannot be started.
    DecodeThread(std::unique_ptr<FrameSource> source, std::int64_t skip, std::optional<std::int64_t> limit);

    /// Stops the thread, even while it waits for a pipe.
    ~DecodeThread();
    DecodeThread(const DecodeThread &) = delete;
    DecodeThread &operator=(const DecodeThread &) = delete;

    /// Makes `next` fail soon, even while the thread waits for a pipe. May be called from any thread.
    void cancel() { source_->cancel(); }

    [[nodiscard]] const SourceInfo &info() const { return info_; }

    /// The next frame with its time, or nothing at the end; waits for the thread. Must not be called after the end or
    /// an error.
    [[nodiscard]] Result<std::optional<TimedFrame>> next() { return queue_.pop(); }

  private:
    /// Frames decoded ahead of the scorer: enough to even out slow and fast frames.
    static constexpr std::size_t frames_ahead = 3;

    void run(std::int64_t skip, std::optional<std::int64_t> limit);

    const std::unique_ptr<FrameSource> source_; ///< used by the thread only, while it runs
    const SourceInfo info_;
    BoundedQueue<Result<std::optional<TimedFrame>>, frames_ahead> queue_;
    std::thread thread_;
};

} // namespace isovmaf
