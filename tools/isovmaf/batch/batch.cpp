// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_steps.hpp"

#include <chrono>
#include <cstdlib>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"
#include "batch/work/lease.hpp"
#include "batch/work/time_budget.hpp"
#include "report/number_text.hpp"
#include "tools/isovmaf/batch/batch.hpp"
#include "tools/isovmaf/batch/batch_folders.hpp"
#include "tools/isovmaf/batch/batch_progress.hpp"
#include "tools/isovmaf/batch/batch_ranks.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"

namespace isovmaf::tool {

namespace {

using Clock = std::chrono::steady_clock;

Result<batch::RowFailures> write_results(const BatchArguments &arguments, const batch::RunFolder &folder,
                                         batch::RunResults &results) {
    TRY(folder.check_unchanged());
    const batch::RowFailures failures = TRY(results.write(folder.path()));
    TRY(folder.check_unchanged());
    const auto leases = TRY(batch::Leases::create(folder.leases(), std::chrono::seconds(arguments.lease_seconds)));
    TRY(leases->remove_stale());
    for (const std::filesystem::path &path : {folder.path(), folder.stores(), folder.leases()})
        TRY(batch::remove_unfinished_files(path));
    return failures;
}

std::vector<ExecutionOptions> executions_at(const std::vector<batch::WorkerPlace> &places,
                                            const BatchExecution &execution) {
    std::vector<ExecutionOptions> executions;
    for (const batch::WorkerPlace &place : places)
        executions.push_back(execution_at(place, execution));
    return executions;
}

void print_stopped(const batch::WorkCounts &counts, std::string_view whom) {
    std::string text = fmt::format("stopped: {} of {} done", counts.settled(),
                                   counted(static_cast<std::int64_t>(counts.units), "unit"));
    if (counts.postponed > 0)
        text += fmt::format(", {} not begun, because the time that is left is too short", counts.postponed);
    print_output("{}; {} by {}. Run the same command again to continue\n", text, counts.finished, whom);
}

Result<ExitCode> run_alone(const BatchArguments &arguments, const LogSink &log) {
    const std::vector<batch::WorkerPlace> places = TRY(place_batch_workers(arguments, {}, log));
    if (arguments.dry_run)
        return dry_run(arguments, places);
    const std::optional<Clock::time_point> end = TRY(end_of_time(arguments, log));
    const BatchStop stop(end);
    const BatchRun run = TRY(open_run(TRY(prepare_run(arguments, [&] { return stop.requested(); }))));
    batch::ShardUnits source(run.units.size(), TRY(parse_shard(arguments.shard)));
    const batch::WorkCounts counts = TRY(work_on_run(
        arguments, run, source, places, end, stop, [] { return batch::WorkCounts(); }, log));
    return conclude_run(arguments, run, counts, "this process");
}

Result<ExitCode> run(const BatchArguments &arguments, const LogSink &log) {
    const std::unique_ptr<ranks::Ranks> job = TRY(start_ranks(arguments.engine));
    return job ? run_as_rank(arguments, *job, log) : run_alone(arguments, log);
}

/// Reports units that were settled, and have no words now because files or stores were changed.
ExitCode no_results(const batch::RunState &state) {
    print_error("isovmaf: error: no results were written, because files or stores of {} were changed while the batch "
                "ran; run the command again\n",
                counted(static_cast<std::int64_t>(state.missing()), "unit"));
    return exit_again;
}

} // namespace

BatchStop::BatchStop(std::optional<Clock::time_point> end)
    : end_(end), watch_([this](const std::stop_token &ended) { watch(ended); }) {}

bool BatchStop::requested() const {
    return guard_.interrupted() || (end_ && Clock::now() >= *end_ - batch::TimeBudget::reserve);
}

void BatchStop::watch(const std::stop_token &ended) const {
    constexpr std::chrono::milliseconds between_looks{100};
    while (!requested() && !wait_for_stop(ended, between_looks))
        ;
    if (wait_for_stop(ended, patience))
        return;
    print_error("isovmaf: error: the work did not stop within {} s, because a file, a device or a program does not "
                "respond; the process ends now. Run the same command again to continue\n",
                patience.count());
    std::_Exit(exit_interrupted);
}

Result<batch::Shard> parse_shard(const std::string &text) {
    if (text.empty())
        return batch::Shard{};
    const std::size_t slash = text.find('/');
    const auto shard = parse_integer(text.substr(0, slash));
    const auto count = parse_integer(slash == std::string::npos ? "" : text.substr(slash + 1));
    if (!shard || !count || *shard < 0 || *shard >= *count)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--shard takes I/N with I from 0 to N - 1, such as 0/16: not {}", quote(text)));
    return batch::Shard{static_cast<std::size_t>(*shard), static_cast<std::size_t>(*count)};
}

Result<std::optional<Clock::time_point>> end_of_time(const BatchArguments &arguments, const LogSink &log) {
    if (arguments.time_left.empty())
        return std::nullopt;
    const std::optional<std::chrono::seconds> left = TRY(read_time_left(arguments.time_left));
    if (!arguments.quiet)
        log(Severity::info, left ? fmt::format("the job ends in {} s", left->count()) : "the job has no time limit");
    return left ? std::optional(Clock::now() + *left) : std::nullopt;
}

Result<BatchRun> open_run(batch::RunFolder folder) {
    batch::RowTable rows = TRY(batch::RowTable::open(folder.rows()));
    std::vector<batch::Unit> units = TRY(batch::plan_units(rows, folder.settings().segment_frames));
    return BatchRun{std::move(folder), std::move(rows), std::move(units)};
}

std::optional<batch::StagingOptions> stage_options(const BatchArguments &arguments) {
    return arguments.stage.empty() ? std::nullopt
                                   : std::optional(batch::StagingOptions{arguments.stage, arguments.stage_bytes});
}

Result<batch::WorkCounts> work_on_run(const BatchArguments &arguments, const BatchRun &run, batch::UnitSource &source,
                                      const std::vector<batch::WorkerPlace> &places,
                                      std::optional<Clock::time_point> end, const BatchStop &stop,
                                      const WorkOfOthers &of_others, const LogSink &log) {
    const batch::WorkOptions options{
        {.retries = arguments.retries, .fast_keys = arguments.fast_keys, .log = log},
        executions_at(places, arguments),
        std::chrono::seconds(arguments.lease_seconds),
        end,
        arguments.group,
        stage_options(arguments),
    };
    BatchProgress progress(arguments, places, of_others);
    const batch::WorkCounts counts =
        TRY(batch::run_workers(run.folder, run.rows, run.units, source, options,
                               {.progressed = [&](const batch::WorkCounts &now) { progress.progressed(now); },
                                .stop = [&] { return stop.requested(); },
                                .started = [&](std::size_t worker) { bind_worker(places[worker], log); }}));
    progress.done(counts);
    return counts;
}

Result<ExitCode> conclude_run(const BatchArguments &arguments, const BatchRun &run, const batch::WorkCounts &counts,
                              std::string_view whom) {
    if (counts.settled() < counts.units) {
        if (!arguments.quiet)
            print_stopped(counts, whom);
        return exit_interrupted;
    }
    batch::StoreIndex index({run.folder.stores()});
    TRY(index.refresh());
    batch::RunResults results(run.folder, run.rows, run.units, index, batch::RunResults::Lookup::contents,
                              arguments.fast_keys);
    const batch::RunState state = TRY(results.state());
    const batch::RowFailures failures =
        state.missing() == 0 ? TRY(write_results(arguments, run.folder, results)) : batch::RowFailures();
    if (!arguments.quiet)
        print_output("{}; {} by {}\n", state_text(state), counts.finished, whom);
    if (state.missing() > 0 && arguments.shard.empty())
        return no_results(state);
    return exit_code_of(state, failures);
}

int run_batch(const BatchArguments &arguments) {
    NoticeLog notices;
    return print_failure(run(arguments, notices.sink()));
}

} // namespace isovmaf::tool
