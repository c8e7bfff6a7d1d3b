// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "video_run.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/float_environment.hpp"
#include "base/try.hpp"
#include "engine/guarded.hpp"
#include "request/model_warnings.hpp"
#include "run/video_facts.hpp"
#include "run_report/run_report.hpp"

namespace isovmaf::python {

VideoRun::VideoRun(VideoJob job)
    : job_(std::move(job)),
      pipes_(std::make_shared<PipeGroup>(std::vector{job_.videos.reference.path, job_.videos.distorted.path})),
      thread_([this] { promise_.set_value(run()); }) {}

VideoRun::~VideoRun() {
    if (!creator_.is_current()) {
        new std::thread(std::move(thread_)); // never destroyed, as the threads are not in this process
        (void)video_.release();
        return;
    }
    stopped_ = true;
    pipes_->cancel();
    {
        const std::lock_guard lock(mutex_);
        if (video_)
            video_->cancel();
    }
    thread_.join();
}

bool VideoRun::wait(std::chrono::milliseconds time) const {
    return result_.wait_for(time) == std::future_status::ready;
}

std::optional<std::int64_t> VideoRun::expected() const {
    const std::lock_guard lock(mutex_);
    return expected_;
}

std::vector<std::string> VideoRun::take_warnings() {
    const std::lock_guard lock(mutex_);
    return std::exchange(warnings_, {});
}

void VideoRun::log(Severity severity, std::string_view sentence) {
    const std::lock_guard lock(mutex_);
    (severity == Severity::warning ? warnings_ : notes_).emplace_back(sentence);
}

Result<VideoScores> VideoRun::run() {
    const FloatEnvironment floats; // threads that begin here have it too
    return guarded([&]() -> Result<VideoScores> {
        TRY(settle_job(job_));
        VideoRequest request = job_.videos;
        request.pipes = pipes_;
        OpenedVideos videos =
            TRY(open_videos(request, [this](Severity severity, std::string_view text) { log(severity, text); }));
        for (const std::string &note : videos.notes)
            log(Severity::info, note);
        AlignmentDoctor doctor(AlignmentDoctor::usual_range, videos);
        const StatedScoring stated = TRY(state_facts(job_.scoring, facts_of(videos), videos.pairs->format().height));
        Report report = describe_run(job_.asked, job_, videos, stated.use);
        report.warnings = TRY(warn_of_facts(stated.use, request.pair.strict,
                                            [this](Severity severity, std::string_view text) { log(severity, text); }));
        TRY(open_video(request, stated.scoring, videos));
        VideoScores scores = TRY(score(videos, doctor, std::move(report)));
        const std::lock_guard lock(mutex_);
        scores.notes = std::move(notes_);
        return scores;
    });
}

/// One worker reads the videos from start to end.
Result<void> VideoRun::open_video(const VideoRequest &request, const ScoringOptions &scoring, OpenedVideos &videos) {
    format_ = videos.pairs->format();
    const std::optional<std::int64_t> pairs = videos.pairs->expected_pairs();
    const PartPlace place{.execution = TRY(open_execution(job_.execution)), .label = ""};
    auto video = TRY(PartedVideo::create(request, format_, scoring, {place}, std::move(videos.pairs), videos.log));
    TRY(video->wait_until_open());
    for (const std::string &notice : video->executions().front().notices)
        log(Severity::warning, notice);
    const std::lock_guard lock(mutex_);
    video_ = std::move(video);
    if (pairs)
        expected_ = (*pairs + job_.scoring.subsample - 1) / std::max(job_.scoring.subsample, 1);
    return {};
}

Result<VideoScores> VideoRun::score(const OpenedVideos &videos, AlignmentDoctor &doctor, Report report) {
    const VideoEnd end = TRY(video_->run(uncut_plan, {.seen = [&](const PairThumbnails &pair) { doctor.see(pair); },
                                                      .scored = [this](const FrameScores &) { scored_++; },
                                                      .stop = [this] { return stopped_.load(); }}));
    if (end == VideoEnd::stopped)
        return fail(ErrorCode::interrupted, "scoring was interrupted");
    std::tie(report.reference.decoder, report.distorted.decoder) = video_->decoders();
    for (const PairWarning &note : video_->notes())
        log(Severity::info, note.sentence);
    describe_sync(video_->sync(), report);
    for (const PairWarning &note : video_->notes())
        report.notes.push_back(note.sentence);
    const std::vector<PairWarning> of_facts = std::exchange(report.warnings, video_->warnings());
    add_warnings(report.warnings, of_facts);
    TRY(judge_alignment(doctor, videos, report));
    const std::vector<PairWarning> of_models = model_warnings(job_.scoring.models, format_, rate_of_pairs(videos));
    for (const PairWarning &warning : of_models)
        log(Severity::warning, warning.sentence);
    add_warnings(report.warnings, of_models);
    report.scores = video_->scores();
    report.execution = video_->executions().front();
    return VideoScores{.report = std::move(report), .first_model = video_->feature_score_count()};
}

/// Where small pictures disagree with the pairing, this is a warning, or an error if warnings are.
Result<void> VideoRun::judge_alignment(const AlignmentDoctor &doctor, const OpenedVideos &videos, Report &report) {
    const PairOptions &pair = job_.videos.pair;
    for (PairWarning &warning : doctor.warnings(pair, videos.start_difference)) {
        if (pair.strict)
            return fail(ErrorCode::mismatch, warning.sentence);
        log(Severity::warning, warning.sentence);
        if (warning.kind == PairWarning::alignment)
            report.sync.hint = warning.sentence;
        report.warnings.push_back(std::move(warning));
    }
    return {};
}

} // namespace isovmaf::python
