// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

namespace CLI {
class App; // CLI11 is slow to compile: only the files that declare options include it
}

namespace isovmaf::tool {

/// Each adds a subcommand to `app`; running it sets `exit_code`.
void add_bench_command(CLI::App &app, int &exit_code);
void add_batch_command(CLI::App &app, int &exit_code);
void add_rescore_command(CLI::App &app, int &exit_code);
void add_backends_command(CLI::App &app, int &exit_code);
void add_probe_command(CLI::App &app, int &exit_code);

/// `command_line` is the command that the reports name.
void add_score_command(CLI::App &app, int &exit_code, const std::string &command_line);
void add_diff_command(CLI::App &app, int &exit_code, const std::string &command_line);

} // namespace isovmaf::tool
