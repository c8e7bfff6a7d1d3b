// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/video_run.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/clock.hpp"
#include "base/try.hpp"
#include "engine/frame_maps.hpp"
#include "engine/plan/bind_models.hpp"
#include "execution/execution.hpp"
#include "frame/thumbnail.hpp"
#include "input/libav/video_bytes.hpp"
#include "request/model_warnings.hpp"
#include "run/part_plan.hpp"
#include "run/video_facts.hpp"
#include "run_report/run_report.hpp"
#include "tools/isovmaf/score/score_places.hpp"
#include "tools/isovmaf/score/score_report.hpp"

namespace isovmaf::tool {

namespace {

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
                                          const OpenedVideos &videos, std::optional<std::int64_t> expected_pairs,
                                          double video_rate, std::size_t column) {
    constexpr std::size_t default_count = 8, most = 50;
    constexpr std::int64_t default_distance = 12; // half a second of many videos
    WorstFrames::Options options;
    options.column = column;
    options.count = arguments.worst > 0 ? std::min(static_cast<std::size_t>(arguments.worst), most) : default_count;
    options.distance = video_rate > 0 ? std::max<std::int64_t>(1, std::llround(video_rate / 2)) : default_distance;
    if (expected_pairs) // a short clip fills the list, too
        options.distance = std::clamp<std::int64_t>(*expected_pairs / static_cast<std::int64_t>(2 * options.count), 1,
                                                    options.distance);
    options.subsample = job.scoring.subsample;
    const ColourDescription &reference = videos.reference.colour, &distorted = videos.distorted.colour;
    options.reference = picture_colour(reference, distorted, job.videos.reference);
    options.distorted = picture_colour(distorted, reference, job.videos.distorted);
    return options;
}

// What is chosen for videos that a device decodes (docs/adr/0092). Another decoder is worth its start from so many
// frames on.
constexpr std::int64_t most_decoders = 4, frames_of_a_decoder = 240;

constexpr std::string_view part_advice = "give one --device, and --decoders 1";

tl::unexpected<Error> refuse_parts(const Error &why) {
    return fail(why.code, fmt::format("{}: {}", why.message, part_advice));
}

/// The line above texts that do not say what they are about.
std::string heading_of(const NoticeLog &notices) { return notices.about().empty() ? "" : notices.about() + '\n'; }

} // namespace

Result<std::unique_ptr<VideoRun>> VideoRun::open(const ScoreArguments &arguments, const ScoreRequest &job,
                                                 std::unique_ptr<FrameSource> reference, const RunPlaces &where,
                                                 NoticeLog &notices, bool for_page) {
    const std::vector<PartPlace> &places = where.places;
    std::unique_ptr<VideoRun> run(new VideoRun(arguments, job, where, notices));
    run->chooses_decoders_ = !where.shared && arguments.decoders == 0 && job.videos.hwaccel != HardwareDecoding::none;
    run->may_stay_whole_ = run->chooses_decoders_
                               ? places.size() == 1
                               : arguments.decoders <= 1 && job.videos.hwaccel == HardwareDecoding::none;
    const int decoders = run->chooses_decoders_ ? int{most_decoders} : std::max(1, arguments.decoders);
    std::vector<PartPlace> workers = where.shared ? places : place_part_workers(places, decoders);
    TRY(run->open_pair(std::move(reference), workers.size()));
    if (run->chooses_decoders_)
        workers.resize(places.size() * run->choose_decoders(places.size()));
    {
        const StageClock clock(run->times_.session);
        TRY(run->cut(std::move(workers)));
        TRY(run->open_workers());
        TRY(run->describe_workers());
    }
    if (for_page)
        TRY(run->watch_worst_frames());
    return run;
}

VideoRun::VideoRun(const ScoreArguments &arguments, const ScoreRequest &job, const RunPlaces &where, NoticeLog &notices)
    : arguments_(arguments), job_(job), where_(where), notices_(notices),
      indexes_([this] { return cancelled_.load(); }, FrameIndexes::FirstFrames::readers) {}

