// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_extractor.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "batch/manifest/row.hpp"
#include "batch/work/unit.hpp"
#include "engine/guarded.hpp"
#include "engine/plan/bind_models.hpp"
#include "execution/execution.hpp"
#include "input/libav/video_bytes.hpp"
#include "input/pair/shared_source.hpp"
#include "input/raw/planar_reader.hpp"
#include "run/alignment_doctor.hpp"
#include "run/part_plan.hpp"
#include "run/video_facts.hpp"

namespace isovmaf::batch {

namespace {

Result<OpenedVideos> open_pair(const PairJob &job, std::int64_t skip, const LogSink &log) {
    return open_videos(videos_from(job, skip), log);
}

/// Whether the video has at most `frames` frames, and nothing is wrong with it.
Result<bool> ends_by(const PairJob &job, std::int64_t frames, const std::function<bool()> &cancelled) {
    const OpenedVideos opened = TRY(open_pair(job, 0, {}));
    for (std::int64_t n = 0; n <= frames; n++) {
        if (cancelled())
            return fail(ErrorCode::interrupted, "the work was interrupted");
        if (!TRY(opened.pairs->read()))
            return true;
    }
    return false;
}

/// A unit whose videos are open, and what is found out about them. A unit without `pairs` takes no part.
struct OpenedUnit {
    std::unique_ptr<AlignmentDoctor> doctor = {};
    std::unique_ptr<PairSource> pairs = {};
    std::string start_difference = {}; ///< see OpenedVideos
    double rate = 0;                   ///< see rate_of_pairs
    int stream = 0;                    ///< of the distorted video, among its file's video streams
    bool coded = false;                ///< the distorted video is
    StatedScoring scoring = {};        ///< the job's, with what options take of the videos' facts
    PartPiece piece = {};              ///< all frames of the unit, once they are extracted
};

Result<OpenedUnit> make_unit(const PairJob &job, OpenedVideos opened, const FrameRange &frames) {
    OpenedUnit unit{.start_difference = opened.start_difference,
                    .rate = rate_of_pairs(opened),
                    .stream = opened.distorted.stream,
                    .coded = is_coded(opened.distorted),
                    .scoring = TRY(state_facts(job.scoring, facts_of(opened), opened.pairs->format().height))};
    unit.doctor =
        std::make_unique<AlignmentDoctor>(AlignmentDoctor::usual_range, opened, static_cast<std::size_t>(frames.first));
    unit.pairs = std::move(opened.pairs);
    return unit;
}

/// The bit rate of a unit's distorted video, where the unit begins with the video's first frame.
std::optional<std::int64_t> bit_rate_of(const UnitExtractor::Request &request, const OpenedUnit &unit) {
    if (request.frames.first > 0 || !unit.coded)
        return std::nullopt;
    const auto measured = measure_video_bytes(request.job.videos.distorted.path, unit.stream, true);
    return measured && *measured ? (*measured)->bit_rate : std::nullopt;
}

/// What is known of a unit that was read to its end. Fails when a warning about its alignment is an error.
Result<UnitExtractor::Extracted> extracted_of(const UnitExtractor::Request &request, OpenedUnit &unit) {
    if (!unit.piece.words)
        return UnitExtractor::Extracted(); // the unit with the last frame has seen the end, too
    const VideoRequest &asked = request.job.videos;
    const auto hidden = [&](std::string sentence) {
        return hide_names(std::move(sentence), display_name(asked.reference.path), display_name(asked.distorted.path));
    };
    UnitExtractor::Extracted extracted{.words = std::move(unit.piece.words),
                                       .warnings = std::move(unit.piece.warnings),
                                       .rate = unit.rate,
                                       .bit_rate = bit_rate_of(request, unit)};
    add_warnings(extracted.warnings, TRY(warn_of_facts(unit.scoring.use, asked.pair.strict, request.log)));
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

} // namespace

/// Units that are read side by side.
struct UnitExtractor::OpenedUnits {
    std::vector<OpenedUnit> units = {};
    VideoFormat format = {}; ///< of the pairs
    StatedScoring scoring = {};
    bool converts = false; ///< some pair scores pictures that are made from the reference's

