// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/queue.hpp"

#include <chrono>
#include <limits>

#include <fmt/format.h>

#include "base/float_environment.hpp"

using isovmaf::host::Outcome;

namespace isovmaf::host {

void Progress::advance(std::uint64_t ticket, const Outcome &outcome) {
    {
        const std::lock_guard lock(mutex_);
        done_ = ticket;
        if (!outcome.ok() && failure_.ok()) {
            failure_ = outcome;
            failed_ticket_ = ticket;
        }
    }
    advanced_.notify_all();
}

Outcome Progress::wait(std::uint64_t ticket, std::uint64_t timeout_ns) const {
    constexpr std::uint64_t longest = std::numeric_limits<std::int64_t>::max() / 4; // 73 years
    std::unique_lock lock(mutex_);
    const auto is_done = [&] { return done_ >= ticket; };
    if (timeout_ns > longest)
        advanced_.wait(lock, is_done);
    else if (!advanced_.wait_for(lock, std::chrono::nanoseconds(timeout_ns), is_done))
        return {ISOVMAF_NOT_READY,
                fmt::format("host CPU: the submitted work was not finished after {} ns", timeout_ns)};
    return failure_.ok() || ticket < failed_ticket_ ? Outcome{} : failure_;
}

} // namespace isovmaf::host

isovmaf_queue::isovmaf_queue(isovmaf_device &device)
    : device_(device), pool_(device.settings), worker_([this] { work(); }) {}

isovmaf_queue::~isovmaf_queue() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    submitted_.notify_one();
    worker_.join();
}

Outcome isovmaf_queue::submit(isovmaf_commands &commands, std::span<const isovmaf_ticket> waits,
                              std::uint64_t &ticket) {
    if (Outcome outcome = isovmaf::host::check_device(device_); !outcome.ok())
        return outcome;
    if (!commands.finished)
        return {ISOVMAF_INVALID, "host CPU: commands were submitted before commands_finish"};
    Submission submission{&commands, {}, 0};
    for (const isovmaf_ticket &wait : waits) {
        if (Outcome outcome = wait.queue->check_ticket(wait.value); !outcome.ok())
            return outcome;
        submission.waits.push_back({wait.queue->progress_, wait.value});
    }
    if (commands.in_flight.exchange(true, std::memory_order_relaxed))
        return {ISOVMAF_INVALID, "host CPU: commands were submitted again before they ended"};
    {
        const std::lock_guard lock(mutex_);
        ticket = last_ticket_.fetch_add(1, std::memory_order_relaxed) + 1;
        submission.ticket = ticket;
        submissions_.push_back(std::move(submission));
    }
    submitted_.notify_one();
    return {};
}

Outcome isovmaf_queue::wait(std::uint64_t ticket, std::uint64_t timeout_ns) const {
    if (Outcome outcome = check_ticket(ticket); !outcome.ok())
        return outcome;
    return progress_->wait(ticket, timeout_ns);
}

Outcome isovmaf_queue::check_ticket(std::uint64_t ticket) const {
    const std::uint64_t last = last_ticket_.load(std::memory_order_relaxed);
    if (ticket <= last)
        return {};
    return {ISOVMAF_INVALID, fmt::format("host CPU: the queue issued {} tickets, and no ticket {}", last, ticket)};
}

void isovmaf_queue::work() {
    const isovmaf::FloatEnvironment floats;
    Outcome state;
    while (const std::optional<Submission> submission = next()) {
        if (state.ok())
            state = perform(*submission);
        submission->commands->in_flight.store(false, std::memory_order_relaxed);
        progress_->advance(submission->ticket, state);
    }
}

std::optional<isovmaf_queue::Submission> isovmaf_queue::next() {
    std::unique_lock lock(mutex_);
    submitted_.wait(lock, [this] { return stop_ || !submissions_.empty(); });
    if (submissions_.empty())
        return std::nullopt;
    Submission submission = std::move(submissions_.front());
    submissions_.pop_front();
    return submission;
}

Outcome isovmaf_queue::perform(const Submission &submission) {
    for (const Wait &wait : submission.waits)
        if (Outcome outcome = wait.progress->wait(wait.ticket, std::numeric_limits<std::uint64_t>::max());
            !outcome.ok())
            return outcome;
    try {
        return isovmaf::host::execute(*submission.commands, pool_);
    } catch (const std::exception &error) {
        return {ISOVMAF_FAILED, fmt::format("host CPU: {}", error.what())};
    }
}
