// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/notice_log.hpp"

#include <unistd.h>

#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/progress.hpp"

namespace isovmaf::tool {

void NoticeLog::add(Severity severity, std::string_view sentence) {
    const std::string_view erase = isatty(STDERR_FILENO) ? erase_line : "";
    const std::lock_guard lock(mutex_);
    if (severity == Severity::warning)
        warnings_.emplace_back(sentence);
    print_error("{}isovmaf: {}{}\n", erase, severity == Severity::warning ? "warning: " : "", sentence);
}

LogSink NoticeLog::sink() {
    return [this](Severity severity, std::string_view sentence) { add(severity, sentence); };
}

std::vector<std::string> NoticeLog::warnings() const {
    const std::lock_guard lock(mutex_);
    return warnings_;
}

} // namespace isovmaf::tool
