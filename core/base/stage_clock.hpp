// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>

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

} // namespace isovmaf
