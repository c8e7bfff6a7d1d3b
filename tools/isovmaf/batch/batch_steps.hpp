// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "batch/results/results.hpp"
#include "batch/work/worker.hpp"
#include "batch/work/worker_places.hpp"
#include "tools/isovmaf/batch/batch.hpp"
#include "tools/isovmaf/exit_code.hpp"
#include "tools/isovmaf/interrupt.hpp"

/// The steps of `isovmaf batch MANIFEST`, which a process does alone or as a rank of an MPI job.
namespace isovmaf::tool {

/// While it exists, a batch stops after a signal, and shortly before its time is over. A process that has not ended
/// `patience` later, because a file or a device does not answer, is ended with exit_interrupted: what its stores have
/// is valid at any instant.
class BatchStop {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds patience{8};

    /// `end`: of the time that the process has.
    explicit BatchStop(std::optional<Clock::time_point> end);

    /// Whether work has to stop. Thread-safe.
    [[nodiscard]] bool requested() const;

  private:
    void watch(const std::stop_token &ended) const;

    const InterruptGuard guard_;
    const std::optional<Clock::time_point> end_;
    const std::jthread watch_; // declared after the members that it reads
};

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
