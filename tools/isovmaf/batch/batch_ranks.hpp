// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "batch/work/worker.hpp"
#include "ranks/ranks.hpp"
#include "tools/isovmaf/batch/batch.hpp"
#include "tools/isovmaf/commands.hpp"

/// `isovmaf batch` as a rank of an MPI job, and `isovmaf batch mpi-check`.
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

/// Whether an MPI is given addresses of a device's memory: as it says that it takes them, in any case, or never.
constexpr std::array<const char *, 3> device_buffer_names{"auto", "on", "off"};

/// The command line of `isovmaf batch mpi-check`.
struct MpiCheckArguments {
    std::int64_t max_count = std::int64_t{1} << 24;
    std::string backend; ///< whose devices hold the values; empty: host memory
    std::vector<std::string> backend_folders;
    std::string device_buffers = "auto"; ///< one of device_buffer_names
};

/// Describes the MPI, and compares the results of its collectives with the right ones, in every bit, for many counts
/// and both ways for values on a device. Returns an ExitCode, the same on all ranks; prints on the first one.
[[nodiscard]] int run_mpi_check(const MpiCheckArguments &arguments);

} // namespace isovmaf::tool
