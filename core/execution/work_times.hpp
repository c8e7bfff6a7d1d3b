// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace isovmaf {

/// Seconds of work, to which any threads add.
class SharedSeconds {
  public:
    void add(std::chrono::steady_clock::duration time) { ns_ += std::chrono::nanoseconds(time).count(); }
    void add(double seconds) { ns_ += static_cast<std::int64_t>(1e9 * seconds); }
    [[nodiscard]] double get() const { return 1e-9 * static_cast<double>(ns_); }

  private:
    std::atomic<std::int64_t> ns_ = 0;
};

/// Adds the time of its life.
class SharedStageClock {
  public:
    explicit SharedStageClock(SharedSeconds &seconds) : seconds_(seconds) {}
    ~SharedStageClock() { seconds_.add(std::chrono::steady_clock::now() - start_); }
    SharedStageClock(const SharedStageClock &) = delete;
    SharedStageClock &operator=(const SharedStageClock &) = delete;

  private:
    SharedSeconds &seconds_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What all sessions of one SharedExecution have worked so far.
struct WorkTimes {
    SharedSeconds opening;              ///< of the device, until it has passed its self-test
    SharedSeconds cpu;                  ///< of extractors on the CPU, summed over their threads
    SharedSeconds staging;              ///< copies to memory that a device reads, summed over their threads
    std::atomic<int> staging_threads{}; ///< of one session
    std::atomic<bool> in_place{};       ///< kernels read what was staged, and pictures are not uploaded
    SharedSeconds uploads;              ///< of the device, with ExecutionOptions::device_timing
    SharedSeconds scoring;              ///< from words to scores
};

} // namespace isovmaf
