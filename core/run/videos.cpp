// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/videos.hpp"

#include <utility>

#include "base/try.hpp"
#include "engine/pair_readers.hpp"

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

} // namespace

Result<OpenedVideos> open_videos(const VideoRequest &request, const LogSink &log) {
    std::unique_ptr<FrameSource> reference = TRY(open_side(request.reference, request, log));
    std::unique_ptr<FrameSource> distorted = TRY(open_side(request.distorted, request, log));
    OpenedVideos opened{reference->info(), distorted->info(), nullptr};
    PairOptions options = request.pair;
    options.log = log;
    opened.pairs = TRY(PairSource::create(std::move(reference), std::move(distorted), options));
    return opened;
}

Result<VideoEnd> score_videos(OpenedVideos &videos, Session &session, const ScoreObserver &observer) {
    return score_video(session, read_pairs([&pairs = *videos.pairs] { return pairs.read(); }), observer);
}

} // namespace isovmaf