    /// Opens every pair that can be read beside the others.
    static Result<OpenedUnits> open(Requests requests, std::unique_ptr<FrameSource> reference);
};

Result<UnitExtractor::OpenedUnits> UnitExtractor::OpenedUnits::open(Requests requests,
                                                                    std::unique_ptr<FrameSource> reference) {
    OpenedUnits group;
    group.units.resize(requests.size());
    auto references = TRY(share_source(std::move(reference), requests.size()));
    bool any = false, has_scoring = false;
    for (std::size_t m = 0; m < requests.size(); m++) {
        Result<OpenedVideos> opened = open_videos(videos_from(requests[m].job, first_opened_frame(requests[m].frames)),
                                                  std::move(references[m]), requests[m].log);
        if (!opened)
            continue;
        if (!std::exchange(any, true))
            group.format = opened->pairs->format();
        if (opened->pairs->sync().mode != SyncMode::index || opened->pairs->format() != group.format)
            continue;
        const bool converts = !opened->reference.conversions.empty();
        OpenedUnit unit = TRY(make_unit(requests[m].job, *std::move(opened), requests[m].frames));
        if (!has_scoring)
            group.scoring = unit.scoring;
        else if (unit.scoring.key() != group.scoring.key()) // one extraction takes one value of each fact
            continue;
        has_scoring = true;
        group.converts = group.converts || converts;
        group.units[m] = std::move(unit);
    }
    if (std::ranges::none_of(group.units, [](const OpenedUnit &unit) { return unit.pairs != nullptr; }))
        return fail(ErrorCode::unsupported, "none of the pairs can be read side by side");
    return group;
}

std::optional<std::int64_t> count_frames(const PairJob &asked) {
    PairJob job = asked;
    if (job.videos.pair.strict || !settle_job(job, SettledBy::headers))
        return std::nullopt;
    const Result<OpenedVideos> opened = open_pair(job, 0, {});
    if (!opened || opened->pairs->sync().mode != SyncMode::index)
        return std::nullopt;
    return opened->pairs->expected_pairs();
}

Result<UnitExtractor::Extracted> UnitExtractor::extract(const Request &request, StageTimes &times) {
    if (auto prepared = prepared_.extract(request.key)) {
        times += prepared.mapped().times;
        return std::move(prepared.mapped().extracted);
    }
    if (request.cancelled()) // others of a group may wait behind this unit: nothing is opened for it
        return fail(ErrorCode::interrupted, "the work was interrupted");
    const PairJob &job = request.job;
    const std::int64_t start = first_opened_frame(request.frames);
    if (job.videos.pair.frame_count && *job.videos.pair.frame_count <= start)
        return Extracted();
    TRY(open(job.execution, job.videos.hwaccel)); // beside the videos
    OpenedUnits alone;
    {
        const StageClock clock(times.decode);
        OpenedVideos opened = TRY(open_pair(job, start, request.log));
        alone.format = opened.pairs->format();
        alone.units.push_back(TRY(make_unit(job, std::move(opened), request.frames)));
        alone.scoring = alone.units.front().scoring;
    }
    const Result<void> done = extract_opened({&request, 1}, alone, times);
    if (done)
        return extracted_of(request, alone.units.front());
    // A video that ends before its first pair is an error, also when it has fewer frames than its file says.
    if (start > 0 && done.error().code == ErrorCode::corrupt_data && worker_->last_part().frame_to_read == start) {
        const StageClock clock(times.decode);
        if (TRY(ends_by(job, start, request.cancelled)))
            return Extracted();
    }
    return tl::unexpected(done.error());
}

void UnitExtractor::prepare(Requests requests) {
    prepared_.clear();
    auto reference = open_reference(requests[0].job.videos, requests[0].log);
    if (!reference)
        return;
    const VideoFormat &format = (*reference)->info().format;
    const Result<EarlierFrames> earlier = earlier_frames_read(requests[0].job.scoring, format);
    if (!earlier)
        return;
    const std::size_t parts = (requests.size() - 1) / most_in_group(format, *earlier) + 1;
    for (std::size_t part = 0; part < parts; part++) {
        const std::size_t begin = requests.size() * part / parts;
        const std::size_t count = requests.size() * (part + 1) / parts - begin;
        if (count > 1) // a unit that fails here fails again alone, and says why
            (void)guarded([&] {
                return extract_side_by_side(requests.subspan(begin, count), std::exchange(*reference, nullptr));
            });
    }
}

Result<void> UnitExtractor::extract_side_by_side(Requests requests, std::unique_ptr<FrameSource> reference) {
    StageTimes times;
    OpenedUnits group;
    {
        const StageClock clock(times.decode);
        if (!reference)
            reference = TRY(open_reference(requests[0].job.videos, requests[0].log));
        group = TRY(OpenedUnits::open(requests, std::move(reference)));
    }
    TRY(open(requests[0].job.execution, requests[0].job.videos.hwaccel));
    const Result<void> done = extract_opened(requests, group, times);
    for (std::size_t m = 0; m < requests.size(); m++)
        if (OpenedUnit &unit = group.units[m]; unit.piece.words)
            if (Result<Extracted> extracted = extracted_of(requests[m], unit))
                prepared_.emplace(requests[m].key, Prepared{*std::move(extracted), times / requests.size()});
    return done;
}

/// Extracts units that are read side by side, or one alone.
Result<void> UnitExtractor::extract_opened(Requests requests, OpenedUnits &opened, StageTimes &times) {
    const Request &first = requests.front();
    std::vector<OpenedUnit> &units = opened.units;
    Result<FrameNeeds> needs = worker_->prepare({.scoring = opened.scoring.scoring,
                                                 .format = opened.format,
                                                 .members = units.size(),
                                                 .key = first.session_key + opened.scoring.key(),
                                                 .first_frame = first.frames.first},
                                                first.log);
    if (!needs)
        return close_after(needs.error());
    // What one pair wants of the shared reference is what all want, but for pairs that convert it.
    if (opened.converts)
        needs->planes = FrameNeeds().planes;
    std::vector<std::unique_ptr<PairSource>> pairs;
    for (OpenedUnit &unit : units) {
        if (unit.pairs)
            TRY(unit.pairs->start(*needs));
        pairs.push_back(std::move(unit.pairs));
    }
    const Result<void> done = worker_->extract(
        pairs, first.frames,
        {.seen = [&](std::size_t member, const PairThumbnails &pair) { units[member].doctor->see(pair); },
         .extracted = [&](std::size_t member, PartPiece piece) { units[member].piece = std::move(piece); },
         .cancelled = first.cancelled});
    const PartWork &work = worker_->last_part();
    times.decode += work.loop.reading;
    times.kernels += work.loop.pushing;
    times.upload += work.upload;
    return done ? done : close_after(done.error());
}

/// Starts to open the device, unless it is open.
Result<void> UnitExtractor::open(const ExecutionOptions &options, HardwareDecoding hwaccel) {
    if (!worker_ || worker_->place().execution->options() != options)
        worker_ = std::make_unique<PairWorker>(PartPlace{TRY(SharedExecution::open(options, backends_))}, hwaccel,
                                               ThreadDemand{.threads = options.threads}, log_);
    return {};
}

Result<void> UnitExtractor::open_device(const ExecutionOptions &options, HardwareDecoding hwaccel, const LogSink &log) {
    log_ = log;
    TRY(open(options, hwaccel));
    const Result<OpenedDevices> opened = worker_->place().execution->opened();
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
    worker_->decode_by(*std::move(decoding));
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

void UnitExtractor::set_key(const std::string &before, std::string key) {
    auto prepared = prepared_.extract(before);
    prepared.key() = std::move(key);
    prepared_.insert(std::move(prepared));
}

std::size_t most_in_group(const VideoFormat &format, const EarlierFrames &earlier) {
    constexpr std::uint64_t budget_bytes = std::uint64_t{2} << 30;
    const std::uint64_t pictures_per_unit = 24 + static_cast<std::uint64_t>(earlier.distorted);
    return std::max<std::uint64_t>(1, budget_bytes / (pictures_per_unit * stored_frame_bytes(format)));
}

} // namespace isovmaf::batch
