// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/log.hpp"
#include "batch/manifest/validate.hpp"
#include "batch/results/results.hpp"
#include "batch/store/run_folder.hpp"
#include "batch/work/at_work.hpp"
#include "batch/work/unit.hpp"
#include "batch/work/worker.hpp"
#include "isovmaf/result.hpp"
#include "tools/isovmaf/batch/batch.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/interrupt.hpp"

/// The steps of `isovmaf batch MANIFEST`, which a process does alone or as a rank of an MPI job.
namespace isovmaf::tool {

/// While it exists, a batch stops after a signal. A process that has not ended `patience` later, because a file or a
/// device does not answer, is ended with exit_interrupted: what its stores have is valid at any instant.
class BatchStop {
  public:
    static constexpr std::chrono::seconds patience{8};

    BatchStop();

    /// Whether work has to stop. Thread-safe.
    [[nodiscard]] bool requested() const { return guard_.interrupted(); }

  private:
    void watch(const std::stop_token &ended) const;

    const InterruptGuard guard_;
    const std::jthread watch_; // declared after the members that it reads
};

/// "3/16": the shard with number 3 of 16.
[[nodiscard]] Result<batch::Shard> parse_shard(const std::string &text);

/// The rows and units of a folder, or of a shard of it. Its stores are not read yet.
[[nodiscard]] Result<batch::Run> open_run(batch::RunFolder folder, const batch::Shard &shard);

/// The run's tasks for so many workers.
[[nodiscard]] Result<std::vector<batch::Task>> tasks_of(const BatchArguments &arguments, const batch::Run &run,
                                                        std::size_t workers);

/// What other processes have done so far with units of the same source.
using WorkOfOthers = std::function<batch::WorkCounts()>;

/// Works on the tasks of the source, and shows the progress, until there are no more or work has to stop.
[[nodiscard]] Result<batch::WorkCounts> work_on_run(const BatchArguments &arguments, batch::Run &run,
                                                    batch::TaskSource &source,
                                                    const std::vector<batch::WorkerPlace> &places,
                                                    const BatchStop &stop, const WorkOfOthers &of_others,
                                                    const LogSink &log);

/// Writes the results when all units are done, unless this is a shard or another process of the host has just written
/// them, and says how far the run is. `counts` are those of `whom`, which the text names.
[[nodiscard]] Result<ExitCode> conclude_run(const BatchArguments &arguments, batch::Run &run,
                                            const batch::WorkCounts &counts, std::string_view whom);

/// Where the workers of this process compute, one after the other. Tests the devices that --devices names, and says
/// which were taken. Processes that started together share the devices of their host.
[[nodiscard]] Result<std::vector<batch::WorkerPlace>>
place_batch_workers(const BatchArguments &arguments, const batch::HostShare &share, const LogSink &log);

/// Binds the calling thread as the place says. A thread that cannot be bound is a warning: it does the same work.
void bind_worker(const batch::WorkerPlace &place, const LogSink &log);

/// Where the sessions of a worker at that place compute.
[[nodiscard]] ExecutionOptions execution_at(const batch::WorkerPlace &place, const BatchExecution &execution);

/// Validates the manifest and prints the plan: pairs, bytes to read, units, and how long they will take workers
/// at these places. Writes nothing into the run folder.
[[nodiscard]] Result<ExitCode> dry_run(const BatchArguments &arguments, const std::vector<batch::WorkerPlace> &places);

/// Validates the manifest and prints every bad row on standard error. `jobs` parses the options of rows.
[[nodiscard]] Result<batch::ManifestSummary> check_manifest(const PrepareArguments &arguments, batch::RowJobs &jobs,
                                                            const batch::RowSink &sink);

/// The folder that relative paths start from: that of the manifest, or the working directory for a pattern.
[[nodiscard]] std::filesystem::path base_of(const PrepareArguments &arguments);

/// Makes or opens the run folder; opens it when there is no manifest.
[[nodiscard]] Result<batch::RunFolder> make_run_folder(const PrepareArguments &arguments);

/// Puts the rows of the manifest into the folder, and those of each shard where there are some; nothing when there is
/// no manifest. Fails when rows are bad, unless they are to be left out; with `interrupted` when `stop`, which is
/// called for each row, returns true.
Result<void> put_rows(const PrepareArguments &arguments, batch::RunFolder &folder, const std::function<bool()> &stop);

} // namespace isovmaf::tool
