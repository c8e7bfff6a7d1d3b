// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/console.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file_io.hpp"
#include "base/float_environment.hpp"
#include "base/text.hpp"
#include "execution/execution.hpp"
#include "tools/isovmaf/commands.hpp"

namespace isovmaf::tool {

namespace {

int first_output_error = 0; ///< errno; standard output is written by the main thread only

} // namespace

void prepare_standard_streams() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(descriptor, F_GETFD) == -1) // open takes the lowest number that is free: this one
            (void)!open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

void write_output(std::string_view text) {
    if (first_output_error == 0)
        first_output_error = write_all(STDOUT_FILENO, text);
}

void write_error(std::string_view text) { (void)write_all(STDERR_FILENO, text); }

bool takes_escapes(int descriptor) {
    const char *const terminal = std::getenv("TERM"), *const no_color = std::getenv("NO_COLOR");
    return isatty(descriptor) == 1 && terminal && std::string_view(terminal) != "dumb" && (!no_color || !*no_color);
}

std::string_view erase_line() {
    static const std::string blanks = '\r' + std::string(79, ' ') + '\r'; // as wide as lines of progress are at most
    static const bool escapes = takes_escapes(STDERR_FILENO);
    return escapes ? "\r\x1b[K" : std::string_view(blanks);
}

std::size_t output_columns() {
    constexpr std::size_t least = 40, most = 1000, usual = 80;
    const char *const variable = std::getenv("COLUMNS");
    const std::optional<std::int64_t> stated = parse_integer(variable ? variable : "");
    winsize size{};
    std::size_t columns = usual;
    if (stated && *stated > 0)
        columns = static_cast<std::size_t>(*stated);
    else if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        columns = size.ws_col;
    return std::clamp(columns, least, most);
}

Result<void> output_written() {
    if (first_output_error == 0)
        return {};
    return fail(ErrorCode::io, fmt::format("cannot write to standard output: {}",
                                           std::generic_category().message(first_output_error)));
}

int run_guarded(std::string_view program, const std::function<int()> &command) {
    constexpr const char *format = "{}: error: {}\n";
    const FloatEnvironment floats; // libraries that were linked with -ffast-math change it when they are loaded
    try {
        return command();
    } catch (const std::bad_alloc &) {
        print_error(format, program, "there is not enough memory");
    } catch (const std::system_error &error) {
        print_error(format, program,
                    fmt::format("the system refused a thread or other means: {}; see ulimit -u and the limits of the "
                                "container or job",
                                error.what()));
    } catch (const std::exception &error) {
        print_error(format, program, fmt::format("{}; please report this", error.what()));
    }
    return exit_failed;
}

std::string sentence_about(const std::string &name, std::string_view sentence) {
    const std::string shown = escape_controls(name);
    return name.empty() || sentence.find(shown) != std::string_view::npos ? std::string(sentence)
                                                                          : fmt::format("{}: {}", shown, sentence);
}

void leave(int exit_code, const ExecutionHandle &execution) {
    if (execution->is_opening())
        std::_Exit(exit_code);
    (void)execution->opened(); // joins the thread that opened it
    std::exit(exit_code);
}

void NoticeLog::add(Severity severity, std::string_view sentence) {
    const std::string_view erase = isatty(STDERR_FILENO) ? erase_line() : "";
    const std::lock_guard lock(mutex_);
    print_error("{}isovmaf: {}{}\n", erase, severity == Severity::warning ? "warning: " : "",
                sentence_about(about_, sentence));
}

LogSink NoticeLog::sink() {
    return [this](Severity severity, std::string_view sentence) { add(severity, sentence); };
}

} // namespace isovmaf::tool
