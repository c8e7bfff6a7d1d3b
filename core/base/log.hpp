// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <string_view>

namespace isovmaf {

enum class Severity { info, warning };

/// Takes notices for the user: one sentence each, without a newline. Several threads may call it at once, so the
/// function that a caller supplies has to be thread-safe. An empty function drops the notices.
using LogSink = std::function<void(Severity, std::string_view)>;

inline void warn(const LogSink &log, std::string_view sentence) {
    if (log)
        log(Severity::warning, sentence);
}

} // namespace isovmaf