/// Opens both videos. Where there are several workers, they are opened for one of them.
Result<void> VideoRun::open_pair(std::unique_ptr<FrameSource> reference, std::size_t workers) {
    const LogSink log = [this, said = notices_.sink()](Severity severity, std::string_view sentence) {
        if (!warns_with_parts_)
            said(severity, sentence);
    };
    request_ = job_.videos;
    request_.readers = readers_of(job_.scoring);
    if (workers > 1)
        request_.indexes = &indexes_;
    VideoRequest request = workers > 1 ? request_of_part(request_, workers, 0) : request_;
    if (chooses_decoders_ || may_stay_whole_)
        request.decode_threads = 0; // there may be one worker
    Result<OpenedVideos> opened = [&] {
        const StageClock clock(times_.videos);
        return reference ? open_videos(request, std::move(reference), log) : open_videos(request, log);
    }();
    if (!opened && opened.error().code == ErrorCode::invalid_argument) // a wrong size in a file's header is no mistake
        opened.error().code = ErrorCode::corrupt_data;                 // of the command line
    if (!opened)
        return tl::unexpected(opened.error());
    if (!opened->same_file.empty())
        log(Severity::info, opened->same_file);
    videos_ = *std::move(opened);
    format_ = videos_.pairs->format();
    expected_pairs_ = videos_.pairs->expected_pairs();
    const StatedScoring stated = TRY(state_facts(job_.scoring, facts_of(videos_), format_.height));
    scoring_ = stated.scoring;
    of_facts_ = TRY(warn_of_facts(stated.use, arguments_.strict, log));
    report_ = describe_run(arguments_, job_, videos_, stated.use);
    doctor_.emplace(arguments_.align_range, videos_);
    return {};
}

Result<void> VideoRun::describe_workers() {
    TRY(check_limits_of_run());
    if (job_.per)
        TRY(check_spans(report_, scores(), *job_.per));
    if (is_whole() || arguments_.verbose) { // of several, one begins while others still open
        const std::vector<Execution> executions = this->executions();
        said_ = join_executions(executions).notices;
        for (const std::string &notice : said_)
            warn(notices_.sink(), notice);
        if (arguments_.verbose)
            for (const Execution &execution : executions)
                write_error(heading_of(notices_) + describe_place(execution));
    }
    const std::size_t first_model = parts_->feature_score_count();
    main_score_ = first_model < scores().names.size() ? first_model : 0;
    listed_ = worst_frames_options(arguments_, job_, videos_, expected_pairs_, report_.video_rate, main_score_);
    return {};
}

/// Before anything is scored: whether the limits are about scores that the run and the stored reports have.
Result<void> VideoRun::check_limits_of_run() {
    const RunColumns run{report_, scores(), parts_->aggregate_names(), parts_->feature_score_count(), job_.scoring};
    TRY(check_limit_names(job_.limits, {run.scores.names, run.aggregates}));
    TRY(check_baseline_names(job_.baselines, run));
    for (const Baseline &baseline : job_.baselines)
        compared_.push_back(TRY(compared_scores(baseline, run, notices_.sink())));
    return {};
}

std::vector<LimitCheck> VideoRun::judge_limits(const ScoreTable &scores) const {
    std::vector<LimitCheck> checks = check_limits(job_.limits, scores, main_score_);
    for (std::size_t i = 0; i < job_.baselines.size(); i++)
        std::ranges::move(check_baseline(job_.baselines[i], compared_[i], scores), std::back_inserter(checks));
    return checks;
}

/// How many decoders each of so many devices has.
std::size_t VideoRun::choose_decoders(std::size_t devices) const {
    const std::int64_t frames = expected_pairs_.value_or(most_decoders * frames_of_a_decoder);
    const std::int64_t worth = frames / static_cast<std::int64_t>(devices) / frames_of_a_decoder;
    return static_cast<std::size_t>(std::clamp(worth, std::int64_t{1}, most_decoders));
}

