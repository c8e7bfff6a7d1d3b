// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <string>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/try.hpp"
#include "report/report.hpp"
#include "report/terminal.hpp"
#include "score_page/score_page.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/score/score_file.hpp"
#include "tools/isovmaf/score/score_places.hpp"
#include "tools/isovmaf/score/score_request.hpp"
#include "tools/isovmaf/score/score_several.hpp"
#include "tools/isovmaf/score/video_run.hpp"

namespace isovmaf::tool {

namespace {

/// Prints the scores for people, or for scripts with --quiet. A plain number cannot say that it is incomplete.
void print_scores(const ScoreArguments &arguments, const ScoreRequest &job, const Report &report,
                  std::size_t first_model) {
    if (!arguments.quiet)
        write_output(terminal_summary(
            report,
            {.first_model = first_model, .worst_frames = arguments.worst, .styled = takes_escapes(STDOUT_FILENO)}));
    else if (!report.incomplete)
        write_output(plain_scores(report.scores, first_model, job.precision));
}

/// Runs the whole command for one distorted video; returns how it ended. An error has the code invalid_argument only
/// when the command line is wrong.
Result<ExitCode> run(const ScoreArguments &arguments, const ScoreRequest &job, const std::vector<PartPlace> &places,
                     NoticeLog &notices) {
    const LogSink log = notices.sink();
    const auto run = TRY(VideoRun::open(arguments, job, nullptr, {places}, notices, arguments.html.has_value()));
    const ReportRules rules{input_files(arguments, job.scoring.models), arguments.force};
    ReportPaths paths;
    ScoreFile file = TRY(ScoreFile::create(job.output, rules, paths));
    ScoreFile page_file = TRY(ScoreFile::create(arguments.html, rules, paths));

    Progress progress = run->make_progress(progress_style(arguments));
    const Result<bool> interrupted = [&] {
        const InterruptGuard guard;
        return run->score(guard, progress);
    }();
    progress.done();
    if (!interrupted)
        return tl::unexpected(interrupted.error());
    if (*interrupted && !run->has_scores()) {
        warn(log, "interrupted before the first score: there is no report");
        return exit_interrupted;
    }

    const ScoredVideo video = TRY(run->finish(*interrupted, progress));
    const Report &report = video.report;
    std::string kept;
    if (file.wanted())
        TRY(file.write(write_report(report, job.report_format, job.precision), report.incomplete, kept));
    if (page_file.wanted())
        TRY(page_file.write(score_page_html(page_of(video, arguments.command)), report.incomplete, kept));
    if (report.incomplete)
        warn(log, kept.empty()
                      ? "interrupted: the scores cover the frames before the interruption"
                      : fmt::format("interrupted: the scores of the frames before the interruption are in {}", kept));
    if (!file.is_standard_output() && !page_file.is_standard_output())
        print_scores(arguments, job, report, video.first_model);
    for (const std::string &hint : video.hints)
        log(Severity::info, hint);
    for (const std::string &limit : video.broken_limits)
        print_error("isovmaf: {}\n", limit);
    return *interrupted ? exit_interrupted : video.broken_limits.empty() ? exit_ok : exit_below_limit;
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
    const Result<std::vector<ScoreTask>> tasks = parse_tasks(arguments);
    if (!tasks)
        return report(tl::unexpected(tasks.error()));
    const ScoreTask &first = tasks->front();
    NoticeLog notices;
    const Result<std::vector<PartPlace>> places = // which open beside the videos
        open_places(first.job, tasks->size(), first.arguments.verbose, notices.sink());
    if (!places)
        return report(tl::unexpected(places.error()));
    const int exit_code =
        tasks->size() > 1 ? score_several(*tasks, *places) : report(run(first.arguments, first.job, *places, notices));
    if (exit_code != exit_ok && exit_code != exit_interrupted)
        leave(exit_code, *places);
    return exit_code;
}

} // namespace isovmaf::tool
