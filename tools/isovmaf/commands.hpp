// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

namespace CLI {
class App; // CLI11 is slow to compile: only the files that declare options include it
}

namespace isovmaf::tool {

/// Exit codes of the process: docs/exit-codes.md describes them.
enum ExitCode : int {
    exit_ok = 0,
    exit_failed = 1,       ///< an input, model, score or output failed; one sentence says why
    exit_usage = 2,        ///< the command line is wrong
    exit_below_limit = 4,  ///< done, and a score is below a limit of the command line, such as --min-mean
    exit_rows_failed = 65, ///< a batch is done and its results are written, but some rows have no scores (EX_DATAERR)
    exit_unavailable =
        69,          ///< a device of a batch, its driver or plugin cannot be used on this machine (EX_UNAVAILABLE)
    exit_again = 75, ///< a batch has failures that may be of the moment: run the command again (EX_TEMPFAIL)
    exit_interrupted = 130, ///< stopped by Ctrl-C; the report has the frames before it and says so
};

/// Each adds a subcommand to `app`; running it sets `exit_code`.
void add_bench_command(CLI::App &app, int &exit_code);
void add_batch_command(CLI::App &app, int &exit_code);
void add_rescore_command(CLI::App &app, int &exit_code);
void add_backends_command(CLI::App &app, int &exit_code);
void add_probe_command(CLI::App &app, int &exit_code);

/// `command_line` is the command that the reports name.
void add_score_command(CLI::App &app, int &exit_code, const std::string &command_line);
void add_diff_command(CLI::App &app, int &exit_code, const std::string &command_line);

/// The program isovmaf with the arguments of `main`; returns its exit code.
[[nodiscard]] int run_program(int argc, char **argv);

} // namespace isovmaf::tool
