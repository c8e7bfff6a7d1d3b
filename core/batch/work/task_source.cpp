// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/task_source.hpp"

#include <iterator>

namespace isovmaf::batch {

namespace {

constexpr std::chrono::milliseconds between_looks{500}; ///< at units that other processes have
constexpr std::chrono::seconds long_wait{30};           ///< for them, after which a sentence says so

} // namespace

OwnTasks::OwnTasks(std::vector<Task> tasks, LogSink log)
    : log_(std::move(log)), waiting_(std::make_move_iterator(tasks.begin()), std::make_move_iterator(tasks.end())) {
    for (const Task &task : waiting_)
        units_ += task.units.size();
}

std::optional<Task> OwnTasks::take() {
    std::optional<Task> task;
    if (!waiting_.empty()) {
        task = std::move(waiting_.front());
        waiting_.pop_front();
    } else if (!busy_.empty() && busy_.front().first <= Clock::now()) {
        task = std::move(busy_.front().second);
        busy_.pop_front();
    }
    in_work_ += task.has_value();
    return task;
}

Result<std::optional<Task>> OwnTasks::next(const std::function<bool()> &stop) {
    std::unique_lock lock(mutex_);
    while (!stop()) {
        if (std::optional<Task> task = take())
            return task;
        if (waiting_.empty() && busy_.empty() && in_work_ == 0)
            break;
        tell_of_waiting();
        changed_.wait_for(lock, between_looks);
    }
    return std::nullopt;
}

void OwnTasks::tell_of_waiting() {
    if (in_work_ > 0 || has_told_)
        return;
    if (!waiting_since_)
        waiting_since_ = Clock::now();
    has_told_ = Clock::now() - *waiting_since_ >= long_wait;
    if (has_told_ && log_)
        log_(Severity::info, "waits for units that other processes of this host have in work");
}

Result<void> OwnTasks::done(const Task &task, std::span<const UnitOutcome> outcomes) {
    Task left{{}, task.alone};
    for (std::size_t i = 0; i < outcomes.size(); i++)
        if (!outcomes[i].is_settled())
            left.units.push_back(task.units[i]);
    const std::lock_guard lock(mutex_);
    if (left.units.size() < outcomes.size())
        waiting_since_.reset();
    if (!left.units.empty())
        busy_.emplace_back(Clock::now() + between_looks, std::move(left));
    in_work_--;
    changed_.notify_all();
    return {};
}

} // namespace isovmaf::batch
