// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <thread>

namespace isovmaf::tool {

/// While it exists, the first SIGHUP, SIGINT or SIGTERM only sets a flag. One that comes more than a second later ends
/// the process at once: timeout(1) sends its signal twice in a row. A signal that the process ignored before, as under
/// nohup, stays ignored.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard(); ///< restores what the signals did before
    InterruptGuard(const InterruptGuard &) = delete;
    InterruptGuard &operator=(const InterruptGuard &) = delete;

    [[nodiscard]] bool interrupted() const;
};

/// Calls a function soon after an InterruptGuard saw a signal, on a thread of its own. A signal handler must not call
/// it, and the main thread may wait for a pipe.
class InterruptWatch {
  public:
    InterruptWatch(const InterruptGuard &guard, std::function<void()> when_interrupted);

  private:
    std::jthread thread_;
};

} // namespace isovmaf::tool
