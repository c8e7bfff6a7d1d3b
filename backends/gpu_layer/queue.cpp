// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "gpu_layer/queue.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include <fmt/format.h>

using namespace isovmaf::gpu;

namespace {

using Clock = std::chrono::steady_clock;

/// How long a wait with a time limit sleeps between two queries of an event.
constexpr std::chrono::microseconds poll_interval{50};

bool poll(const Event &event, std::uint64_t timeout_ns) {
    const auto start = Clock::now();
    while (!event.done()) {
        const auto waited = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
        if (static_cast<std::uint64_t>(waited) >= timeout_ns)
            return false;
        std::this_thread::sleep_for(poll_interval);
    }
    return true;
}

} // namespace

/// The event of a ticket; nullptr when the ticket is done.
isovmaf_queue::SharedEvent isovmaf_queue::event_of(std::uint64_t ticket) {
    const std::lock_guard lock(mutex_);
    if (ticket == 0 || ticket > last_)
        throw FailedOutcome(ISOVMAF_INVALID, fmt::format("the queue gave out no ticket {}", ticket));
    return ticket <= done_ ? nullptr : running_[ticket - done_ - 1];
}

/// mutex_ has to be held.
isovmaf_queue::SharedEvent isovmaf_queue::unused_event() {
    const auto unused = std::ranges::find_if(retired_, [](const SharedEvent &event) { return event.use_count() == 1; });
    if (unused == retired_.end())
        return std::make_shared<Event>(device_.api(), Event::Timing::off);
    SharedEvent event = std::move(*unused);
    retired_.erase(unused);
    return event;
}

/// mutex_ has to be held.
void isovmaf_queue::retire(std::uint64_t ticket) {
    for (; done_ < ticket; done_++) {
        retired_.push_back(std::move(running_.front()));
        running_.pop_front();
    }
}

std::uint64_t isovmaf_queue::submit(isovmaf_commands &commands, std::span<const isovmaf_ticket> waits) {
    const Api &api = device_.api();
    for (const isovmaf_ticket &wait : waits) {
        if (!wait.queue || &wait.queue->device() != &device_)
            throw FailedOutcome(ISOVMAF_INVALID, "a ticket to wait for is not of this device");
        if (wait.queue == this)
            continue; // in order anyway
        if (const SharedEvent event = wait.queue->event_of(wait.value))
            check(api, api.hipStreamWaitEvent(stream_.get(), event->get(), 0), "waiting for another queue");
    }
    commands.submit(stream_.get());

    const std::lock_guard lock(mutex_);
    while (!running_.empty() && running_.front()->done())
        retire(done_ + 1);
    SharedEvent event = unused_event();
    event->record(stream_.get());
    running_.push_back(std::move(event));
    return ++last_;
}

bool isovmaf_queue::wait(std::uint64_t ticket, std::uint64_t timeout_ns) {
    const SharedEvent event = event_of(ticket);
    if (!event)
        return true;
    if (timeout_ns == std::numeric_limits<std::uint64_t>::max())
        event->synchronize();
    else if (!poll(*event, timeout_ns))
        return false;
    const std::lock_guard lock(mutex_);
    retire(ticket);
    return true;
}
