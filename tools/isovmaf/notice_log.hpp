// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"

namespace isovmaf::tool {

/// Prints notices on standard error and keeps the warnings among them. Thread-safe.
class NoticeLog {
  public:
    void add(Severity severity, std::string_view sentence);

    /// A sink that must not outlive this object.
    [[nodiscard]] LogSink sink();

    [[nodiscard]] std::vector<std::string> warnings() const;

  private:
    mutable std::mutex mutex_;
    std::vector<std::string> warnings_;
};

} // namespace isovmaf::tool
