// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/try.hpp"
#include "input/raw/pipe_group.hpp"
#include "report/report.hpp"
#include "report/terminal.hpp"
#include "score_page/score_page.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/score/score_file.hpp"
#include "tools/isovmaf/score/score_junit.hpp"
#include "tools/isovmaf/score/score_places.hpp"
#include "tools/isovmaf/score/score_request.hpp"
#include "tools/isovmaf/score/score_several.hpp"
#include "tools/isovmaf/score/video_run.hpp"

namespace isovmaf::tool {

namespace {

/// The scores for people, or for scripts with --quiet. A plain number cannot say that it is incomplete.
std::string scores_text(const ScoreArguments &arguments, const ScoreRequest &job, const ScoredVideo &video,
                        bool styled) {
    if (!arguments.quiet) {
        const std::string text = terminal_summary(
            video.report,
            {.first_model = video.first_model, .worst = {video.listed_worst, video.worst_distance}, .styled = styled});
        return text + (video.spans.empty() ? "" : '\n' + spans_text(video, job));
    }
    return video.report.incomplete ? "" : plain_scores(video.report.scores, video.first_model, job.precision);
}

std::string table_of(const ScoredVideo &video, const ScoreRequest &job) {
    const TableVideo row = table_video(video);
    return write_scores_table({&row, 1}, job.per, job.table_format, job.precision);
}

/// The files of a run.
struct ScoreFiles {
    ScoreFile report, page, junit, table;

    [[nodiscard]] bool wanted_after(RunEnd end) const {
        return report.wanted_after(end) || page.wanted_after(end) || table.wanted_after(end);
    }

    /// Whether one of them is standard output, which nothing else may be printed on.
    [[nodiscard]] bool use_standard_output() const {
        return report.is_standard_output() || page.is_standard_output() || junit.is_standard_output();
    }