/// Cuts the videos into parts where there are several workers, unless they are too short. Else they stay whole: one
/// worker has all devices then, to which frames are dealt.
Result<void> VideoRun::cut(std::vector<PartPlace> workers) {
    places_ = std::move(workers);
    if (is_whole())
        return {};
    const Result<void> can_be_cut = check_cut();
    if (may_stay_whole_ && !can_be_cut) {
        places_.resize(1);
        if (where_.places.size() > 1)
            places_ = {join_places(where_.places)};
        return {};
    }
    TRY(can_be_cut);
    if (!has_coded_side(videos_)) {
        plan_ = TRY(plan_parts());
        places_.resize(plan_->usable_workers(places_.size()));
    }
    return {};
}

/// With one device the videos may stay whole, too, after the whole index was read; several would stand still then.
Result<void> VideoRun::check_cut() const {
    TRY(refuse_maps(job_.scoring, fmt::format("parts of videos write no maps: {}", part_advice)));
    Result<void> can_be_cut = check_parts(request_, videos_);
    if (can_be_cut && may_stay_whole_ && where_.places.size() > 1)
        can_be_cut = check_starts(request_, videos_);
    return can_be_cut ? can_be_cut : refuse_parts(can_be_cut.error());
}

/// One worker goes on with the reader that is there. Where there are several, that may be needed to judge a range.
Result<void> VideoRun::open_workers() {
    if (is_whole()) {
        plan_ = uncut_plan();
        if (!where_.one_of_several)
            places_.front().label.clear(); // failures need not name the one place there is
    }
    const bool handed_on = is_whole() || !videos_.pairs->doubts_range();
    warns_with_parts_ = handed_on && !is_whole();
    parts_ = TRY(PartedVideo::create(request_, format_, scoring_, places_,
                                     handed_on ? std::move(videos_.pairs) : nullptr, videos_.log));
    return is_whole() ? parts_->wait_until_open() : Result<void>();
}

/// Reads both files where they are coded, while the first worker begins.
Result<PartPlan> VideoRun::plan_parts() {
    const Result<PartPlan> plan = isovmaf::plan_parts(request_, videos_, arguments_.part_frames);
    if (!plan && may_stay_whole_ && where_.places.size() == 1 && plan.error().code == ErrorCode::unsupported)
        return uncut_plan();
    if (!plan)
        return refuse_parts(plan.error());
    const std::size_t wanted = places_.size(), usable = plan->usable_workers(wanted);
    if (usable < wanted && !chooses_decoders_)
        notices_.add(
            Severity::info,
            fmt::format("the videos have frames for {} of {} devices and decoders: a part has at least {} frames",
                        usable, wanted, least_part_frames));
    return plan;
}

/// Of each device.
std::vector<Execution> VideoRun::executions() const { return executions_of_devices(parts_->executions(), places_); }

void VideoRun::cancel() {
    cancelled_ = true;
    if (videos_.pairs)
        videos_.pairs->cancel();
    if (parts_)
        parts_->cancel();
}

Result<void> VideoRun::watch_worst_frames() {
    if (std::shared_ptr<FrameMaps> maps = TRY(FrameMaps::create(format_, scoring_))) {
        map_feature_ = maps->feature();
        listed_.maps = [maps](const FramePair &pair) { return maps->extract(pair); };
    }
    worst_.emplace(listed_);
    return {};
}

Progress VideoRun::make_progress(ProgressStyle style) const {
    const std::vector<std::string> &names = scores().names;
    const std::size_t shown = std::min(parts_->feature_score_count(), names.size() - 1);
    const std::string &about = notices_.about();
    return {style, expected_pairs(), about.empty() ? names[shown] : fmt::format("{}  {}", about, names[shown]), shown,
            progress_interval(arguments_)};
}

