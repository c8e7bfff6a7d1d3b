// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/interrupt.hpp"

#include <csignal>

namespace isovmaf::tool {

namespace {

volatile std::sig_atomic_t flag = 0;
struct sigaction previous_interrupt, previous_terminate;

} // namespace

InterruptGuard::InterruptGuard() {
    flag = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { flag = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND); // the second signal gets the default action
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &previous_interrupt);
    sigaction(SIGTERM, &action, &previous_terminate);
}

InterruptGuard::~InterruptGuard() {
    sigaction(SIGINT, &previous_interrupt, nullptr);
    sigaction(SIGTERM, &previous_terminate, nullptr);
}

bool InterruptGuard::interrupted() const { return flag != 0; }

} // namespace isovmaf::tool
