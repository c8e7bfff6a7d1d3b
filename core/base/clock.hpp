// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <condition_variable>
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

/// Sleeps for `time`, or until the token is asked to stop. Says whether it was.
inline bool wait_for_stop(const std::stop_token &stopped, std::chrono::steady_clock::duration time) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any changed;
    changed.wait_for(lock, stopped, time, [] { return false; });
    return stopped.stop_requested();
}

} // namespace isovmaf
