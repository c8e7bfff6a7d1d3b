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

/// A BlockRunner of the process, from its first use on. Their fibers are dear, most of all under ThreadSanitizer, so
/// they outlive the queues that use them.
class RunnerLoan {
  public:
    RunnerLoan() = default;
    ~RunnerLoan();
    RunnerLoan(const RunnerLoan &) = delete;
    RunnerLoan &operator=(const RunnerLoan &) = delete;

    /// For the calling thread, which is the same each time.
    [[nodiscard]] BlockRunner &get(const Settings &settings);

  private:
    std::unique_ptr<BlockRunner> runner_;
};

/// Spreads the blocks of a launch over threads. Each queue has its own: a lock that queues shared would put their work
/// in an order, and races between them would not show.
class ThreadPool {
  public:
    explicit ThreadPool(const Settings &settings) : settings_(settings) {}
    ~ThreadPool();
    ThreadPool(const ThreadPool &) = delete;
    ThreadPool &operator=(const ThreadPool &) = delete;

    /// Returns when all blocks have ended. The calling thread takes its share; it is the same one each time.
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
    std::uint64_t launches_ = 0; ///< so far
    std::size_t busy_ = 0;       ///< helpers

    const Launch *launch_ = nullptr;
    std::uint64_t blocks_ = 0;
    std::atomic<std::uint64_t> next_block_{0};
    Outcome outcome_;
};

} // namespace isovmaf::host
