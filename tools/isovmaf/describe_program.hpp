// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "tools/reference/program_text.hpp"

namespace CLI {
class App;
}

namespace isovmaf::tool {

/// The commands and options that `app` declares, hidden ones left out.
[[nodiscard]] reference::ProgramText describe_program(CLI::App &app);

/// Prints the manual page or the completion of a shell on standard output; returns an ExitCode.
[[nodiscard]] int print_reference(const std::string &kind, CLI::App &app);

} // namespace isovmaf::tool
