// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "batch/results/results.hpp"
#include "tools/isovmaf/exit_code.hpp"

/// What the commands of a batch share.
namespace isovmaf::tool {

/// "5 units finished; 2 failed, 1 of them may succeed when they are tried again; 3 not done yet"
[[nodiscard]] std::string state_text(const batch::RunState &state);

/// What the end of a run means for scripts. `failures` are those in its results: a file may
/// have vanished since the state was looked up.
[[nodiscard]] ExitCode exit_code_of(const batch::RunState &state, const batch::RowFailures &failures);

/// Prints why a command failed, if it did, and returns the command's exit code. Another rank prints a failure that has
/// no message here.
[[nodiscard]] int print_failure(const Result<ExitCode> &code);

} // namespace isovmaf::tool
