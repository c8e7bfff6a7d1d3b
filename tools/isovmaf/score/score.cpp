// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"
#include "report/report.hpp"
#include "report/terminal.hpp"
#include "request/model_hint.hpp"
#include "run_report/run_report.hpp"
#include "score_page/score_page.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/interrupt.hpp"
#include "tools/isovmaf/progress.hpp"
#include "tools/isovmaf/report_paths.hpp"
#include "tools/isovmaf/score/align_hint.hpp"
#include "tools/isovmaf/score/score_report.hpp"
#include "tools/isovmaf/score/score_request.hpp"

namespace isovmaf::tool {

namespace {

/// The reports of a run of `isovmaf score`. Their files are opened before the run, so that a bad path is found early.
class ScoreFiles {
  public:
    [[nodiscard]] static Result<ScoreFiles> create(const ScoreArguments &arguments, const ScoreRequest &job);

    [[nodiscard]] bool wants_page() const { return page_.has_value(); }

    /// Whether a report goes to standard output, which nothing else may be printed on.
    [[nodiscard]] bool on_standard_output() const { return on_standard_output_; }

    /// Writes all reports. Those of an interrupted run get files of their own, whose names are returned as a list:
    /// "a.json.partial and a.html.partial".
    Result<std::string> write(const ScorePage &page, const ScoreRequest &job);

