// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "video_run.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "engine/guarded.hpp"
#include "request/model_warnings.hpp"
#include "run_report/run_report.hpp"

namespace isovmaf::python {

VideoRun::VideoRun(VideoJob job)
    : job_(std::move(job)),
      pipes_(std::make_shared<PipeGroup>(std::vector{job_.videos.reference.path, job_.videos.distorted.path})),
      thread_([this] { promise_.set_value(run()); }) {}

VideoRun::~VideoRun() {
    if (!creator_.is_current()) {
        new std::thread(std::move(thread_)); // never destroyed: it is not in this process
        return;
    }
    stopped_ = true;
    pipes_->cancel();
    {
        const std::lock_guard lock(mutex_);
        if (pairs_)
            pairs_->cancel();
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
    Result<VideoScores> scores;
    const Result<void> done = guarded([&]() -> Result<void> {
        VideoRequest request = job_.videos;
        request.pipes = pipes_;
        OpenedVideos videos =
            TRY(open_videos(request, [this](Severity severity, std::string_view text) { log(severity, text); }));
        {
            const std::lock_guard lock(mutex_);
            pairs_ = videos.pairs.get();
            if (const auto pairs = videos.pairs->expected_pairs())
                expected_ = (*pairs + job_.scoring.subsample - 1) / std::max(job_.scoring.subsample, 1);
        }
        scores = score(videos);
        const std::lock_guard lock(mutex_);
        pairs_ = nullptr;
        if (scores)
            scores->notes = std::move(notes_);
        return {};
    });
    return done ? std::move(scores) : tl::unexpected(done.error());
}

Result<VideoScores> VideoRun::score(OpenedVideos &videos) {
    for (const std::string &note : videos.notes)
        log(Severity::info, note);
    Session session = TRY(Session::create({videos.pairs->format(), job_.scoring, job_.execution}));
    for (const std::string &notice : session.execution().notices)
        log(Severity::warning, notice);
    const auto scored = [this](const FrameScores &) { scored_++; };
    AlignmentDoctor doctor(AlignmentDoctor::usual_range, videos);
    const VideoEnd end =
        TRY(score_opened_videos(videos, session, {.scored = scored, .stop = [this] { return stopped_.load(); }},
                                {.seen = [&](const PairThumbnails &pair) { doctor.see(pair); }}));
    if (end == VideoEnd::stopped)
        return fail(ErrorCode::interrupted, "scoring was interrupted");
    const std::vector<PairWarning> notes = videos.pairs->notes();
    for (const PairWarning &note : notes)
        log(Severity::info, note.sentence);
    Report report = describe_run(job_.asked, job_, videos);
    describe_sync(videos.pairs->sync(), report);
    for (const PairWarning &note : notes)
        report.notes.push_back(note.sentence);
    report.warnings = videos.pairs->warnings();
    TRY(judge_alignment(doctor, videos, report));
    const std::vector<PairWarning> of_models =
        model_warnings(job_.scoring.models, videos.pairs->format(), rate_of_pairs(videos));
    for (const PairWarning &warning : of_models)
        log(Severity::warning, warning.sentence);
    add_warnings(report.warnings, of_models);
    return collect_scores(session, std::move(report));
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
