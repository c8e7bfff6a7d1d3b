// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <string>

#include "base/log.hpp"
#include "batch/work/worker.hpp"
#include "ranks/ranks.hpp"
#include "tools/isovmaf/batch/batch.hpp"
#include "tools/isovmaf/exit_code.hpp"

/// `isovmaf batch` as a rank of an MPI job.
namespace isovmaf::tool {

/// What all ranks of an MPI job did together.
struct RankSummary {
    batch::WorkCounts all; ///< of all ranks; without `workers`
    std::string table;     ///< a line for each rank, and sums; each ends in a line feed
};

/// Collective. `place` says where this rank computed, and `seconds` how long.
[[nodiscard]] Result<RankSummary> summarise_ranks(ranks::Ranks &job, const batch::WorkCounts &counts, double seconds,
                                                  const std::string &place);

/// The MPI job that `engine`, one of engine_names, asks for; nullptr: this process works without MPI. Fails when there
/// is no plugin for it, and when the plugin's MPI does not know the other ranks.
[[nodiscard]] Result<std::unique_ptr<ranks::Ranks>> start_ranks(const std::string &engine);

/// Does the batch together with the other ranks, which all get the same exit code. The first one prepares the run
/// folder, hands the units out, writes the results and says what happened.
[[nodiscard]] Result<ExitCode> run_as_rank(const BatchArguments &arguments, ranks::Ranks &job, const LogSink &log);

} // namespace isovmaf::tool
