// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <optional>
#include <thread>

#include "tools/isovmaf/interrupt.hpp"

namespace isovmaf::tool {

/// While it exists, a batch stops after a signal, and shortly before its time is over. A process that has not ended
/// `patience` later, because a file or a device does not answer, is ended with exit_interrupted: what its stores have
/// is valid at any instant.
class BatchStop {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds patience{8};

    /// `end`: of the time that the process has.
    explicit BatchStop(std::optional<Clock::time_point> end);

    /// Whether work has to stop. Thread-safe.
    [[nodiscard]] bool requested() const;

  private:
    void watch(const std::stop_token &ended) const;

    const InterruptGuard guard_;
    const std::optional<Clock::time_point> end_;
    const std::jthread watch_; // declared after the members that it reads
};

} // namespace isovmaf::tool
