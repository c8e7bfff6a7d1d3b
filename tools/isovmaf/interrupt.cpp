// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/interrupt.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <utility>

#include "base/clock.hpp"

namespace isovmaf::tool {

namespace {

using Action = struct sigaction;

std::atomic<bool> flag = false;
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers write it");
constexpr std::array signals{SIGHUP, SIGINT, SIGTERM};
std::array<Action, signals.size()> previous_actions;
std::atomic<std::int64_t> first_signal_ns = 0;

/// Calls only what a signal handler may call.
void on_signal(int number) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const std::int64_t now_ns = std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
    constexpr std::int64_t one_burst_ns = 1'000'000'000;
    if (!flag.exchange(true)) {
        first_signal_ns = now_ns;
    } else if (now_ns - first_signal_ns > one_burst_ns) {
        std::signal(number, SIG_DFL);
        raise(number);
    }
}

} // namespace

InterruptGuard::InterruptGuard() {
    flag = false;
    Action action{};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < signals.size(); i++) {
        sigaction(signals[i], nullptr, &previous_actions[i]);
        if (previous_actions[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, nullptr);
    }
}

InterruptGuard::~InterruptGuard() {
    for (std::size_t i = 0; i < signals.size(); i++)
        sigaction(signals[i], &previous_actions[i], nullptr);
}

bool InterruptGuard::interrupted() const { return flag; }

InterruptWatch::InterruptWatch(const InterruptGuard &guard, std::function<void()> when_interrupted)
    : thread_([&guard, when_interrupted = std::move(when_interrupted)](const std::stop_token &stopped) {
          constexpr std::chrono::milliseconds between_looks{50};
          while (!guard.interrupted() && !wait_for_stop(stopped, between_looks))
              ;
          if (guard.interrupted())
              when_interrupted();
      }) {}

} // namespace isovmaf::tool