void VideoRun::close() {
    parts_->close();
    videos_.pairs.reset();
}

Result<bool> VideoRun::score(const InterruptGuard &guard, Progress &progress, const std::function<void()> &pushed) {
    const StageClock clock(times_.scoring);
    const auto scored = [&](const FrameScores &scores) {
        scored_++;
        progress.scored(scores);
        const std::lock_guard lock(worst_mutex_);
        if (worst_)
            worst_->scored(scores);
    };
    const auto pushed_one = [&] {
        progress.pushed();
        pushed();
    };
    const ScoreObserver observer{.pushed = pushed_one, .scored = scored, .stop = [&] { return guard.interrupted(); }};
    const InterruptWatch watch(guard, [&] { cancel(); });
    const Result<VideoEnd> end = score(observer);
    if (!end) {
        failure_ = end.error();
        return tl::unexpected(end.error());
    }
    return *end == VideoEnd::stopped;
}

Result<VideoEnd> VideoRun::score(const ScoreObserver &observer) {
    if (videos_.pairs)
        TRY(judge_range(observer.stop));
    PartObserver watching{.pushed = observer.pushed,
                          .seen = [&](const PairThumbnails &pair) { doctor_->see(pair); },
                          .scored = observer.scored,
                          .stop = observer.stop};
    if (worst_ && is_whole())
        watching.watched = [&](const FramePair &pair) {
            const std::lock_guard lock(worst_mutex_);
            worst_->pushed(pair);
        };
    if (!is_whole())
        watching.warned = [&](const PairWarning &warning) { warn(notices_.sink(), warning.sentence); };
    const Result<VideoEnd> end = parts_->run([&] { return plan_ ? *plan_ : plan_parts(); }, watching);
    std::tie(videos_.reference.decoder, videos_.distorted.decoder) = parts_->decoders();
    if (end && worst_ && !is_whole())
        worst_->read_pairs([this](std::int64_t frame) { return read_pair(frame); });
    return end;
}

/// Whether a video without a range is limited is told by pictures of its first minute, for which no part is long
/// enough.
Result<void> VideoRun::judge_range(const std::function<bool()> &stop) {
    while (videos_.pairs->doubts_range() && !stop()) {
        const Result<std::optional<FramePair>> pair = videos_.pairs->read();
        if (!pair && !stop())
            return tl::unexpected(pair.error());
        if (!pair || !*pair)
            break;
    }
    parts_->know(*videos_.pairs);
    return {};
}

Result<FramePair> VideoRun::read_pair(std::int64_t frame) const {
    VideoRequest request = request_;
    request.pair.first_pair = frame;
    const OpenedVideos videos = TRY(open_videos(request, {}));
    std::optional<FramePair> pair = TRY(videos.pairs->read());
    if (!pair)
        return fail(ErrorCode::io, fmt::format("frame {} is not there any more", frame));
    return *std::move(pair);
}

/// What small pictures say about the pairing goes into the report, as warnings where they disagree with it.
Result<void> VideoRun::judge_alignment(const LogSink &log) {
    const AlignmentFinding finding = doctor_->find();
    const PairOptions &pair = job_.videos.pair;
    std::string &hint = report_.sync.hint;
    if (!finding.aligned()) {
        std::optional<SampledMeans> means;
        if (arguments_.align && finding.parts.front().offset != 0)
            means = measure_gain(job_, scoring_, where_.places.front().execution, scores(), main_score_,
                                 doctor_->shifted(finding, pair));
        hint = doctor_->hint(finding, pair, means);
    } else if (arguments_.align)
        hint = fmt::format("no offset within +-{} frames fits clearly better than the one of this run",
                           arguments_.align_range);
    for (PairWarning &warning : alignment_warnings(finding, hint, videos_.start_difference)) {
        if (arguments_.strict)
            return fail(ErrorCode::mismatch, warning.sentence);
        if (warning.kind != PairWarning::alignment) // printed as a hint
            warn(log, warning.sentence);
        report_.warnings.push_back(std::move(warning));
    }
    return {};
}

