// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_ranks.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/try.hpp"
#include "batch/work/rank_tasks.hpp"
#include "device/backend_folders.hpp"
#include "device/backend_names.hpp"
#include "ranks/ranks.hpp"
#include "report/number_text.hpp"
#include "tools/isovmaf/batch/batch_folders.hpp"
#include "tools/isovmaf/batch/batch_steps.hpp"
#include "tools/isovmaf/console.hpp"

namespace isovmaf::tool {

namespace {

using Clock = std::chrono::steady_clock;

/// All ranks call this. It fails on every rank if any rank failed, with the code of the first rank that failed and
/// without a message: failing ranks have printed theirs before any rank returns. A launcher ends the job when one rank
/// ends with an error, and what another prints after that is lost.
Result<void> agree_on_success(ranks::Ranks &job, const Result<void> &mine) {
    constexpr std::int64_t codes = 1 << 8, none = std::numeric_limits<std::int64_t>::max();
    const std::int64_t failure = mine ? none : job.rank() * codes + static_cast<std::int64_t>(mine.error().code);
    const std::int64_t first = TRY(job.reduce(ISOVMAF_MPI_MIN, failure));
    if (first == none)
        return {};
    if (!mine && !mine.error().message.empty())
        print_error("isovmaf: error: {}\n", mine.error().message);
    TRY(job.wait_for_all());
    return fail(static_cast<ErrorCode>(first % codes), "");
}

template <class Value>
Result<void> outcome_of(const Result<Value> &result) {
    if (!result)
        return tl::unexpected(result.error());
    return {};
}

void print_start(const ranks::Ranks &job) {
    const isovmaf_mpi_info &info = job.info();
    const std::string_view library = info.library;
    print_output("MPI: {}, {} of them on this host; {}. {}\n", counted(info.ranks, "rank"), info.local_ranks,
                 library.substr(0, library.find(',')),
                 info.survives != 0 ? "When a rank dies, the others go on (ULFM)."
                                    : "When a rank dies, MPI ends the others; run the same command again then.");
}

/// A host, and the processors of it that a rank may use.
struct HostProcessors {
    std::array<char, sizeof(isovmaf_mpi_info::host)> host{};
    cpu_set_t processors{};

