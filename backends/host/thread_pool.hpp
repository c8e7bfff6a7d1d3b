// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "host/block.hpp"

namespace isovmaf::host {

/// Borrows a BlockRunner of the process at the first use, and gives it back when destroyed. Creating fibers is
/// expensive, above all under ThreadSanitizer, so runners are reused by later queues.
class RunnerLoan {
  public:
    RunnerLoan() = default;
    ~RunnerLoan();
    RunnerLoan(const RunnerLoan &) = delete;
    RunnerLoan &operator=(const RunnerLoan &) = delete;

    /// The runner. Always called by the same thread.
    [[nodiscard]] BlockRunner &get(const Settings &settings);

  private:
    std::unique_ptr<BlockRunner> runner_;
};

/// Spreads the blocks of a launch over threads. Each queue has a pool of its own: a lock that queues shared would order
/// their work, and ThreadSanitizer would miss races between them.
class ThreadPool {
  public:
    explicit ThreadPool(const Settings &settings) : settings_(settings) {}
    ~ThreadPool();
    ThreadPool(const ThreadPool &) = delete;
    ThreadPool &operator=(const ThreadPool &) = delete;

    /// Runs a launch, and returns when all blocks have ended. The calling thread runs blocks too. Always called by the
    /// same thread.
    [[nodiscard]] Outcome run(const Launch &launch);

  private:
    void start_helpers();
    void help();
    void run_blocks(RunnerLoan &runner);

    const Settings settings_;
    RunnerLoan runner_;
    std::vector<std::thread> helpers_;
    std::mutex mutex_;
    std::condition_variable work_there_, work_done_;
    bool stop_ = false;
    std::uint64_t launches_ = 0; ///< number of launches so far
    std::size_t busy_ = 0;       ///< number of helpers that still run blocks

    const Launch *launch_ = nullptr;
    std::uint64_t blocks_ = 0;
    std::atomic<std::uint64_t> next_block_{0};
    Outcome outcome_;
};

} // namespace isovmaf::host
