// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_extractor.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "batch/manifest/row.hpp"
#include "batch/work/unit.hpp"
#include "execution/execution.hpp"

namespace isovmaf::batch {

namespace {

Result<OpenedVideos> open_pair(const PairJob &job, std::int64_t skip, const LogSink &log) {
    return open_videos(videos_from(job, skip), log);
}

/// Adds the time that opening takes to `seconds`.
Result<OpenedVideos> open_timed(const PairJob &job, std::int64_t skip, const LogSink &log, double &seconds) {
    const StageClock clock(seconds);
    return open_pair(job, skip, log);
}

/// Whether the video has at most `frames` frames, and nothing is wrong with it.
Result<bool> ends_by(const PairJob &job, std::int64_t frames, const std::function<bool()> &cancelled, double &seconds) {
    const StageClock clock(seconds);
    const OpenedVideos opened = TRY(open_pair(job, 0, {}));
    for (std::int64_t n = 0; n <= frames; n++) {
        if (cancelled())
            return fail(ErrorCode::interrupted, "the work was interrupted");
        if (!TRY(opened.pairs->read()))
            return true;
    }
    return false;
}

} // namespace

UnitExtractor::OpenedUnit UnitExtractor::make_unit(OpenedVideos opened, const FrameRange &frames) {
    OpenedUnit unit{.start_difference = opened.start_difference, .rate = rate_of_pairs(opened)};
    unit.doctor =
        std::make_unique<AlignmentDoctor>(AlignmentDoctor::usual_range, opened, static_cast<std::size_t>(frames.first));
    unit.pairs = std::move(opened.pairs);
    return unit;
}

/// What is known of a unit that was read to its end. Fails when a warning about its alignment is an error.
Result<UnitExtractor::Extracted> UnitExtractor::extracted_of(const Request &request, OpenedUnit &unit) {
    if (!unit.piece.words)
        return Extracted(); // the unit with the last frame has seen the end, too
    const VideoRequest &asked = request.job.videos;
    const auto hidden = [&](std::string sentence) {
        return hide_names(std::move(sentence), display_name(asked.reference.path), display_name(asked.distorted.path));
    };
    Extracted extracted{
        .words = std::move(unit.piece.words), .warnings = std::move(unit.piece.warnings), .rate = unit.rate};
    if (request.frames.first > 0 || request.frames.end) {
        extracted.pictures = unit.doctor->encode();
        extracted.start_difference = hidden(unit.start_difference);
    } else {
        for (PairWarning &warning : unit.doctor->warnings(asked.pair, unit.start_difference)) {
            if (asked.pair.strict)
                return fail(ErrorCode::mismatch, warning.sentence);
            warn(request.log, warning.sentence);
            extracted.warnings.push_back(std::move(warning));
        }
    }
    for (PairWarning &warning : extracted.warnings)
        warning.sentence = hidden(std::move(warning.sentence));
    return extracted;
}

std::optional<std::int64_t> count_frames(const PairJob &job) {
    if (job.videos.pair.strict)
        return std::nullopt;
    const Result<OpenedVideos> opened = open_pair(job, 0, {});
    if (!opened || opened->pairs->sync().mode != SyncMode::index)
        return std::nullopt;
    return opened->pairs->expected_pairs();
}

Result<UnitExtractor::Extracted> UnitExtractor::extract(const Request &request, StageTimes &times) {
    if (std::optional<Extracted> prepared = take_prepared(request.key, times))
        return *std::move(prepared);
    if (request.cancelled()) // others of a group may wait behind this unit: nothing is opened for it
        return fail(ErrorCode::interrupted, "the work was interrupted");
    const PairJob &job = request.job;
    const std::int64_t start = first_opened_frame(request.frames);
    if (job.videos.pair.frame_count && *job.videos.pair.frame_count <= start)
        return Extracted();
    TRY(open(job.execution, job.videos.hwaccel)); // beside the videos
    OpenedVideos opened = TRY(open_timed(job, start, request.log, times.decode));
    OpenedGroup alone{.format = opened.pairs->format()};
    alone.units.push_back(make_unit(std::move(opened), request.frames));
    const Result<void> done = extract_opened({&request, 1}, alone, times);
    if (done)
        return extracted_of(request, alone.units.front());
    // A video that ends before its first pair is an error, also when it has fewer frames than its file says.
    if (start > 0 && done.error().code == ErrorCode::corrupt_data && worker_->frame_to_read() == start &&
        TRY(ends_by(job, start, request.cancelled, times.decode)))
        return Extracted();
    return tl::unexpected(done.error());
}

/// Extracts units that are read side by side, or one alone.
Result<void> UnitExtractor::extract_opened(Requests requests, OpenedGroup &group, StageTimes &times) {
    const Request &first = requests.front();
    std::vector<OpenedUnit> &units = group.units;
    Result<FrameNeeds> needs = worker_->prepare({.scoring = first.job.scoring,
                                                 .format = group.format,
                                                 .members = units.size(),
                                                 .key = first.session_key,
                                                 .first_frame = first.frames.first},
                                                first.log);
    if (!needs)
        return close_after(needs.error());
    // What one pair wants of the shared reference is what all want, but for pairs that convert it.
    if (group.converts)
        needs->planes = FrameNeeds().planes;
    PairWorker::Readers pairs;
    for (OpenedUnit &unit : units) {
        if (unit.pairs)
            TRY(unit.pairs->start(*needs));
        pairs.push_back(std::move(unit.pairs));
    }
    const Result<void> done = worker_->extract(
        std::move(pairs), first.frames,
        {.seen = [&](std::size_t member, const PairThumbnails &pair) { units[member].doctor->see(pair); },
         .extracted = [&](std::size_t member, PartPiece piece) { units[member].piece = std::move(piece); },
         .cancelled = first.cancelled});
    times.decode += worker_->part_times().loop.reading;
    times.kernels += worker_->part_times().loop.pushing;
    times.upload += worker_->part_times().upload;
    return done ? done : close_after(done.error());
}

/// Starts to open the device, unless it is open.
Result<void> UnitExtractor::open(const ExecutionOptions &options, HardwareDecoding hwaccel) {
    if (!worker_ || worker_->place().execution->options() != options)
        start_worker(TRY(SharedExecution::open(options, backends_)), hwaccel, {});
    return {};
}

void UnitExtractor::start_worker(ExecutionHandle execution, HardwareDecoding hwaccel,
                                 std::optional<Decoding> decoding) {
    const ExecutionOptions &options = execution->options();
    const ThreadDemand demand{.threads = options.threads};
    worker_ = std::make_unique<PairWorker>(PartPlace{.execution = execution, .decoding = std::move(decoding)}, hwaccel,
                                           demand, log_);
}

Result<void> UnitExtractor::open_device(const ExecutionOptions &options, HardwareDecoding hwaccel, const LogSink &log) {
    log_ = log;
    TRY(open(options, hwaccel));
    const ExecutionHandle execution = worker_->place().execution;
    const Result<OpenedDevices> opened = execution->opened();
    if (!opened) {
        worker_ = nullptr;
        return tl::unexpected(unusable_place(opened.error()));
    }
    if (worker_->place().decoding)
        return {};
    const DeviceHandle device = opened->devices.empty() ? nullptr : opened->devices.front().device;
    Result<Decoding> decoding = find_decoding_(hwaccel, device, log);
    if (!decoding)
        return tl::unexpected(unusable_place(decoding.error()));
    start_worker(execution, hwaccel, *std::move(decoding));
    return {};
}

/// After a failure that may be the device's, or a bug, which may leave it in any state, the next unit opens it again.
tl::unexpected<Error> UnitExtractor::close_after(const Error &error) {
    if (may_blame_device(error.code) || origin_of(error.code) == ErrorOrigin::program)
        worker_ = nullptr;
    return tl::unexpected(error);
}

Error unusable_place(Error error) {
    if (!may_blame_device(error.code))
        error.code = ErrorCode::unavailable;
    return error;
}

} // namespace isovmaf::batch
