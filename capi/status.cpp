// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/status.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include <fmt/format.h>

#include "base/text.hpp"

namespace isovmaf::capi {

namespace {

/// As ISOVMAF_LOG spells them and as messages print them, in the order of the enum.
constexpr std::array<std::string_view, 5> names = {"none", "error", "warning", "info", "debug"};
constexpr std::array<std::string_view, 5> printed_names = {"", "ERROR", "WARNING", "INFO", "DEBUG"};
constexpr const char *variable = "ISOVMAF_LOG";

std::atomic<Log> &current_process_log() {
    static std::atomic<Log> log{Log(VMAF_LOG_LEVEL_INFO)};
    return log;
}

} // namespace

std::optional<VmafLogLevel> parse_log_level(std::string_view text) {
    const auto *const found = std::ranges::find(names, text);
    if (found == names.end())
        return std::nullopt;
    return static_cast<VmafLogLevel>(found - names.begin());
}

Log::Log(VmafLogLevel level)
    : level_(static_cast<unsigned>(level) > VMAF_LOG_LEVEL_DEBUG ? VMAF_LOG_LEVEL_DEBUG : level) {
    const char *const text = std::getenv(variable);
    if (text == nullptr)
        return;
    if (const std::optional<VmafLogLevel> asked = parse_log_level(text))
        level_ = *asked;
    else
        warning(fmt::format("the environment variable {} is {}, and has no effect: set it to none, error, warning, "
                            "info or debug",
                            variable, quote(text)));
}

LogSink Log::sink() const {
    return [log = *this](Severity severity, std::string_view sentence) {
        severity == Severity::warning ? log.warning(sentence) : log.info(sentence);
    };
}

void Log::print(VmafLogLevel level, std::string_view text) const noexcept {
    if (level > level_)
        return;
    try {
        const std::string line = fmt::format("libvmaf {} {}\n", printed_names[static_cast<std::size_t>(level)], text);
        std::fwrite(line.data(), 1, line.size(), stderr); // at once, so that lines of threads do not mix
    } catch (const std::bad_alloc &) { // the message is lost, but not the code that the C function returns
    }
}

Log process_log() noexcept { return current_process_log(); }

void set_process_log(const Log &log) noexcept { current_process_log() = log; }

int status_of(const Error &error) noexcept {
    return error.code == ErrorCode::out_of_memory ? status_no_memory : status_invalid;
}

int report_failure(const Log &log, const Error &error) noexcept {
    log.error(error.message);
    return status_of(error);
}

} // namespace isovmaf::capi