  private:
    std::optional<ReportFile> report_, page_;
    bool on_standard_output_ = false;
};

/// Adds the name of the file to `kept` if it is that of an interrupted run, in a file of its own.
Result<void> write_file(ReportFile &file, const std::string &text, bool incomplete, std::string &kept) {
    if (!incomplete)
        return file.commit(text);
    const std::string name = TRY(file.commit_partial(text));
    if (!name.empty())
        kept += (kept.empty() ? "" : " and ") + name;
    return {};
}

/// The colours of the samples that are scored: R'G'B' sources are converted to those of the other video, unless the
/// request names a matrix.
PictureColour picture_colour(const ColourDescription &own, const ColourDescription &other, const VideoSide &side) {
    const bool rgb = own.matrix == "gbr";
    const std::string &range = rgb || side.convert_range ? other.range : own.range;
    const std::string &converted = side.convert_matrix.empty() ? other.matrix : side.convert_matrix;
    const std::string &matrix = rgb ? converted : own.matrix;
    return {rgb && (matrix.empty() || matrix == "gbr") ? "bt709" : matrix, range == "full"};
}

/// Which of the lowest scores the HTML report lists, and how their pictures are made. `video_rate` is 0 when unknown.
WorstFrames::Options worst_frames_options(const ScoreArguments &arguments, const ScoreRequest &job,
                                          const OpenedVideos &videos, double video_rate, std::size_t column) {
    constexpr std::size_t default_count = 8, most = 50;
    constexpr std::int64_t default_distance = 12; // half a second of many videos
    WorstFrames::Options options;
    options.column = column;
    options.count = arguments.worst > 0 ? std::min(static_cast<std::size_t>(arguments.worst), most) : default_count;
    options.distance = video_rate > 0 ? std::max<std::int64_t>(1, std::llround(video_rate / 2)) : default_distance;
    if (const std::optional<std::int64_t> pairs = videos.pairs->expected_pairs()) // a short clip fills the list, too
        options.distance =
            std::clamp<std::int64_t>(*pairs / static_cast<std::int64_t>(2 * options.count), 1, options.distance);
    options.subsample = job.scoring.subsample;
    const ColourDescription &reference = videos.reference.colour, &distorted = videos.distorted.colour;
    options.reference = picture_colour(reference, distorted, job.videos.reference);
    options.distorted = picture_colour(distorted, reference, job.videos.distorted);
    return options;
}

Result<ScoreFiles> ScoreFiles::create(const ScoreArguments &arguments, const ScoreRequest &job) {
    const ReportRules rules{input_files(arguments, job.scoring.models), arguments.force};
    ScoreFiles files;
    ReportPaths paths;
    const auto open = [&](const std::optional<std::string> &path, std::optional<ReportFile> &file) -> Result<void> {
        if (!path)
            return {};
        TRY(paths.add(*path));
        file = TRY(ReportFile::create(*path, rules));
        files.on_standard_output_ = files.on_standard_output_ || names_standard_output(*path);
        return {};
    };
    TRY(open(job.output, files.report_));
    TRY(open(arguments.html, files.page_));
    return files;
}

Result<std::string> ScoreFiles::write(const ScorePage &page, const ScoreRequest &job) {
    const bool incomplete = page.report.incomplete;
    std::string kept;
    if (report_)
        TRY(write_file(*report_, write_report(page.report, job.report_format, job.precision), incomplete, kept));
    if (page_)
        TRY(write_file(*page_, score_page_html(page), incomplete, kept));
    return kept;
}

ProgressStyle progress_style(const ScoreArguments &arguments) {
    if (arguments.progress)
        return ProgressStyle::per_frame;
    return !arguments.quiet && isatty(STDERR_FILENO) ? ProgressStyle::line : ProgressStyle::none;
}

/// Scores until the videos end or the user interrupts. Returns true when the user interrupted.
Result<bool> score_all(OpenedVideos &videos, Session &session, Progress &progress, AlignmentDoctor &doctor,
                       std::optional<WorstFrames> &worst) {
    const InterruptGuard guard;
    const InterruptWatch watch(guard, [&] { videos.pairs->cancel(); });
    const auto scored = [&](const FrameScores &scores) {
        progress.scored(scores);
        if (worst)
            worst->scored(scores);
    };
    const VideoEnd end = TRY(score_opened_videos(
        videos, session,
        {.pushed = [&] { progress.pushed(); }, .scored = scored, .stop = [&] { return guard.interrupted(); }},
        [&](const FramePair &pair) {
            doctor.see(pair);
            if (worst)
                worst->pushed(pair);
        }));
    return end == VideoEnd::stopped;
}

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

/// Says which limits the scores are below.
ExitCode check_limits(const ScoreRequest &job, const ScoreTable &scores, std::size_t main_score) {
    const std::vector<std::string> broken = broken_limits(job.limits, scores, main_score);
    for (const std::string &sentence : broken)
        print_error("isovmaf: {}\n", sentence);
    return broken.empty() ? exit_ok : exit_below_limit;
}

/// Runs the whole command; returns how it ended. An error has the code invalid_argument only when the command line is
/// wrong.
Result<ExitCode> run(const ScoreArguments &arguments, ScoreRequest &job, const ExecutionHandle &execution,
                     NoticeLog &notices) {
    const LogSink log = notices.sink();
    job.videos.chroma_readers = chroma_readers_of(job.scoring);
    Result<OpenedVideos> opened = open_videos(job.videos, log);
    if (!opened) // also for invalid_argument: a wrong size in a file's header is no mistake of the command line
        return fail(ErrorCode::corrupt_data, opened.error().message);
    if (!opened->same_file.empty())
        log(Severity::info, opened->same_file);
    Session session = TRY(Session::create(opened->pairs->format(), job.scoring, execution));
    for (const std::string &notice : session.execution().notices)
        warn(log, notice);
    if (arguments.verbose)
        write_error(describe_place(session.execution()));
    ScoreFiles files = TRY(ScoreFiles::create(arguments, job));

    const std::vector<std::string> &names = session.score_names();
    TRY(check_limit_names(job.limits, names));
    const std::size_t first_model = session.feature_score_count();
    const std::size_t shown = std::min(first_model, names.size() - 1);
    Progress progress(progress_style(arguments), opened->pairs->expected_pairs(), names[shown], shown);
    AlignmentDoctor doctor(arguments.align_range, *opened);
    Report report = describe_run(arguments, job, *opened);
    const std::size_t main_score = first_model < names.size() ? first_model : 0;
    const WorstFrames::Options listed = worst_frames_options(arguments, job, *opened, report.video_rate, main_score);
    std::optional<WorstFrames> worst;
    if (files.wants_page())
        worst.emplace(listed);
    const Result<bool> interrupted = score_all(*opened, session, progress, doctor, worst);
    progress.done();
    if (!interrupted)
        return tl::unexpected(interrupted.error());
    if (*interrupted && session.scores().frames.empty()) {
        warn(log, "interrupted before the first score: there is no report");
        return exit_interrupted;
    }

    const SyncResult sync = opened->pairs->sync();
    describe_sync(sync, report);
    const std::vector<std::string> &notes = opened->pairs->notes();
    report.notes.insert(report.notes.end(), notes.begin(), notes.end());
    if (const std::string unpaired = unpaired_text(sync); !unpaired.empty())
        log(Severity::info, unpaired);
    const AlignmentHint hint = doctor.hint(arguments, job, execution, session.scores(), main_score);
    if (!hint.aligned && !opened->start_difference.empty())
        TRY(opened->pairs->add({PairWarning::timing, opened->start_difference + "; the pictures differ in time, too"}));
    report.sync.hint = hint.text;
    report.warnings = opened->pairs->warnings();
    if (!hint.aligned) {
        if (arguments.strict)
            return fail(ErrorCode::mismatch, hint.text);
        report.warnings.push_back({PairWarning::alignment, hint.text});
    }
    report.scores = session.scores();
    report.incomplete = *interrupted;
    report.execution = session.execution();
    report.timing = arguments.timing;
    report.fps = arguments.timing ? progress.frames_per_second() : 0;
    if (arguments.verbose)
        write_error(describe_work(report.execution));
    ScorePage page{.report = report, .first_model = first_model, .command = arguments.command};
    page.distance = listed.distance;
    if (worst)
        page.worst = worst->finish(log);
    const std::string kept = TRY(files.write(page, job));
    if (report.incomplete)
        warn(log, kept.empty()
                      ? "interrupted: the scores cover the frames before the interruption"
                      : fmt::format("interrupted: the scores of the frames before the interruption are in {}", kept));
    if (!files.on_standard_output())
        print_scores(arguments, job, report, first_model);
    for (const std::string &hint : {report.sync.hint, model_hint(job.scoring.models, opened->pairs->format())})
        if (!hint.empty())
            log(Severity::info, "hint: " + hint);
    return *interrupted ? exit_interrupted : check_limits(job, report.scores, main_score);
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
    Result<ScoreRequest> job = parse_arguments(arguments);
    if (!job)
        return report(tl::unexpected(job.error()));
    const Result<ExecutionHandle> execution = open_execution(job->execution); // beside the videos
    if (!execution)
        return report(tl::unexpected(execution.error()));
    NoticeLog notices;
    const Result<ExitCode> ended = run(arguments, *job, *execution, notices);
    const int exit_code = report(ended);
    if (!ended)
        leave(exit_code, *execution);
    return exit_code;
}

} // namespace isovmaf::tool
