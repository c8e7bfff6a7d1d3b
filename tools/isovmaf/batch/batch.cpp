// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"
#include "batch/work/worker.hpp"
#include "report/number_text.hpp"
#include "tools/isovmaf/batch/batch_folders.hpp"
#include "tools/isovmaf/batch/batch_progress.hpp"
#include "tools/isovmaf/batch/batch_ranks.hpp"
#include "tools/isovmaf/batch/batch_steps.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"

namespace isovmaf::tool {

namespace {

Result<batch::WrittenResults> write_results(const batch::RunFolder &folder, batch::RunResults &results) {
    TRY(folder.check_unchanged()); // before the time that writing takes
    batch::WrittenResults written = TRY(results.write(folder.path()));
    for (const std::filesystem::path &path : {folder.path(), folder.stores()})
        TRY(batch::remove_unfinished_files(path));
    return written;
}

std::vector<ExecutionOptions> executions_at(const std::vector<batch::WorkerPlace> &places,
                                            const BatchExecution &execution) {
    std::vector<ExecutionOptions> executions;
    for (const batch::WorkerPlace &place : places)
        executions.push_back(execution_at(place, execution));
    return executions;
}

void print_stopped(const batch::WorkCounts &counts, std::string_view whom) {
    print_output("stopped: {} of {} done; {} by {}. Run the same command again to continue\n", counts.settled(),
                 counted(static_cast<std::int64_t>(counts.units), "unit"), counts.finished, whom);
}

/// The folder with the rows to work on, and the right to work on it where it is not divided into shards.
struct OpenedFolder {
    batch::RunFolder folder;
    std::unique_ptr<batch::AtWork> at_work;
};

Result<OpenedFolder> open_folder(const BatchArguments &arguments, const batch::Shard &shard, const BatchStop &stop) {
    OpenedFolder opened{TRY(make_run_folder(arguments)), nullptr};
    if (shard.is_whole())
        opened.at_work = TRY(batch::AtWork::begin(arguments.run, batch::AtWork::Who::processes, arguments.take_over));
    TRY(put_rows(arguments, opened.folder, [&] { return stop.requested(); }));
    const std::size_t shards = opened.folder.settings().shards;
    if (!shard.is_whole() && shards != shard.count)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--shard {}: run folder {} is prepared for {}", arguments.shard,
                                escape_controls(arguments.run), counted(static_cast<std::int64_t>(shards), "shard")));
    return opened;
}

