// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/interrupt.hpp"

#include <array>
#include <csignal>

namespace isovmaf::tool {

namespace {

using Action = struct sigaction;

volatile std::sig_atomic_t flag = 0;
constexpr std::array signals{SIGHUP, SIGINT, SIGTERM};
std::array<Action, signals.size()> previous_actions;

} // namespace

InterruptGuard::InterruptGuard() {
    flag = 0;
    Action action{};
    action.sa_handler = [](int) { flag = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND); // the second signal gets the default action
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

bool InterruptGuard::interrupted() const { return flag != 0; }

} // namespace isovmaf::tool
