// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>

#include "base/log.hpp"
#include "ranks/ranks.hpp"
#include "tools/isovmaf/batch/batch.hpp"
#include "tools/isovmaf/exit_code.hpp"

/// `isovmaf batch` as a rank of an MPI job.
namespace isovmaf::tool {

/// The MPI job that `engine`, one of engine_names, asks for; nullptr: this process works without MPI. Fails when there
/// is no plugin for it, and when the plugin's MPI does not know the other ranks.
[[nodiscard]] Result<std::unique_ptr<ranks::Ranks>> start_ranks(const std::string &engine);

/// Does the batch together with the other ranks, which all get the same exit code. The first one prepares the run
/// folder, hands the units out, writes the results and says what happened.
[[nodiscard]] Result<ExitCode> run_as_rank(const BatchArguments &arguments, ranks::Ranks &job, const LogSink &log);

} // namespace isovmaf::tool
