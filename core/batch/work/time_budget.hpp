// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace isovmaf::batch {

/// Seconds of a time as Slurm's commands print it: "1-02:03:04" (days), "02:03:04" or "03:04" (minutes). Nothing when
/// the text is no time, as "NOT_SET".
[[nodiscard]] std::optional<std::int64_t> parse_slurm_time(std::string_view text);

/// What a worker does with a unit when its process has limited time.
enum class UnitChoice : std::uint8_t {
    begin,
    leave,    ///< a faster worker of this process can end it in time
    postpone, ///< no worker of this process can
};

/// The time that a process has for units. How long a unit takes is estimated from the bytes of its inputs and the
/// speed that the worker has had so far. Thread-safe.
class TimeBudget {
  public:
    using Clock = std::chrono::steady_clock;

    /// Before the end: units in work are stopped, so that the process has ended by then.
    static constexpr std::chrono::seconds reserve{10};

    /// `end`: when the process has to have ended; nothing: it may take any time.
    TimeBudget(std::size_t workers, std::optional<Clock::time_point> end) : end_(end), workers_(workers) {}

    [[nodiscard]] bool limited() const { return end_.has_value(); }

    /// Whether work has to stop.
    [[nodiscard]] bool over(Clock::time_point now = Clock::now()) const { return end_ && now >= *end_ - reserve; }

    /// Whether a worker should begin a unit with so many bytes of input. A worker that has not ended a unit yet begins
    /// any.
    [[nodiscard]] UnitChoice choose(std::size_t worker, double bytes, Clock::time_point now = Clock::now()) const;

    /// A worker ended a unit.
    void measured(std::size_t worker, double bytes, double seconds);

  private:
    struct Work {
        double bytes = 0, seconds = 0;
    };
    [[nodiscard]] static bool fits(const Work &work, double bytes, double seconds_left);

    const std::optional<Clock::time_point> end_;
    mutable std::mutex mutex_; ///< guards the members below
    std::vector<Work> workers_;
};

} // namespace isovmaf::batch