/// Reads the distorted video once more, without decoding it.
void VideoRun::measure_bytes(const LogSink &log) {
    const SourceInfo &video = videos_.distorted;
    const auto measured = measure_video_bytes(job_.videos.distorted.path, video.stream, is_coded(video));
    if (!measured)
        return warn(log, fmt::format("the bit rate is unknown: {}", measured.error().message));
    if (*measured) {
        report_.distorted.bytes = (*measured)->file;
        report_.distorted.bit_rate = (*measured)->bit_rate;
    }
}

Result<ScoredVideo> VideoRun::finish(RunEnd end, const Progress &progress) {
    close();
    report_.warnings = parts_->warnings();
    add_warnings(report_.warnings, of_facts_);
    for (const PairWarning &note : parts_->notes())
        report_.notes.push_back(note.sentence);
    const LogSink log = notices_.sink();
    describe_sync(parts_->sync(), report_);
    if (const std::string unpaired = unpaired_text(parts_->sync()); !unpaired.empty())
        log(Severity::info, unpaired);
    if (end == RunEnd::failed)
        report_.notes.push_back(fmt::format("the run failed, and the report ends before that: {}", failure_->message));
    else
        TRY(judge_alignment(log));
    add_warnings(report_.warnings, model_warnings(job_.scoring.models, format_, rate_of_pairs(videos_)));
    report_.scores = scores();
    report_.scores.frames.resize(scored_); // those behind lack scores where a device failed
    report_.incomplete = end != RunEnd::complete;
    const std::vector<Execution> executions = this->executions();
    report_.execution = join_executions(executions);
    if (executions.size() > 1)
        report_.devices = executions;
    report_.reference.decoder = videos_.reference.decoder;
    report_.distorted.decoder = videos_.distorted.decoder;
    for (const std::string &notice : report_.execution.notices)
        if (std::ranges::count(said_, notice) == 0)
            warn(log, notice);
    if (arguments_.table || (arguments_.html && arguments_.distorted_videos.size() > 1))
        measure_bytes(log);
    report_.timing = arguments_.timing;
    report_.fps = arguments_.timing ? progress.frames_per_second() : 0;
    if (arguments_.verbose) {
        std::string text = heading_of(notices_) + describe_decoders(report_);
        for (const Execution &execution : executions)
            text += describe_work(execution);
        write_error(text);
    }
    if (arguments_.stats) {
        report_.stats = make_stats(times_, videos_, *parts_, places_);
        write_error(heading_of(notices_) + stats_text(*report_.stats) + '\n');
    }
    ScoredVideo video{.report = std::move(report_), .first_model = parts_->feature_score_count()};
    video.worst_distance = listed_.distance;
    if (worst_)
        video.worst = worst_->finish(log);
    if (arguments_.worst > 0) {
        WorstFrames::Options options = listed_;
        options.count = static_cast<std::size_t>(arguments_.worst);
        video.listed_worst = find_worst_frames(video.report.scores, std::move(options));
    }
    video.map_feature = map_feature_;
    if (job_.per) {
        Result<std::vector<ScoreSpan>> spans = cut_into_spans(video.report, *job_.per);
        if (spans)
            video.spans = *std::move(spans);
        else
            video.span_failure = spans.error();
    }
    if (end == RunEnd::complete)
        video.limits = judge_limits(video.report.scores);
    if (const std::string &hint = video.report.sync.hint; !hint.empty())
        video.hints.push_back("hint: " + hint);
    for (const PairWarning &warning : video.report.warnings)
        if (warning.kind == PairWarning::model)
            video.hints.push_back("hint: " + warning.sentence);
    return video;
}

} // namespace isovmaf::tool