    friend bool operator==(const HostProcessors &a, const HostProcessors &b) {
        return a.host == b.host && CPU_EQUAL(&a.processors, &b.processors);
    }
};

/// Which part of its host's devices and processors a rank has. Ranks that may run on the same processors share them.
Result<batch::HostShare> share_host(ranks::Ranks &job) {
    HostProcessors mine;
    std::memcpy(mine.host.data(), job.info().host, mine.host.size());
    sched_getaffinity(0, sizeof mine.processors, &mine.processors); // with more than 1024 processors: all are equal
    TRY(job.wait_for_all());
    const std::vector<HostProcessors> all = TRY(job.gather(mine));
    return batch::HostShare{job.info().local_rank, job.info().local_ranks,
                            static_cast<int>(std::ranges::count(all, mine))};
}

/// The command line, changed for this rank: only the first rank shows progress, and the ranks of a host divide all of
/// its devices among them unless some are named.
BatchArguments arguments_of_rank(BatchArguments arguments, const ranks::Ranks &job) {
    arguments.quiet = arguments.quiet || !job.is_first();
    const bool named =
        arguments.device || !arguments.device_list.empty() || arguments.backend.find(',') != std::string::npos;
    if (job.info().local_ranks > 1 && !named && !runs_without_plugin(arguments.backend))
        arguments.device_list = arguments.backend == auto_backend ? "all" : arguments.backend + ":*";
    return arguments;
}

/// The run of all ranks.
struct SharedRun {
    batch::Run run;
    std::unique_ptr<batch::AtWork> at_work; ///< of the first rank: another job on the folder is refused
};

/// What the first rank does alone: it makes the run folder, or resumes it, and reads its stores.
Result<SharedRun> open_as_first(const BatchArguments &arguments) {
    const BatchStop stop;
    batch::RunFolder folder = TRY(make_run_folder(arguments));
    auto at_work = TRY(batch::AtWork::begin(arguments.run, batch::AtWork::Who::mpi_job, arguments.take_over));
    TRY(put_rows(arguments, folder, [&] { return stop.requested(); }));
    SharedRun shared{TRY(open_run(std::move(folder), {})), std::move(at_work)};
    TRY(shared.run.index->refresh());
    return shared;
}

/// What another rank does then: `known` is what the stores say.
Result<SharedRun> open_as_other(const BatchArguments &arguments, const std::string &rows, const std::string &known) {
    batch::RunFolder folder = TRY(batch::RunFolder::open(arguments.run));
    if (folder.settings().rows != rows)
        return fail(ErrorCode::mismatch, fmt::format("the rows of {} changed while the ranks of this job opened it: "
                                                     "run the command again",
                                                     arguments.run));
    SharedRun shared{TRY(open_run(std::move(folder), {})), nullptr};
    shared.run.index->add_known(known);
    return shared;
}

/// All ranks call this.
Result<SharedRun> share_run(const BatchArguments &arguments, ranks::Ranks &job) {
    if (job.is_first()) {
        Result<SharedRun> shared = open_as_first(arguments);
        TRY(agree_on_success(job, outcome_of(shared)));
        TRY(job.broadcast(shared->run.folder.settings().rows));
        TRY(job.broadcast(shared->run.index->known()));
        TRY(agree_on_success(job, {}));
        return shared;
    }
    TRY(agree_on_success(job, {}));
    const std::string rows = TRY(job.broadcast(""));
    const std::string known = TRY(job.broadcast(""));
    Result<SharedRun> shared = open_as_other(arguments, rows, known);
    TRY(agree_on_success(job, outcome_of(shared)));
    return shared;
}

std::string text_of(const std::vector<batch::WorkerPlace> &places) {
    std::vector<std::string> labels;
    for (const batch::WorkerPlace &place : places)
        if (std::ranges::find(labels, place.device.label()) == labels.end())
            labels.push_back(place.device.label());
    return fmt::format("{}", fmt::join(labels, ","));
}

/// The work of all ranks.
struct Worked {
    RankSummary summary;
    bool failed = false; ///< a rank failed by itself; others may have done its units
};

/// Takes tasks from the first rank until there are none, and sums up the work of all ranks.
Result<Worked> work_as_rank(const BatchArguments &arguments, ranks::Ranks &job, batch::Run &run,
                            const std::vector<batch::WorkerPlace> &places, const LogSink &log) {
    const Clock::time_point start = Clock::now();
    const std::int64_t workers = TRY(job.reduce(ISOVMAF_MPI_SUM, static_cast<std::int64_t>(places.size())));
    const auto tasks = tasks_of(arguments, run, static_cast<std::size_t>(workers));
    TRY(agree_on_success(job, outcome_of(tasks)));
    const auto source = batch::RankTasks::create(job, *tasks);
    std::optional<BatchStop> stop(std::in_place); // until this rank's own work ends: others may have more to do
    const auto result = work_on_run(
        arguments, run, *source, places, *stop, [&] { return source->of_others(); }, log);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const bool stopped = stop->requested();
    stop.reset();
    TRY(source->finish(stopped));
    TRY(job.regroup());
    if (!result)
        print_error("isovmaf: error: rank {}: {}\n", job.rank(), result.error().message);
    const batch::WorkCounts counts = result.value_or(batch::WorkCounts{.units = source->units()});
    Worked worked{TRY(summarise_ranks(job, counts, seconds, text_of(places))),
                  TRY(job.reduce(ISOVMAF_MPI_MAX, result ? 0 : 1)) != 0};
    batch::WorkCounts &all = worked.summary.all;
    if (source->all_settled() && all.settled() < all.units) // stores have the work of ranks that died or failed
        all.known += all.units - all.settled();
    return worked;
}

Result<ExitCode> conclude_as_first(const BatchArguments &arguments, SharedRun &shared, const Worked &worked) {
    const BatchStop stop; // ends the process where a file does not answer
    const ExitCode code = TRY(conclude_run(arguments, shared.run, worked.summary.all, "all ranks"));
    if (!arguments.quiet)
        write_output(worked.summary.table);
    return worked.failed && (code == exit_ok || code == exit_interrupted) ? exit_failed : code;
}

/// All ranks call this. Returns the first rank's exit code on every rank.
Result<ExitCode> share_code(ranks::Ranks &job, const Result<ExitCode> &of_first) {
    TRY(agree_on_success(job, outcome_of(of_first)));
    return static_cast<ExitCode>(TRY(job.reduce(ISOVMAF_MPI_MAX, *of_first)));
}

Result<ExitCode> dry_run_as_rank(const BatchArguments &arguments, ranks::Ranks &job,
                                 const std::vector<batch::WorkerPlace> &places) {
    if (!job.is_first())
        return share_code(job, exit_ok);
    std::vector<batch::WorkerPlace> of_all;
    for (int i = 0; i < job.info().ranks; i++)
        of_all.insert(of_all.end(), places.begin(), places.end());
    return share_code(job, dry_run(arguments, of_all));
}

Result<ExitCode> run_batch_as_rank(const BatchArguments &arguments, ranks::Ranks &job, const LogSink &log) {
    const batch::HostShare share = TRY(share_host(job));
    const auto places = place_batch_workers(arguments, share, log);
    TRY(agree_on_success(job, outcome_of(places)));
    if (arguments.dry_run)
        return dry_run_as_rank(arguments, job, *places);
    SharedRun shared = TRY(share_run(arguments, job));
    const Worked worked = TRY(work_as_rank(arguments, job, shared.run, *places, log));
    return share_code(job, job.is_first() ? conclude_as_first(arguments, shared, worked) : exit_ok);
}

} // namespace

Result<std::unique_ptr<ranks::Ranks>> start_ranks(const std::string &engine) {
    const ranks::Environment environment = [](const char *name) { return std::getenv(name); };
    const std::optional<ranks::Launcher> launcher = ranks::find_launcher(environment);
    if (engine == "folder" || (engine == "auto" && !launcher))
        return nullptr;
    const auto plugin = ranks::find_plugin(environment, folder_of_this_code());
    if (!plugin)
        return fail(plugin.error().code, fmt::format("{}: {}",
                                                     launcher ? fmt::format("an MPI launcher started {} processes ({})",
                                                                            launcher->ranks, launcher->variable)
                                                              : "--engine mpi",
                                                     plugin.error().message));
    std::unique_ptr<ranks::Ranks> job = TRY(ranks::Ranks::start(*plugin));
    if (launcher && job->info().ranks == 1)
        return fail(
            ErrorCode::mismatch,
            fmt::format("a launcher started {} processes ({}), but the MPI of {}, {}, knows one: it is another MPI "
                        "than the launcher's; build the plugin with the launcher's MPI, or give --engine folder",
                        launcher->ranks, launcher->variable, plugin->string(), job->info().library));
    return job;
}

Result<ExitCode> run_as_rank(const BatchArguments &arguments, ranks::Ranks &job, const LogSink &log) {
    if (!arguments.shard.empty())
        return fail(ErrorCode::invalid_argument,
                    "--shard is for a process without MPI, and this one is a rank of an MPI job: leave --shard out, or "
                    "give --engine folder");
    const BatchArguments mine = arguments_of_rank(arguments, job);
    if (!mine.quiet)
        print_start(job);
    return run_batch_as_rank(mine, job, log);
}

} // namespace isovmaf::tool