Result<ExitCode> run_alone(BatchArguments arguments, const LogSink &log) {
    const batch::Shard shard = TRY(parse_shard(arguments.shard));
    if (!shard.is_whole()) // this process cuts the rows as every other shard's does
        arguments.shards = {shard.count, shard.count};
    const std::vector<batch::WorkerPlace> places = TRY(place_batch_workers(arguments, {}, log));
    if (arguments.dry_run)
        return dry_run(arguments, places);
    const BatchStop stop;
    OpenedFolder opened = TRY(open_folder(arguments, shard, stop));
    batch::Run run = TRY(open_run(std::move(opened.folder), shard));
    run.locks = TRY(batch::UnitLocks::open(run.folder, shard));
    TRY(run.index->refresh()); // after the locks: whatever others do from now on leaves marks there
    batch::OwnTasks source(TRY(tasks_of(arguments, run, places.size())), arguments.quiet ? LogSink() : log);
    const batch::WorkCounts counts = TRY(work_on_run(
        arguments, run, source, places, stop, [] { return batch::WorkCounts(); }, log));
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

BatchStop::BatchStop() : watch_([this](const std::stop_token &ended) { watch(ended); }) {}

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

Result<batch::Run> open_run(batch::RunFolder folder, const batch::Shard &shard) {
    batch::RowTable rows =
        TRY(shard.is_whole() ? batch::RowTable::open(folder.rows()) : batch::RowTable::open(folder.shards(), shard));
    std::vector<batch::Unit> units = TRY(batch::plan_units(rows, folder.settings().segment_frames));
    auto index = std::make_unique<batch::StoreIndex>(folder.stores(), shard);
    auto lists = std::make_unique<batch::Lists>(*index);
    return batch::Run{.folder = std::move(folder),
                      .rows = std::move(rows),
                      .units = std::move(units),
                      .index = std::move(index),
                      .lists = std::move(lists),
                      .shard = shard};
}

Result<std::vector<batch::Task>> tasks_of(const BatchArguments &arguments, const batch::Run &run, std::size_t workers) {
    return batch::plan_tasks(run.units, run.rows, run.index->deaths(), {workers, arguments.group});
}

std::optional<batch::StagingOptions> stage_options(const BatchArguments &arguments) {
    return arguments.stage.empty() ? std::nullopt
                                   : std::optional(batch::StagingOptions{arguments.stage, arguments.stage_bytes});
}

Result<batch::WorkCounts> work_on_run(const BatchArguments &arguments, batch::Run &run, batch::TaskSource &source,
                                      const std::vector<batch::WorkerPlace> &places, const BatchStop &stop,
                                      const WorkOfOthers &of_others, const LogSink &log) {
    batch::WorkOptions options;
    options.retries = arguments.retries;
    options.retry_failed = arguments.retry_failed;
    options.fast_keys = arguments.fast_keys;
    options.hwaccel = hardware_decoding_named(arguments.hwaccel);
    options.log = log;
    options.workers = executions_at(places, arguments);
    options.backends = places.front().backends;
    options.stage = stage_options(arguments);
    BatchProgress progress(arguments, places, of_others);
    const batch::WorkCounts counts =
        TRY(batch::run_workers(run, source, options,
                               {.progressed = [&](const batch::WorkCounts &now) { progress.progressed(now); },
                                .stop = [&] { return stop.requested(); },
                                .started = [&](std::size_t worker) { bind_worker(places[worker], log); }}));
    progress.done(counts);
    return counts;
}

namespace {

/// What a process says that leaves the results to others: it knows what became of its units.
ExitCode conclude_without_results(const BatchArguments &arguments, const batch::Run &run,
                                  const batch::WorkCounts &counts) {
    batch::RunState state{.units = counts.units,
                          .finished = counts.known + counts.finished,
                          .permanent = counts.permanent,
                          .transient = counts.transient};
    std::set<std::size_t> rows; // that have units
    for (const batch::Unit &unit : run.units)
        rows.insert(unit.row);
    state.invalid = run.rows.size() - rows.size();
    if (!arguments.quiet)
        print_output("{}; {} by this process\n", state_text(state), counts.finished);
    const ExitCode code = exit_code_of({counts.permanent + state.invalid, counts.transient}, arguments.allow_failed);
    if (code != exit_ok)
        print_error("isovmaf: error: rows have no scores: {}; isovmaf batch status {} says why\n", state_text(state),
                    quote_for_shell(arguments.run));
    return code;
}

Result<ExitCode> conclude_with_results(const BatchArguments &arguments, batch::Run &run,
                                       const batch::WorkCounts &counts, std::string_view whom) {
    TRY(run.index->refresh());
    batch::RunResults results(run.folder, run.rows, run.units, *run.index, *run.lists,
                              batch::RunResults::Lookup::contents, arguments.fast_keys);
    const batch::RunState state = TRY(results.state());
    const batch::WrittenResults written =
        state.missing() == 0 ? TRY(write_results(run.folder, results)) : batch::WrittenResults();
    if (!arguments.quiet)
        print_output("{}{}; {} by {}\n", written.scores_table, state_text(state), counts.finished, whom);
    if (state.missing() > 0)
        return no_results(state);
    if (run.locks)
        run.locks->end_results();
    return conclude_results(written, arguments.allow_failed, run.folder.path());
}

/// Says how long it took to tell whether lists have changed.
void print_readings(const batch::Lists::Readings &readings) {
    if (readings.lists > 0)
        print_output("{} of other files (such as playlists) {} read for what {}: {:.1f} s\n",
                     counted(static_cast<std::int64_t>(readings.lists), "list"), readings.lists == 1 ? "was" : "were",
                     readings.lists == 1 ? "it holds" : "they hold", readings.seconds);
}

/// Writes the results, or leaves them to others.
Result<ExitCode> conclude_settled(const BatchArguments &arguments, batch::Run &run, const batch::WorkCounts &counts,
                                  std::string_view whom) {
    if (!run.shard.is_whole() || (run.locks && !TRY(run.locks->begin_results())))
        return conclude_without_results(arguments, run, counts);
    return conclude_with_results(arguments, run, counts, whom);
}

} // namespace

Result<ExitCode> conclude_run(const BatchArguments &arguments, batch::Run &run, const batch::WorkCounts &counts,
                              std::string_view whom) {
    if (counts.settled() < counts.units) {
        if (!arguments.quiet)
            print_stopped(counts, whom);
        return exit_interrupted;
    }
    const ExitCode code = TRY(conclude_settled(arguments, run, counts, whom));
    if (!arguments.quiet)
        print_readings(run.lists->readings());
    return code;
}

Result<ExitCode> prepare(const PrepareArguments &arguments) {
    const BatchStop stop;
    batch::RunFolder folder = TRY(make_run_folder(arguments));
    TRY(put_rows(arguments, folder, [&] { return stop.requested(); }));
    const batch::Run run = TRY(open_run(std::move(folder), {}));
    const std::size_t shards = run.folder.settings().shards;
    print_output("{} in {}", counted(static_cast<std::int64_t>(run.units.size()), "unit"),
                 escape_controls(arguments.run));
    if (shards > 0)
        print_output(", cut into {}: isovmaf batch --run {} --shard 0/{}",
                     counted(static_cast<std::int64_t>(shards), "shard"), quote_for_shell(arguments.run), shards);
    print_output("\n");
    return exit_ok;
}

int run_batch_prepare(const PrepareArguments &arguments) { return print_failure(prepare(arguments)); }

int run_batch(const BatchArguments &arguments) {
    NoticeLog notices;
    return print_failure(run(arguments, notices.sink()));
}

} // namespace isovmaf::tool
