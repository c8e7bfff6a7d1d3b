// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "engine/scheduler.hpp"
#include "features/feature.hpp"

namespace isovmaf {

/// Runs extractors in threads of the CPU.
class CpuScheduler final : public Scheduler {
  public:
    /// `word_counts`: how many words each extractor writes.
    CpuScheduler(std::vector<const Extractor *> extractors, std::vector<std::size_t> word_counts, int threads);
    ~CpuScheduler() override;

  private:
    struct Progress {
        std::size_t tasks_left = 0;
        std::exception_ptr failure;
    };
    struct Task {
        FrameInFlight *frame = nullptr;
        std::size_t extractor = 0;
    };

    void start(FrameInFlight &frame) override;
    bool finished(FrameInFlight &oldest, Wait wait) override;
    void work(const std::stop_token &stop);
    void run(const Task &task, Workspace &workspace);

    std::vector<const Extractor *> extractors_;

    std::mutex mutex_; ///< guards the members below
    std::condition_variable_any task_ready_;
    std::condition_variable frame_done_;
    std::deque<Task> tasks_;
    std::map<const FrameInFlight *, Progress> progress_; ///< of the frames in flight
    std::vector<std::jthread> workers_;
};

} // namespace isovmaf
