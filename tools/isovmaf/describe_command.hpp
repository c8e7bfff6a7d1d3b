// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "tools/reference/program_text.hpp"

namespace CLI {
class App;
class Option;
} // namespace CLI

/// What the commands declare to CLI11, which gives some of it only of objects that may be changed.
namespace isovmaf::tool {

/// A command with those above it: "isovmaf batch status".
[[nodiscard]] std::string full_name(const CLI::App &command);

/// The innermost command that the command line names.
[[nodiscard]] CLI::App &asked_command(CLI::App &app);

/// What stands for the option's value in the help: FILE.
[[nodiscard]] std::string value_name(CLI::Option &option);

/// A command, or the program itself, with the commands that it has. Hidden options and commands are left out.
[[nodiscard]] reference::CommandText describe_command(CLI::App &command);

/// The program.
[[nodiscard]] reference::ProgramText describe_program(CLI::App &app);

} // namespace isovmaf::tool
