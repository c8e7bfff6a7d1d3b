// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

namespace isovmaf::tool {

/// While it exists, the first SIGHUP, SIGINT or SIGTERM only sets a flag. The second ends the process at once. A signal
/// that the process ignored before, as under nohup, stays ignored.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard(); ///< restores what the signals did before
    InterruptGuard(const InterruptGuard &) = delete;
    InterruptGuard &operator=(const InterruptGuard &) = delete;

    [[nodiscard]] bool interrupted() const;
};

} // namespace isovmaf::tool
