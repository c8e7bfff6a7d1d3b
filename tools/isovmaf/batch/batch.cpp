// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"
#include "batch/work/lease.hpp"
#include "batch/work/progress.hpp"
#include "batch/work/time_budget.hpp"
#include "batch/work/worker.hpp"
#include "report/number_text.hpp"
#include "tools/isovmaf/batch/batch_folders.hpp"
#include "tools/isovmaf/batch/batch_ranks.hpp"
#include "tools/isovmaf/batch/batch_steps.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/progress.hpp"

namespace isovmaf::tool {

namespace {

/// Shows on standard error how far the work is, from a thread of its own: on a terminal one line that is rewritten,
/// else a line from time to time, or with --progress json an object each second. Its functions may be called by any
/// thread.
class BatchProgress {
  public:
    /// `of_others` gives what other processes have done with units of the same source, whenever something is shown.
    BatchProgress(const BatchArguments &arguments, const std::vector<batch::WorkerPlace> &places,
                  std::function<batch::WorkCounts()> of_others);

    void progressed(const batch::WorkCounts &counts);

    /// Ends the progress, and shows what each worker did. Called once.
    void done(const batch::WorkCounts &counts);

  private:
    using Clock = std::chrono::steady_clock;

    void show_from_time_to_time(const std::stop_token &ended);
    void show(bool ended) const;
    [[nodiscard]] batch::RunProgress state() const;

    enum class Style : std::uint8_t { none, line, lines, json };
    [[nodiscard]] static Style style_for(const BatchArguments &arguments);
    [[nodiscard]] std::chrono::milliseconds interval() const;

    const Style style_;
    const std::function<batch::WorkCounts()> of_others_;
    const Clock::time_point start_ = Clock::now();
    mutable std::mutex mutex_; ///< of `progress_`
    batch::RunProgress progress_;
    std::jthread shower_; // declared after the members that it reads
};

BatchProgress::Style BatchProgress::style_for(const BatchArguments &arguments) {
    if (arguments.quiet)
        return Style::none;
    if (arguments.progress == "json")
        return Style::json;
    return isatty(STDERR_FILENO) == 1 ? Style::line : Style::lines;
}

std::chrono::milliseconds BatchProgress::interval() const {
    using std::chrono::milliseconds;
    return style_ == Style::line   ? milliseconds(200)
           : style_ == Style::json ? milliseconds(1000)
                                   : milliseconds(30'000);
}

BatchProgress::BatchProgress(const BatchArguments &arguments, const std::vector<batch::WorkerPlace> &places,
                             std::function<batch::WorkCounts()> of_others)
    : style_(style_for(arguments)), of_others_(std::move(of_others)) {
    for (const batch::WorkerPlace &place : places)
        progress_.devices.push_back(place.device.label());
    if (style_ != Style::none)
        shower_ = std::jthread([this](const std::stop_token &ended) { show_from_time_to_time(ended); });
}

void BatchProgress::progressed(const batch::WorkCounts &counts) {
    const std::lock_guard lock(mutex_);
    progress_.counts = counts;
    if (counts.settled() == counts.known)
        progress_.known_before = counts.known;
}

void BatchProgress::done(const batch::WorkCounts &counts) {
    progressed(counts);
    shower_ = {}; // waits for its end
    if (style_ == Style::json)
        show(true);
    if (style_ == Style::line || style_ == Style::lines)
        write_error(batch::workers_table(state()));
}

void BatchProgress::show_from_time_to_time(const std::stop_token &ended) {
    while (!wait_for_stop(ended, interval()))
        show(false);
    if (style_ == Style::line)
        write_error(erase_line);
}

void BatchProgress::show(bool ended) const {
    const batch::RunProgress progress = state();
    if (style_ == Style::json)
        write_error(batch::progress_json(progress, ended) + '\n');
    else if (style_ == Style::line)
        print_error("{}{}", erase_line, batch::progress_line(progress));
    else
        print_error("isovmaf: {}\n", batch::progress_line(progress));
}

batch::RunProgress BatchProgress::state() const {
    const std::lock_guard lock(mutex_);
    batch::RunProgress progress = progress_;
    progress.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    progress.counts.add(of_others_());
    progress.frames = progress.counts.frames;
    return progress;
}

using Clock = std::chrono::steady_clock;

Result<batch::WrittenResults> write_results(const BatchArguments &arguments, const batch::RunFolder &folder,
                                            batch::RunResults &results) {
    TRY(folder.check_unchanged());
    batch::WrittenResults written = TRY(results.write(folder.path()));
    TRY(folder.check_unchanged());
    const auto leases = TRY(batch::Leases::create(folder.leases(), std::chrono::seconds(arguments.lease_seconds)));
    TRY(leases->remove_stale());
    for (const std::filesystem::path &path : {folder.path(), folder.stores(), folder.leases()})
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
    const batch::WrittenResults written =
        state.missing() == 0 ? TRY(write_results(arguments, run.folder, results)) : batch::WrittenResults();
    if (!arguments.quiet)
        print_output("{}{}; {} by {}\n", written.scores_table, state_text(state), counts.finished, whom);
    if (state.missing() > 0 && arguments.shard.empty())
        return no_results(state);
    return exit_code_of(state, written.failures);
}

int run_batch(const BatchArguments &arguments) {
    NoticeLog notices;
    return print_failure(run(arguments, notices.sink()));
}

} // namespace isovmaf::tool
