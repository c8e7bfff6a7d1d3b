// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/videos.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "engine/pair_readers.hpp"
#include "input/mapped_source.hpp"

namespace isovmaf {

namespace {

Result<std::unique_ptr<FrameSource>> open_side(const VideoSide &side, const VideoRequest &request, const LogSink &log) {
    return open_source(side.path, {.stated = side.stated,
                                   .stream = side.stream,
                                   .allow_partial = request.allow_partial,
                                   .strict = request.pair.strict,
                                   .decode_threads = 0,
                                   .log = log});
}

using Source = std::unique_ptr<FrameSource>;

Result<Source> convert_side(Source source, const VideoSide &side, const SourceInfo &other) {
    if (side.convert_bit_depth)
        source = TRY(make_deeper_source(std::move(source), *side.convert_bit_depth));
    if (side.convert_range)
        source = make_range_source(std::move(source), other.colour.range.empty() ? "limited" : other.colour.range);
    return source;
}

Result<void> convert_sides(const VideoRequest &request, Source &reference, Source &distorted) {
    const SourceInfo stored_reference = reference->info(), stored_distorted = distorted->info();
    reference = TRY(convert_side(std::move(reference), request.reference, stored_distorted));
    distorted = TRY(convert_side(std::move(distorted), request.distorted, stored_reference));
    if (request.common_depth) {
        const int depth = std::max(reference->info().format.bit_depth, distorted->info().format.bit_depth);
        reference = TRY(make_deeper_source(std::move(reference), depth));
        distorted = TRY(make_deeper_source(std::move(distorted), depth));
    }
    return {};
}

Result<void> report_timing(const OpenedVideos &videos, const VideoRequest &request, const LogSink &log) {
    for (const std::string &difference :
         timing_differences(videos.reference, videos.distorted, request.pair.sync.mode)) {
        if (request.pair.strict)
            return fail(ErrorCode::mismatch, difference);
        warn(log, difference);
    }
    return {};
}

/// What to convert to so that the result is like the other video, whose samples are read as they are.
ConversionTarget adapted(ConversionTarget target, const SourceInfo &other) {
    if (target.format.chroma != Chroma::k400 || other.format.chroma == Chroma::k400)
        target.format.chroma = other.format.chroma;
    const bool rgb = !target.matrix.empty();
    if (rgb)
        target.format.bit_depth = other.format.bit_depth;
    if (rgb && !other.colour.range.empty())
        target.range = other.colour.range;
    if (rgb && !other.colour.matrix.empty())
        target.matrix = other.colour.matrix;
    return target;
}

/// Videos whose samples are converted in any case get the format of the other video. Two such videos get one format
/// that both fit.
Result<void> choose_conversions(FrameSource &reference, FrameSource &distorted) {
    const auto r = reference.conversion(), d = distorted.conversion();
    if (r && !d)
        return reference.convert_to(adapted(*r, distorted.info()));
    if (d && !r)
        return distorted.convert_to(adapted(*d, reference.info()));
    if (!r || !d || (r->format.chroma == d->format.chroma && r->format.bit_depth == d->format.bit_depth))
        return {};
    const auto fit = [&](ConversionTarget target, const ConversionTarget &other) {
        target.format.bit_depth = std::max(target.format.bit_depth, other.format.bit_depth);
        target.format.chroma = std::max(target.format.chroma, other.format.chroma);
        return target;
    };
    TRY(reference.convert_to(fit(*r, *d)));
    return distorted.convert_to(fit(*d, *r));
}

/// What a report says about a side: the colours of the file, and what its samples were converted to.
SourceInfo describe(const SourceInfo &stored, const FrameSource &converted) {
    SourceInfo info = converted.info();
    info.colour = stored.colour;
    return info;
}

/// A sentence about the choice among several video streams; nothing when the request chose.
void note_stream(const VideoSide &side, const SourceInfo &info, std::vector<std::string> &notes) {
    if (!side.stream && info.video_streams > 1)
        notes.push_back(fmt::format("{} has {} video streams; v:{} is scored, as ffmpeg chooses",
                                    display_name(info.name), info.video_streams, info.stream));
}

} // namespace

Result<OpenedVideos> open_videos(const VideoRequest &request, const LogSink &log) {
    std::unique_ptr<FrameSource> reference = TRY(open_side(request.reference, request, log));
    std::unique_ptr<FrameSource> distorted = TRY(open_side(request.distorted, request, log));
    TRY(choose_conversions(*reference, *distorted));
    OpenedVideos opened{reference->info(), distorted->info(), {}, nullptr};
    TRY(convert_sides(request, reference, distorted));
    opened.notes = TRY(apply_policy(
        compare_colours(reference->info(), distorted->info(), request.pair.resize.has_value(), request.predicts),
        request.colours, request.pair.strict, log));
    opened.reference = describe(opened.reference, *reference);
    opened.distorted = describe(opened.distorted, *distorted);
    note_stream(request.reference, opened.reference, opened.notes);
    note_stream(request.distorted, opened.distorted, opened.notes);
    TRY(report_timing(opened, request, log));
    PairOptions options = request.pair;
    options.log = log;
    opened.pairs = TRY(PairSource::create(std::move(reference), std::move(distorted), options));
    return opened;
}

Result<VideoEnd> score_videos(OpenedVideos &videos, Session &session, const ScoreObserver &observer,
                              const PairWatcher &watch) {
    bool cancelled = false;
    const auto read = [&]() -> Result<std::optional<FramePair>> {
        Result<std::optional<FramePair>> pair = videos.pairs->read();
        if (pair && *pair)
            watch(**pair);
        cancelled = !pair && observer.stop();
        return cancelled ? std::nullopt : pair;
    };
    const VideoEnd end = TRY(score_video(session, read_pairs(read), observer));
    return cancelled ? VideoEnd::stopped : end;
}

} // namespace isovmaf
