// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/vmaf/options.hpp"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/try.hpp"
#include "run/video_facts.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/interrupt.hpp"
#include "tools/isovmaf/progress.hpp"

namespace isovmaf::vmaf {

namespace {

constexpr std::string_view libvmaf_release = "3.2.0";

bool on_terminal() { return isatty(STDERR_FILENO) != 0; }

void print_warning(Severity, std::string_view sentence) { tool::print_error("vmaf: warning: {}\n", sentence); }

bool scores_nothing(const Options &options) { return options.models.empty() && options.features.empty(); }

/// The columns of `table` in the order `order`.
ScoreTable reorder(ScoreTable table, const std::vector<std::size_t> &order) {
    const auto reordered = [&](const auto &values) {
        auto result = values;
        for (std::size_t i = 0; i < order.size(); i++)
            result[i] = values[order[i]];
        return result;
    };
    table.names = reordered(table.names);
    for (FrameScores &frame : table.frames)
        frame.scores = reordered(frame.scores);
    return table;
}

/// What scoring gave.
struct Scored {
    ScoreTable scores;
    double fps = 0;
    bool interrupted = false;
    std::optional<Error> failure = {}; ///< of a later frame
};

Result<Scored> score_session(const Options &options, OpenedVideos &videos, Session &session) {
    const tool::InterruptGuard guard;
    const tool::InterruptWatch watch(guard, [&] { videos.pairs->cancel(); });
    const auto style = on_terminal() && !options.quiet ? tool::ProgressStyle::line : tool::ProgressStyle::none;
    tool::Progress progress(style, videos.pairs->expected_pairs(), {}, 0);
    std::size_t complete = 0;
    const ScoreObserver observer{.pushed = [&] { progress.pushed(); },
                                 .scored = [&](const FrameScores &) { complete++; },
                                 .stop = [&] { return guard.interrupted(); }};
    const Result<VideoEnd> end = score_opened_videos(videos, session, observer);
    if (!end)
        score_rest(session, observer);
    progress.done();
    Scored scored{session.scores(), progress.frames_per_second(), end == VideoEnd::stopped};
    scored.scores.frames.resize(complete);
    scored.scores = reorder(std::move(scored.scores), session.libvmaf_order(options.threads));
    if (!end)
        scored.failure = end.error();
    return scored;
}

/// Without a model and a feature nothing is scored, but the videos are read to their end.
Result<Scored> read_videos(OpenedVideos &videos) {
    while (TRY(videos.pairs->read())) {
    }
    return Scored{};
}

Result<Scored> score(const Options &options, OpenedVideos &videos, const ExecutionHandle &execution) {
    if (scores_nothing(options))
        return read_videos(videos);
    const VideoFormat format = videos.pairs->format();
    ScoringOptions scoring = TRY(register_requests(options));
    scoring.chroma_edge = ChromaEdge::present;
    const StatedScoring stated = TRY(state_facts(scoring, facts_of(videos), format.height));
    for (const std::string &warning : stated.use.warnings)
        print_warning(Severity::warning, warning);
    Session session = TRY(Session::create(format, stated.scoring, execution));
    for (const std::string &notice : session.execution().notices)
        print_warning(Severity::warning, notice);
    return score_session(options, videos, session);
}

/// On a terminal libvmaf's program shows the mean of every model.
bool shows_means(const Options &options) {
    return on_terminal() && !options.no_prediction && !(options.quiet && options.write_output);
}

void show_means(const Options &options, const ScoreTable &scores) {
    for (const ModelRequest &model : options.models) {
        const auto column = std::ranges::find(scores.names, model.name) - scores.names.begin();
        tool::print_error("{}: {:.6f}\n", model.path.empty() ? model.version : model.path,
                          pool_column(scores, static_cast<std::size_t>(column)).mean);
    }
}

/// As in libvmaf's program, the report may replace any file; but none that the run reads.
Result<std::optional<ReportFile>> open_report(const Options &options) {
    if (!options.write_output)
        return std::nullopt;
    return TRY(ReportFile::create(options.output, {input_files(options.videos, options.models), true}));
}

/// Writes the report of a run that ended early, which `end` names.
Result<void> write_partial(ReportFile &file, const Report &report, ReportFormat format, std::string_view end) {
    const std::string kept = TRY(file.commit_partial(write_report(report, format, Precision::legacy)));
    tool::print_error("vmaf: {}: the scores of the frames before that are in {}\n", end,
                      kept.empty() ? "the report" : kept);
    return {};
}

/// Writes the report. Where that fails, the means of the models are shown.
Result<void> write(ReportFile &file, const Report &report, const Options &options) {
    const Result<void> written = file.commit(write_report(report, options.report_format, Precision::legacy));
    if (!written && !shows_means(options) && !options.no_prediction)
        show_means(options, report.scores);
    return written;
}

} // namespace

std::string version_text() { return fmt::format("{}+isovmaf.{}", libvmaf_release, version()); }

Result<ExecutionHandle> start_opening(const Options &options) {
    const bool device = options.use_gpu && !scores_nothing(options);
    return open_execution({.backend = device ? "auto" : "cpu", .threads = std::max(1, options.threads)});
}

Result<bool> run(const Options &options, const ExecutionHandle &execution) {
    OpenedVideos videos = TRY(open_videos(options.request, print_warning));
    std::optional<ReportFile> file = TRY(open_report(options));

    Scored scored = TRY(score(options, videos, execution));
    if (!scored.interrupted && !scored.failure && shows_means(options))
        show_means(options, scored.scores);
    Report report;
    report.layout = ReportLayout::libvmaf;
    report.version = version_text();
    report.reference.format = videos.pairs->format();
    report.fps = scored.fps;
    report.scores = std::move(scored.scores);
    report.incomplete = scored.interrupted || scored.failure;
    if (scored.failure) {
        if (file && file->has_partial_name() && !report.scores.frames.empty())
            TRY(write_partial(*file, report, options.report_format, "failed"));
        return tl::unexpected(*scored.failure);
    }
    if (file)
        TRY(report.incomplete ? write_partial(*file, report, options.report_format, "interrupted")
                              : write(*file, report, options));
    return scored.interrupted;
}

} // namespace isovmaf::vmaf
