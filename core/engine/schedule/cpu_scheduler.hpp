// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/schedule/map_files.hpp"
#include "engine/schedule/scheduler.hpp"
#include "execution/work_times.hpp"
#include "features/feature.hpp"

namespace isovmaf {

/// Runs extractors in threads of the CPU. While there are as many frames as threads, each extractor does a whole frame
/// on one thread. A frame that finds idle threads is cut into bands of rows, so that a single frame uses all threads.
/// The thread that waits for a frame runs tasks as well while fewer than `threads` run: those that were woken need
/// time.
class CpuScheduler final : public Scheduler {
  public:
    /// `word_counts`: how many words each extractor writes. `frames_in_flight` 0: threads + 2. `maps`: the files of
    /// each extractor, null where it has none; empty when none has. `times` gets the time of each task.
    CpuScheduler(std::vector<const Extractor *> extractors, std::vector<std::size_t> word_counts, int threads,
                 int frames_in_flight = 0, std::vector<const MapFiles *> maps = {},
                 std::shared_ptr<WorkTimes> times = std::make_shared<WorkTimes>());
    ~CpuScheduler() override;

  private:
    struct Progress {
        std::size_t tasks_left = 0;
        std::exception_ptr failure;
    };
    struct Task {
        FrameInFlight *frame = nullptr;
        std::size_t extractor = 0;
        Band band = {};
    };
    /// What a running task uses. There is one for each task that may run, whichever thread runs it.
    struct Scratch {
        Workspace workspace;
        std::vector<std::int64_t> share; ///< words of a band
    };

    void start(FrameInFlight &frame) override;
    bool finished(FrameInFlight &oldest, Wait wait) override;
    void end_threads();
    void work();
    void wait_for(const FrameInFlight &frame, const Progress &progress, std::unique_lock<std::mutex> &lock);
    [[nodiscard]] bool may_run() const { return !tasks_.empty() && !free_.empty(); }
    void run_next(std::unique_lock<std::mutex> &lock);
    void extract(const Task &task, Scratch &scratch);

    std::vector<const Extractor *> extractors_;
    std::vector<const MapFiles *> maps_; ///< of each extractor, or null: it does whole frames then
    const int threads_;
    const std::shared_ptr<WorkTimes> times_;

    std::mutex mutex_;                                   ///< guards the members below
    std::condition_variable task_ready_;                 ///< for workers
    std::condition_variable frame_done_;                 ///< for the thread that waits for a frame
    std::deque<Task> tasks_;                             ///< that no thread has taken
    std::vector<std::unique_ptr<Scratch>> free_;         ///< that no task uses, the one used last behind
    int sleeping_ = 0;                                   ///< workers that wait for a task
    bool stopping_ = false;                              ///< workers end
    const FrameInFlight *awaited_ = nullptr;             ///< that a thread waits for
    std::map<const FrameInFlight *, Progress> progress_; ///< of the frames in flight
    std::vector<std::jthread> workers_;
};

} // namespace isovmaf
