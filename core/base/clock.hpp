// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>

namespace isovmaf {

/// Adds the time of its life, in seconds, to what a stage of work took.
class StageClock {
  public:
    explicit StageClock(double &seconds) : seconds_(seconds) {}
    ~StageClock() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
    StageClock(const StageClock &) = delete;
    StageClock &operator=(const StageClock &) = delete;

  private:
    using Clock = std::chrono::steady_clock;

    double &seconds_;
    const Clock::time_point start_ = Clock::now();
};

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

/// Sleeps for `time`, or until the token is asked to stop. Says whether it was.
inline bool wait_for_stop(const std::stop_token &stopped, std::chrono::steady_clock::duration time) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any changed;
    changed.wait_for(lock, stopped, time, [] { return false; });
    return stopped.stop_requested();
}

} // namespace isovmaf
