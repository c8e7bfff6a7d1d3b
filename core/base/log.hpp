// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <string_view>

namespace isovmaf {

enum class Severity { info, warning };

/// Where notices for the user go: one sentence each, no newline. May be called from several threads at once;
/// whoever supplies it makes it safe. An empty function drops the notices.
using LogSink = std::function<void(Severity, std::string_view)>;

inline void warn(const LogSink &log, std::string_view sentence) {
    if (log)
        log(Severity::warning, sentence);
}

} // namespace isovmaf
