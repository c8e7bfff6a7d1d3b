// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/videos.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "input/raw/pipe_group.hpp"
#include "run/conversions.hpp"
#include "run/format_agreement.hpp"
#include "run/settle_videos.hpp"

namespace isovmaf {

namespace {

Result<std::unique_ptr<FrameSource>> open_side(const VideoSide &side, const VideoRequest &request, const LogSink &log) {
    return open_source(side.path, source_options(side, request, log));
}

Result<void> report_rates(const OpenedVideos &videos, const VideoRequest &request, const LogSink &log) {
    const std::string difference = rate_difference(videos.reference, videos.distorted, request.pair.sync.mode);
    if (difference.empty())
        return {};
    if (request.pair.strict)
        return fail(ErrorCode::mismatch, difference);
    warn(log, difference);
    return {};
}

/// A sink that adds warnings to `found` before `log` gets them.
LogSink adding(std::vector<PairWarning> &found, const char *kind, const LogSink &log) {
    return [&found, kind, &log](Severity severity, std::string_view sentence) {
        if (severity == Severity::warning)
            found.push_back({kind, std::string(sentence)});
        if (log)
            log(severity, sentence);
    };
}

void append(std::vector<std::string> &notes, const std::vector<std::string> &more) {
    notes.insert(notes.end(), more.begin(), more.end());
}

/// What a report says about a side: the colours of the file, and what its samples were converted to.
SourceInfo describe(const SourceInfo &stored, SourceInfo info) {
    info.colour = stored.colour;
    return info;
}

/// Warns of a choice among several video streams that the request does not make.
Result<void> check_stream(const VideoSide &side, std::string_view option, const SourceInfo &info, bool strict,
                          const LogSink &log) {
    if (side.stream || info.video_streams <= 1)
        return {};
    const std::string choice =
        fmt::format("{} has {} video streams; v:{} is scored, as ffmpeg chooses: give {} v:N to choose",
                    display_name(info.name), info.video_streams, info.stream, option);
    if (strict)
        return fail(ErrorCode::mismatch, choice);
    warn(log, choice);
    return {};
}

/// Warns of samples that seem to be read wrongly.
Result<void> report_doubt(const SourceInfo &info, bool strict, const LogSink &log) {
    if (info.sample_doubt.empty())
        return {};
    if (strict)
        return fail(ErrorCode::mismatch, info.sample_doubt);
    warn(log, info.sample_doubt);
    return {};
}

/// What a report says of film grain.
std::vector<std::string> film_grain_notes(const OpenedVideos &videos) {
    std::vector<std::string> notes;
    for (const SourceInfo *const side : {&videos.reference, &videos.distorted})
        if (side->film_grain == film_grain_applied)
            notes.push_back(
                fmt::format("film grain is applied to the pictures of {} as the file says; --film-grain off "
                            "compares them without it",
                            display_name(side->name)));
        else if (!side->film_grain.empty())
            notes.push_back(fmt::format("the film grain of {} is left out", display_name(side->name)));
    return notes;
}

/// Whether both sides are one stream of one file, by whatever names.
bool is_same_video(const VideoSide &reference, const VideoSide &distorted) {
    std::error_code missing; // standard input, a URL, a pattern for numbered pictures
    return reference.stream == distorted.stream && std::filesystem::equivalent(reference.path, distorted.path, missing);
}

} // namespace

FrameNeeds frame_needs(int planes, FrameMemory memory, const DeviceHandle &device, ThreadDemand demand) {
    demand.device = device != nullptr;
    return {.planes = planes, .memory = std::move(memory), .readers = budget_of(demand).readers};
}

SourceOptions source_options(const VideoSide &side, const VideoRequest &request, const LogSink &log) {
    return {.stated = side.stated,
            .stream = side.stream,
            .allow_partial = request.allow_partial,
            .strict = request.pair.strict,
            .decode_threads = request.decode_threads,
            .film_grain = request.film_grain,
            .indexes = request.indexes,
            .index_later = request.index_later,
            .content = side.content,
            .pipes = request.pipes,
            .log = log};
}

double rate_of_pairs(const OpenedVideos &videos) {
    double least = 0;
    for (const SourceInfo *const side : {&videos.reference, &videos.distorted})
        if (const double rate = side->timing.average_rate ? side->timing.average_rate->value() : 0; rate > 0)
            least = least > 0 ? std::min(least, rate) : rate;
    return least;
}

Result<std::unique_ptr<FrameSource>> open_reference(const VideoRequest &request, const LogSink &log) {
    return open_side(request.reference, request, log);
}

Result<OpenedVideos> open_videos(const VideoRequest &request, const LogSink &log) {
    VideoRequest with_pipes = request;
    if (!request.pipes)
        with_pipes.pipes = std::make_shared<PipeGroup>(std::vector{request.reference.path, request.distorted.path});
    return open_videos(with_pipes, TRY(open_reference(with_pipes, log)), log);
}

Result<OpenedVideos> open_videos(const VideoRequest &request, std::unique_ptr<FrameSource> reference,
                                 const LogSink &log) {
    if (!is_settled(request))
        return open_videos(TRY(settle_videos(request)), std::move(reference), log);
    std::unique_ptr<FrameSource> distorted = TRY(open_side(request.distorted, request, log));
    TRY(choose_conversions(request, *reference, *distorted));
    const PairInfo stored = describe_pair(*reference, *distorted);
    TRY(convert_sides(request, reference, distorted));
    const PairInfo converted = describe_pair(*reference, *distorted);
    OpenedVideos opened;
    opened.hwaccel = request.hwaccel;
    opened.log = log;
    PairOptions options = request.pair;
    options.log = log;
    const std::vector<Finding> findings =
        compare_colours(converted.reference, converted.distorted, request.resize.has_value(), request.predicts);
    opened.notes = TRY(
        apply_policy(findings, request.colours, request.pair.strict, adding(options.found, PairWarning::colours, log)));
    options.colours = {converted.reference, converted.distorted, request.resize.has_value(), request.predicts,
                       request.colours};
    options.range_doubt = range_doubt(findings, request.colours, converted.reference);
    opened.reference = describe(stored.reference, converted.reference);
    opened.distorted = describe(stored.distorted, converted.distorted);
    const LogSink stream_log = adding(options.found, PairWarning::streams, log);
    TRY(check_stream(request.reference, "--ref-stream", opened.reference, options.strict, stream_log));
    TRY(check_stream(request.distorted, "--dis-stream", opened.distorted, options.strict, stream_log));
    for (const SourceInfo *const side : {&opened.reference, &opened.distorted})
        TRY(report_doubt(*side, options.strict, adding(options.found, PairWarning::samples, log)));
    for (const SettledOption &settled : request.settled)
        opened.notes.push_back(settled_text(settled));
    append(opened.notes, film_grain_notes(opened));
    if (is_same_video(request.reference, request.distorted)) {
        opened.same_file =
            fmt::format("reference and distorted are the same file: {}", display_name(opened.reference.name));
        opened.notes.push_back(opened.same_file);
    }
    TRY(report_rates(opened, request, adding(options.found, PairWarning::timing, log)));
    if (std::string note = retiming_note(opened.reference, opened.distorted, request.pair.sync.mode); !note.empty())
        opened.notes.push_back(std::move(note));
    opened.start_difference = start_difference(opened.reference, opened.distorted, request.pair.sync.mode);
    if (!opened.start_difference.empty())
        opened.notes.push_back(opened.start_difference);
    TRY(check_formats(request, stored, converted));
    append(opened.notes, TRY(added_bits_notes(request, stored, converted)));
    append(opened.notes, match_luma(reference, distorted));
    if (request.resize)
        append(opened.notes, TRY(apply_resize(*request.resize, reference, distorted)));
    opened.reference.conversions = reference->info().conversions;
    opened.distorted.conversions = distorted->info().conversions;
    opened.reference_command = ffmpeg_command(stored.reference, reference->info());
    opened.distorted_command = ffmpeg_command(stored.distorted, distorted->info());
    opened.pairs = TRY(PairSource::create(std::move(reference), std::move(distorted), options));
    return opened;
}

Result<VideoEnd> score_opened_videos(OpenedVideos &videos, Session &session, const ScoreObserver &observer) {
    FrameNeeds needs = frame_needs(session.planes_read(), session.frame_memory(), session.device());
    needs.decoding = TRY(decoding_for(videos.hwaccel, session.device(), videos.log));
    TRY(videos.pairs->start(needs));
    return score_video(
        session, [&] { return videos.pairs->read(); }, observer);
}

void score_rest(Session &session, const ScoreObserver &observer) {
    (void)session.finish(); // fails where the session has failed
    while (std::optional<FrameScores> scores = session.next_result())
        observer.scored(*std::move(scores));
}

} // namespace isovmaf
