// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "base/workspace.hpp"
#include "device/frame_fetcher.hpp"
#include "engine/schedule/map_files.hpp"
#include "engine/schedule/scheduler.hpp"
#include "execution/work_times.hpp"
#include "features/feature.hpp"

namespace isovmaf {

/// The code of one feature on the CPU.
struct CpuFeature {
    const Extractor *code = nullptr;   ///< the CPU path, or the definition
    const FeaturePlan *plan = nullptr; ///< whose completion runs; null: none runs
    const MapFiles *maps = nullptr;    ///< null where it writes none: it does whole frames then
    SharedSeconds *seconds = nullptr;  ///< of WorkTimes::cpu_features; null: nobody asks
};

/// What the CPU has to do for one feature of a frame: the extractor, unless kernels wrote the words, and the completion
/// of the plan, if there is one.
struct CpuStep {
    const CpuFeature *feature = nullptr;
    std::size_t row = 0; ///< of FrameInFlight::words
    enum class Kind : std::uint8_t {
        extract,  ///< the window lies in host memory
        redo,     ///< what kernels have flagged: the window may lie in memory of the device
        complete, ///< the words are there
    } kind = Kind::extract;
};

/// Threads of the CPU that run extractors and completions. While there are as many steps as threads, each step is done
/// by one thread. Steps that find idle threads are cut into bands of rows, so that a single frame uses all threads. The
/// thread that waits for a frame runs steps as well while fewer than `threads` run: those that were woken need time.
///
/// One thread calls the functions; `fetched` may be called by any.
class CpuWorkers {
  public:
    /// `times` gets the time of each step. `fetcher` copies the pictures of flagged frames from a device, with a window
    /// for each frame in flight; null where all lie in host memory.
    explicit CpuWorkers(int threads, std::shared_ptr<WorkTimes> times = std::make_shared<WorkTimes>(),
                        std::unique_ptr<FrameFetcher> fetcher = nullptr);
    ~CpuWorkers() { stop(); }
    CpuWorkers(const CpuWorkers &) = delete;
    CpuWorkers &operator=(const CpuWorkers &) = delete;

    [[nodiscard]] int threads() const { return threads_; }

    /// Starts steps of a frame, which stays valid until `finished` has returned true for it or `stop` has returned.
    /// No step of the frame is in work.
    void start(FrameInFlight &frame, std::span<const CpuStep> steps);

    /// Whether the steps of the frame are done; true of a frame that has none. Throws what went wrong with it.
    [[nodiscard]] bool finished(const FrameInFlight &frame, Scheduler::Wait wait);

    /// Drops the steps that no thread has begun, and ends the threads. Owners of frames call it before these go.
    void stop();

    /// How many frames were copied from the device.
    [[nodiscard]] std::int64_t fetched() const;

  private:
    struct Progress {
        std::size_t tasks_left = 0;
        std::map<std::size_t, int> bands_left; ///< of rows that are done in bands
        std::exception_ptr failure;
    };
    struct Task {
        FrameInFlight *frame = nullptr;
        CpuStep step;
        Band band = {};
    };
    /// What a running task uses. There is one for each task that may run, whichever thread runs it.
    struct Scratch {
        Workspace workspace;
        std::vector<std::int64_t> share; ///< words of a band
    };

    void work();
    void wait_for(const FrameInFlight &frame, const Progress &progress, std::unique_lock<std::mutex> &lock);
    [[nodiscard]] bool may_run() const { return !tasks_.empty() && !free_.empty(); }
    void run_next(std::unique_lock<std::mutex> &lock);
    void run(const Task &task, Scratch &scratch);
    void extract(const Task &task, const FrameWindow &window, Scratch &scratch);
    [[nodiscard]] bool add_band(const Task &task, const Scratch &scratch);
    [[nodiscard]] FrameWindow on_host(FrameWindow window, const FeaturePlan &plan);

    const int threads_;
    const std::shared_ptr<WorkTimes> times_;

    mutable std::mutex fetcher_mutex_;
    const std::unique_ptr<FrameFetcher> fetcher_; ///< guarded by fetcher_mutex_

    std::mutex mutex_;                                   ///< guards the members below
    std::condition_variable task_ready_;                 ///< for workers
    std::condition_variable frame_done_;                 ///< for the thread that waits for a frame
    std::deque<Task> tasks_;                             ///< that no thread has taken
    std::vector<std::unique_ptr<Scratch>> free_;         ///< that no task uses, the one used last behind
    int sleeping_ = 0;                                   ///< workers that wait for a task
    bool stopping_ = false;                              ///< workers end
    const FrameInFlight *awaited_ = nullptr;             ///< that a thread waits for
    std::map<const FrameInFlight *, Progress> progress_; ///< of the frames in work
    std::vector<std::jthread> workers_;
};

/// How many frames the CPU holds: `asked`, or with 0 one for each thread and two that wait.
[[nodiscard]] constexpr int cpu_frames_in_flight(int asked, int threads) { return asked > 0 ? asked : threads + 2; }

/// Runs the extractors and completions of features on threads of the CPU.
class CpuScheduler final : public Scheduler {
  public:
    /// `word_counts`: how many words the extractor of each feature writes. `frames_in_flight`: see
    /// cpu_frames_in_flight. Others may use the workers, too, while this lives.
    CpuScheduler(std::vector<CpuFeature> features, std::vector<std::size_t> word_counts,
                 std::shared_ptr<CpuWorkers> workers, int frames_in_flight = 0);
    ~CpuScheduler() override { workers_->stop(); } ///< before the frames that they read are destroyed

  private:
    void start(FrameInFlight &frame) override;
    bool finished(FrameInFlight &oldest, Wait wait) override { return workers_->finished(oldest, wait); }

    std::vector<CpuFeature> features_;
    std::shared_ptr<CpuWorkers> workers_;
    std::vector<CpuStep> steps_; ///< of the frame that is started
};

} // namespace isovmaf
