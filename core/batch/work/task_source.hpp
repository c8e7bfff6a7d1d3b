// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "batch/work/tasks.hpp"
#include "batch/work/unit_work.hpp"

namespace isovmaf::batch {

/// Says which task a worker of this process does next. Thread-safe.
class TaskSource {
  public:
    TaskSource() = default;
    virtual ~TaskSource() = default;
    TaskSource(const TaskSource &) = delete;
    TaskSource &operator=(const TaskSource &) = delete;

    /// How many units this process and those that it shares the source with are to settle.
    [[nodiscard]] virtual std::size_t units() const = 0;

    /// A task for this worker, which calls done() with it afterwards. While all that is left is in work elsewhere, the
    /// call waits. Returns nothing when all units are settled, or when `stop` returns true; `stop` is called at least
    /// twice a second.
    [[nodiscard]] virtual Result<std::optional<Task>> next(const std::function<bool()> &stop) = 0;

    /// How the units of the task ended, in their order. Those that are busy or stopped are not settled.
    virtual Result<void> done(const Task &task, std::span<const UnitOutcome> outcomes) = 0;
};

/// The tasks of one process. Units that another process of the host has are looked at again from time to time.
class OwnTasks final : public TaskSource {
  public:
    /// `log` is told once when nothing is left but what others have in work for long.
    explicit OwnTasks(std::vector<Task> tasks, LogSink log = {});

    [[nodiscard]] std::size_t units() const override { return units_; }
    [[nodiscard]] Result<std::optional<Task>> next(const std::function<bool()> &stop) override;
    Result<void> done(const Task &task, std::span<const UnitOutcome> outcomes) override;

  private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] std::optional<Task> take();
    void tell_of_waiting();

    const LogSink log_;
    std::size_t units_ = 0;
    std::mutex mutex_;                               ///< guards the members below
    std::optional<Clock::time_point> waiting_since_; ///< for others
    bool has_told_ = false;
    std::condition_variable changed_;
    std::deque<Task> waiting_;
    std::deque<std::pair<Clock::time_point, Task>> busy_; ///< with the time of the next look
    std::size_t in_work_ = 0;                             ///< tasks
};

} // namespace isovmaf::batch
