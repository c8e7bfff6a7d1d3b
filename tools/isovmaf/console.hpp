// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/log.hpp"
#include "isovmaf/execution.hpp"
#include "isovmaf/result.hpp"

/// Standard output and standard error. Writing to them never ends the process: standard output remembers the first
/// failure, and what standard error does not take is dropped.
namespace isovmaf::tool {

/// To be called before anything is opened. Gives closed standard streams a descriptor that cannot be used, so that no
/// file takes their numbers, and turns the signals of failed writes (SIGPIPE, SIGXFSZ) into errors.
void prepare_standard_streams();

void write_output(std::string_view text);
void write_error(std::string_view text);

/// Whether a standard stream is a terminal that takes escape sequences. TERM=dumb and NO_COLOR (no-color.org) deny it.
[[nodiscard]] bool takes_escapes(int descriptor);

/// What moves to the start of the terminal's line on standard error and clears it.
[[nodiscard]] std::string_view erase_line();

/// The width of the terminal on standard output, or COLUMNS of the environment; 80 where neither says.
[[nodiscard]] std::size_t output_columns();

/// Whether everything arrived that was written to standard output so far.
[[nodiscard]] Result<void> output_written();

template <class... Arguments>
void print_output(fmt::format_string<Arguments...> format, Arguments &&...arguments) {
    write_output(fmt::format(format, std::forward<Arguments>(arguments)...));
}

template <class... Arguments>
void print_error(fmt::format_string<Arguments...> format, Arguments &&...arguments) {
    write_error(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Runs `command`, which returns an exit code. An exception that reaches this function becomes a sentence on standard
/// error and the exit code 1: no memory, or no thread where their number is limited.
int run_guarded(std::string_view program, const std::function<int()> &command);

/// The sentence, with a name in front unless the sentence has it already.
[[nodiscard]] std::string sentence_about(const std::string &name, std::string_view sentence);

/// Ends the process after a failure. Where a driver is still starting, nothing waits for it.
[[noreturn]] void leave(int exit_code, const ExecutionHandle &execution);

/// Prints notices on standard error. Thread-safe.
class NoticeLog {
  public:
    /// `about` names what the notices are about where a sentence does not; empty: that is clear.
    explicit NoticeLog(std::string about = "") : about_(std::move(about)) {}

    [[nodiscard]] const std::string &about() const { return about_; }

    void add(Severity severity, std::string_view sentence);

    /// A sink that must not outlive this object.
    [[nodiscard]] LogSink sink();

  private:
    const std::string about_;
    std::mutex mutex_;
};

} // namespace isovmaf::tool