    /// Writes all, also where one of them cannot be written. Returns what failed. `kept` lists those with scores.
    std::vector<Error> write(const ScoredVideo &video, const ScoreArguments &arguments, const ScoreRequest &job,
                             RunEnd end, std::string &kept) {
        std::vector<Error> failures;
        const auto note = [&](const Result<void> &written) {
            if (!written)
                failures.push_back(written.error());
        };
        note(report.write([&] { return write_report(video.report, job.report_format, job.precision); }, end, kept));
        note(page.write([&] { return score_page_html(page_of(video, arguments.command)); }, end, kept));
        std::string kept_limits;
        note(junit.write(
            [&] {
                const JunitSuite suite = limits_suite(video, arguments.command);
                return junit_text(score_junit_program, {&suite, 1});
            },
            end, kept_limits));
        if (video.span_failure)
            failures.push_back(*video.span_failure);
        else
            note(table.write([&] { return table_of(video, job); }, end, kept));
        return failures;
    }
};

void print_failures(const std::vector<Error> &failures) {
    for (const Error &failure : failures)
        print_error("isovmaf: error: {}\n", failure.message);
}

/// Keeps the scores of the frames before a failure, where there is a file for them.
void keep_scores(VideoRun &run, ScoreFiles &files, const ScoreArguments &arguments, const ScoreRequest &job,
                 const Progress &progress, const LogSink &log) {
    if (!run.keeps_scores() || !files.wanted_after(RunEnd::failed))
        return;
    const Result<ScoredVideo> video = run.finish(RunEnd::failed, progress);
    if (!video)
        return;
    std::string kept;
    print_failures(files.write(*video, arguments, job, RunEnd::failed, kept));
    if (!kept.empty())
        warn(log, kept_text(video->report, kept));
}

/// Runs the whole command for one distorted video; returns how it ended. An error has the code invalid_argument only
/// when the command line is wrong.
Result<ExitCode> run(const ScoreTask &task, const std::vector<PartPlace> &places, NoticeLog &notices) {
    const ScoreArguments &arguments = task.arguments;
    const ScoreRequest &job = task.job;
    const LogSink log = notices.sink();
    const auto run = TRY(VideoRun::open(arguments, job, nullptr, {places}, notices, arguments.html.has_value()));
    const ReportRules rules{input_files(task), arguments.force};
    ReportPaths paths;
    ScoreFiles files;
    files.report = TRY(ScoreFile::create(job.output, rules, paths));
    files.page = TRY(ScoreFile::create(arguments.html, rules, paths));
    files.junit = TRY(ScoreFile::create(arguments.junit, rules, paths));
    files.table = TRY(ScoreFile::create(arguments.table, rules, paths));

    Progress progress = run->make_progress(progress_style(arguments));
    const Result<bool> interrupted = [&] {
        const InterruptGuard guard;
        return run->score(guard, progress);
    }();
    progress.done();
    if (!interrupted) {
        keep_scores(*run, files, arguments, job, progress, log);
        return tl::unexpected(interrupted.error());
    }
    if (*interrupted && !run->has_scores()) {
        warn(log, "interrupted before the first score: there is no report");
        return exit_interrupted;
    }

    const RunEnd end = *interrupted ? RunEnd::interrupted : RunEnd::complete;
    const ScoredVideo video = TRY(run->finish(end, progress));
    std::string kept;
    const std::vector<Error> failures = files.write(video, arguments, job, end, kept);
    if (*interrupted)
        warn(log, kept.empty()
                      ? "interrupted: the scores cover the frames before the interruption"
                      : fmt::format("interrupted: the scores of the frames before the interruption are in {}", kept));
    if (!files.use_standard_output())
        write_output(scores_text(arguments, job, video, takes_escapes(STDOUT_FILENO)));
    else if (!failures.empty())
        write_error(scores_text(arguments, job, video, takes_escapes(STDERR_FILENO)));
    for (const std::string &hint : video.hints)
        log(Severity::info, hint);
    print_limits(video, "");
    print_failures(failures);
    if (!failures.empty() || video.has_limit(LimitCheck::Outcome::not_judged))
        return exit_failed;
    return *interrupted ? exit_interrupted : video.has_limit(LimitCheck::Outcome::broken) ? exit_below_limit : exit_ok;
}

/// Opens all pipes of the command before one of them is read.
void open_pipes(std::vector<ScoreTask> &tasks) {
    std::vector<std::string> paths{tasks.front().job.videos.reference.path};
    for (const ScoreTask &task : tasks)
        paths.push_back(task.job.videos.distorted.path);
    const auto pipes = std::make_shared<PipeGroup>(paths);
    for (ScoreTask &task : tasks)
        task.job.videos.pipes = pipes;
}

/// Decides what the tasks leave open, once and before anybody plans who reads the videos; says each step.
Result<void> settle(std::vector<ScoreTask> &tasks) {
    for (ScoreTask &task : tasks) {
        if (is_settled(task.job.videos))
            continue;
        if (Result<void> settled = settle_job(task.job); !settled) {
            if (settled.error().code == ErrorCode::invalid_argument) // a file is wrong, and not the command line
                settled.error().code = ErrorCode::corrupt_data;
            return settled;
        }
        NoticeLog notices(tasks.size() > 1 ? display_name(task.arguments.distorted) : "");
        for (const SettledOption &option : task.job.videos.settled)
            notices.add(Severity::info, settled_text(option));
    }
    return {};
}

int exit_code_of(const Result<ExitCode> &ended) {
    return ended ? *ended : ended.error().code == ErrorCode::invalid_argument ? exit_usage : exit_failed;
}

} // namespace

int run_score(const ScoreArguments &arguments) {
    const auto report = [](const Result<ExitCode> &ended) {
        if (!ended)
            print_error("isovmaf: error: {}\n", ended.error().message);
        return exit_code_of(ended);
    };
    Result<std::vector<ScoreTask>> tasks = parse_tasks(arguments);
    if (!tasks)
        return report(tl::unexpected(tasks.error()));
    open_pipes(*tasks);
    const ScoreTask &first = tasks->front();
    NoticeLog notices;
    const Result<std::vector<PartPlace>> places = // which open beside the videos
        open_places(first.job, tasks->size(), first.arguments.verbose, notices.sink());
    if (!places)
        return report(tl::unexpected(places.error()));
    if (const Result<void> settled = settle(*tasks); !settled) {
        const int exit_code = report(tl::unexpected(settled.error()));
        leave(exit_code, *places);
    }
    const int exit_code = tasks->size() > 1 ? score_several(*tasks, *places) : report(run(first, *places, notices));
    if (exit_code != exit_ok && exit_code != exit_interrupted)
        leave(exit_code, *places);
    return exit_code;
}

} // namespace isovmaf::tool
