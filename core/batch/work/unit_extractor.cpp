// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_extractor.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.hpp"
#include "batch/manifest/row.hpp"
#include "batch/work/unit.hpp"
#include "batch/work/unit_loop.hpp"
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

/// What is known of a unit that was read to its end. Fails when a warning about its alignment is an error.
Result<UnitExtractor::Extracted> UnitExtractor::extracted_of(const Request &request, WordsFile words,
                                                             const UnitVideos &videos, std::size_t member) {
    const UnitPair &unit = videos.unit(member);
    const VideoRequest &asked = request.job.videos;
    const auto hidden = [&](std::string sentence) {
        return hide_names(std::move(sentence), display_name(asked.reference.path), display_name(asked.distorted.path));
    };
    Extracted extracted{.words = std::move(words), .warnings = videos.warnings(member), .rate = unit.rate};
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
    TRY(open(job.execution)); // beside the videos
    OpenedVideos opened = TRY(open_timed(job, start, request.log, times.decode));
    Kept kept = TRY(take(request, opened.pairs->format(), 1));
    const FrameNeeds needs = TRY(needs_of(kept, request));
    TRY(opened.pairs->start(needs));
    std::vector<UnitPair> units;
    units.push_back(make_unit_pair(std::move(opened), request.frames));
    UnitVideos videos(std::move(units), request.frames, needs.decoding.device);
    UnitWords words(kept.extraction, 1);
    const LoopObserver observer{.cancel = request.cancelled};
    FrameLoop loop(videos, words, frames_to_push(request.frames, kept.extraction), observer);
    const Result<void> done = run_unit_loop(loop, kept.extraction, times);
    if (done) {
        std::optional<WordsFile> extracted = words.take(0);
        if (!extracted)
            return Extracted(); // the unit with the last frame has seen the end, too
        keep(std::move(kept));
        return extracted_of(request, *std::move(extracted), videos, 0);
    }
    close_after(done.error());
    // A video that ends before its first pair is an error, also when it has fewer frames than its file says.
    if (start > 0 && loop.next_frame() == start && done.error().code == ErrorCode::corrupt_data &&
        TRY(ends_by(job, start, request.cancelled, times.decode)))
        return Extracted();
    return tl::unexpected(done.error());
}

/// An extraction that begins with the first frame of the unit.
Result<UnitExtractor::Kept> UnitExtractor::take(const Request &request, const VideoFormat &format,
                                                std::size_t members) {
    const auto found = std::ranges::find_if(kept_, [&](const Kept &kept) {
        return kept.session_key == request.session_key && kept.format == format && kept.members == members;
    });
    if (found != kept_.end()) {
        Kept kept = std::move(*found);
        kept_.erase(found);
        TRY(kept.extraction.restart(request.frames.first));
        return kept;
    }
    const ExecutionHandle execution = TRY(open(request.job.execution));
    const auto create = [&] {
        return SegmentExtraction::create(format, request.job.scoring, execution, request.frames.first, members);
    };
    Result<SegmentExtraction> extraction = create();
    if (!extraction && extraction.error().code == ErrorCode::out_of_memory && !kept_.empty()) {
        kept_.clear();
        extraction = create();
    }
    if (!extraction) {
        close_after(extraction.error());
        return tl::unexpected(extraction.error());
    }
    return Kept{request.session_key, format, members, *std::move(extraction)};
}

/// Starts to open the device, unless it is open.
Result<ExecutionHandle> UnitExtractor::open(const ExecutionOptions &options) {
    if (!execution_ || execution_->options() != options) {
        execution_ = TRY(SharedExecution::open(options, backends_));
        decoding_.reset();
    }
    return execution_;
}

Result<void> UnitExtractor::open_device(const ExecutionOptions &options, HardwareDecoding hwaccel, const LogSink &log) {
    const Result<OpenedDevices> opened = TRY(open(options))->opened();
    if (!opened) {
        execution_ = nullptr;
        return fail(ErrorCode::unavailable, opened.error().message);
    }
    if (decoding_)
        return {};
    log_ = log;
    const DeviceHandle device = opened->devices.empty() ? nullptr : opened->devices.front().device;
    Result<Decoding> decoding = find_decoding_(hwaccel, device, log);
    if (!decoding)
        return fail(ErrorCode::unavailable, decoding.error().message);
    decoding_ = *std::move(decoding);
    return {};
}

/// What an extraction wants of the frames of a unit. The device decodes for those that compute on it.
Result<FrameNeeds> UnitExtractor::needs_of(const Kept &kept, const Request &request) const {
    FrameNeeds needs = frame_needs(kept.extraction, request.job.execution.threads);
    if (decoding_ && kept.extraction.device()) {
        needs.decoding = *decoding_;
        needs.decoding.log = request.log;
    } else {
        needs.decoding = TRY(find_decoding_(request.job.videos.hwaccel, kept.extraction.device(), log_));
    }
    return needs;
}

/// After a failure that may be the device's, the next unit opens it again.
void UnitExtractor::close_after(const Error &error) {
    constexpr std::array of_devices{ErrorCode::out_of_memory, ErrorCode::device_lost, ErrorCode::device_failed,
                                    ErrorCode::not_executed,  ErrorCode::unavailable, ErrorCode::internal};
    if (std::ranges::find(of_devices, error.code) == of_devices.end())
        return;
    execution_ = nullptr;
    kept_.clear();
}

void UnitExtractor::keep(Kept kept) {
    constexpr std::size_t most_kept = 2; // a batch may change between two sizes; each keeps threads and memory
    kept_.push_front(std::move(kept));
    if (kept_.size() > most_kept)
        kept_.pop_back();
}

} // namespace isovmaf::batch
