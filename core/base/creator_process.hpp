// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <sys/types.h>

#include <string_view>

#include "isovmaf/result.hpp"

namespace isovmaf {

/// Remembers the process that it was made in. A process that is forked gets a copy of all memory, but no threads and no
/// working device: an object that has these cannot be used there. Its members may not even be destroyed, because they
/// would wait for threads that do not exist, or lock a mutex that such a thread held.
class CreatorProcess {
  public:
    CreatorProcess();

    /// Whether this process is that one.
    [[nodiscard]] bool is_current() const;

    /// Fails in another process. `object` is what was made, as in "the session".
    [[nodiscard]] Result<void> check(std::string_view object) const;

  private:
    pid_t id_;
};

} // namespace isovmaf
