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
#include "batch/work/rank_units.hpp"
#include "device/backend_folders.hpp"
#include "device/backend_names.hpp"
#include "ranks/ranks.hpp"
#include "report/number_text.hpp"
#include "tools/isovmaf/batch/batch_folders.hpp"
#include "tools/isovmaf/batch/batch_steps.hpp"
#include "tools/isovmaf/console.hpp"

namespace isovmaf::tool {

namespace {

using Clock = BatchStop::Clock;
using End = std::optional<Clock::time_point>; ///< of the time that the process has

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
        arguments.device || !arguments.devices.empty() || arguments.backend.find(',') != std::string::npos;
    if (job.info().local_ranks > 1 && !named && !runs_without_plugin(arguments.backend))
        arguments.devices = arguments.backend == auto_backend ? "all" : arguments.backend + ":*";
    return arguments;
}

/// The first rank makes the run folder, or resumes it; the others open it then.
Result<batch::RunFolder> share_folder(const BatchArguments &arguments, ranks::Ranks &job, End end) {
    Result<batch::RunFolder> folder = fail(ErrorCode::internal, "");
    if (job.is_first()) {
        const BatchStop stop(end);
        folder = prepare_run(arguments, [&] { return stop.requested(); });
    }
    TRY(agree_on_success(job, job.is_first() ? outcome_of(folder) : Result<void>()));
    const std::string rows = TRY(job.broadcast(job.is_first() ? folder->settings().rows : ""));
    if (!job.is_first())
        folder = batch::RunFolder::open(arguments.run);
    if (folder && folder->settings().rows != rows)
        folder = fail(ErrorCode::mismatch, fmt::format("the rows of {} changed while the ranks of this job opened it: "
                                                       "run the command again",
                                                       arguments.run));
    TRY(agree_on_success(job, outcome_of(folder)));
    return folder;
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

/// Takes units from the first rank until there are none, and sums up the work of all ranks.
Result<Worked> work_as_rank(const BatchArguments &arguments, ranks::Ranks &job, const BatchRun &run,
                            const batch::Shard &shard, const std::vector<batch::WorkerPlace> &places, End end,
                            const LogSink &log) {
    const Clock::time_point start = Clock::now();
    const auto source = batch::RankUnits::create(job, run.units.size(), shard);
    std::optional<BatchStop> stop(end); // until this rank's own work ends: others may have more to do
    const auto result = work_on_run(
        arguments, run, *source, places, end, *stop, [&] { return source->of_others(); }, log);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const bool stopped = stop->requested();
    stop.reset();
    TRY(source->finish(stopped));
    TRY(job.regroup());
    if (!result)
        print_error("isovmaf: error: rank {}: {}\n", job.rank(), result.error().message);
    const batch::WorkCounts counts = result.value_or(batch::WorkCounts{.units = source->size()});
    Worked worked{TRY(summarise_ranks(job, counts, seconds, text_of(places))),
                  TRY(job.reduce(ISOVMAF_MPI_MAX, result ? 0 : 1)) != 0};
    batch::WorkCounts &all = worked.summary.all;
    if (source->all_settled() && all.postponed == 0) // stores have the work of ranks that died
        all.known += all.units - all.settled();
    return worked;
}

Result<ExitCode> conclude_as_first(const BatchArguments &arguments, const BatchRun &run, const Worked &worked) {
    const ExitCode code = TRY(conclude_run(arguments, run, worked.summary.all, "all ranks"));
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
    const Result<End> end = end_of_time(arguments, log);
    TRY(agree_on_success(job, outcome_of(end)));
    const Result<batch::Shard> shard = parse_shard(arguments.shard);
    TRY(agree_on_success(job, outcome_of(shard)));
    const Result<BatchRun> run = open_run(TRY(share_folder(arguments, job, *end)));
    TRY(agree_on_success(job, outcome_of(run)));
    const Worked worked = TRY(work_as_rank(arguments, job, *run, *shard, *places, *end, log));
    return share_code(job, job.is_first() ? conclude_as_first(arguments, *run, worked) : exit_ok);
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
    const BatchArguments mine = arguments_of_rank(arguments, job);
    if (!mine.quiet)
        print_start(job);
    return run_batch_as_rank(mine, job, log);
}

} // namespace isovmaf::tool
