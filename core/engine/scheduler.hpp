// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "features/feature.hpp"
#include "frame/generated_clip.hpp"

namespace isovmaf {

/// One frame on its way through the extractors.
struct FrameInFlight {
    std::int64_t index = 0;
    FramePair pair;
    std::array<Frame, 2> earlier_reference;      ///< empty frames before the start of the video
    std::vector<bool> wanted;                    ///< per extractor: run it on this frame
    std::vector<std::vector<std::int64_t>> sums; ///< per extractor
    std::size_t tasks_left = 0;                  ///< guarded by the scheduler
    std::exception_ptr failure;                  ///< guarded by the scheduler
};

/// Runs extractors on frames in threads. Frames come back in the order in which they went in, so results cannot
/// depend on the number of threads. At most `max_in_flight` frames are held: memory does not grow when frames arrive
/// faster than they are scored.
///
/// `submit` and `take` belong to one thread.
class Scheduler {
  public:
    Scheduler(std::vector<const Extractor *> extractors, int threads);
    ~Scheduler(); ///< finishes the extractions that run and drops the rest
    Scheduler(const Scheduler &) = delete;
    Scheduler &operator=(const Scheduler &) = delete;

    [[nodiscard]] bool full() const { return in_flight_.size() >= max_in_flight_; }
    [[nodiscard]] bool empty() const { return in_flight_.empty(); }

    /// A frame to fill and submit; memory of finished frames is used again. `sums` is sized, the rest is empty.
    [[nodiscard]] std::unique_ptr<FrameInFlight> blank();

    /// Not while full.
    void submit(std::unique_ptr<FrameInFlight> frame);

    enum class Wait : bool { no, yes };

    /// The oldest frame when it is done, else nullptr; with Wait::yes only when there is none. Rethrows what an
    /// extractor threw.
    [[nodiscard]] std::unique_ptr<FrameInFlight> take(Wait wait);

    /// Gives a taken frame's memory back for `blank`.
    void recycle(std::unique_ptr<FrameInFlight> frame);

  private:
    struct Task {
        FrameInFlight *frame = nullptr;
        std::size_t extractor = 0;
    };

    void work(const std::stop_token &stop);
    void run(const Task &task, Workspace &workspace);

    std::vector<const Extractor *> extractors_;
    std::size_t max_in_flight_;
    std::deque<std::unique_ptr<FrameInFlight>> in_flight_; ///< in order of submission
    std::vector<std::unique_ptr<FrameInFlight>> spare_;

    std::mutex mutex_;
    std::condition_variable_any task_ready_;
    std::condition_variable frame_done_;
    std::deque<Task> tasks_; ///< guarded by mutex_
    std::vector<std::jthread> workers_;
};

} // namespace isovmaf
