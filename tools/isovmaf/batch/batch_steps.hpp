// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "batch/results/results.hpp"
#include "batch/work/worker.hpp"
#include "batch/work/worker_places.hpp"
#include "tools/isovmaf/batch/batch.hpp"
#include "tools/isovmaf/batch/batch_stop.hpp"
#include "tools/isovmaf/exit_code.hpp"

/// The steps of `isovmaf batch MANIFEST`, which a process does alone or as a rank of an MPI job.
namespace isovmaf::tool {

/// "3/16": the shard with number 3 of 16.
[[nodiscard]] Result<batch::Shard> parse_shard(const std::string &text);

/// When the time of --time-left is over, if it is limited.
[[nodiscard]] Result<std::optional<BatchStop::Clock::time_point>> end_of_time(const BatchArguments &arguments,
                                                                              const LogSink &log);

/// A run folder that is worked on.
struct BatchRun {
    batch::RunFolder folder;
    batch::RowTable rows;
    std::vector<batch::Unit> units;
};

[[nodiscard]] Result<BatchRun> open_run(batch::RunFolder folder);

/// What other processes have done so far with units of the same source.
using WorkOfOthers = std::function<batch::WorkCounts()>;

/// Works on the units of the source, and shows the progress, until there are no more or work has to stop.
[[nodiscard]] Result<batch::WorkCounts>
work_on_run(const BatchArguments &arguments, const BatchRun &run, batch::UnitSource &source,
            const std::vector<batch::WorkerPlace> &places, std::optional<BatchStop::Clock::time_point> end,
            const BatchStop &stop, const WorkOfOthers &of_others, const LogSink &log);

/// Writes the results when all units are done, and says how far the run is. `counts` are those of `whom`, which the
/// text names.
[[nodiscard]] Result<ExitCode> conclude_run(const BatchArguments &arguments, const BatchRun &run,
                                            const batch::WorkCounts &counts, std::string_view whom);

} // namespace isovmaf::tool
