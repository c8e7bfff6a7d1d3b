// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/videos.hpp"

#include <utility>

#include "base/try.hpp"
#include "engine/pair_readers.hpp"

namespace isovmaf {

Result<OpenedVideos> open_videos(const VideoRequest &request, const LogSink &log) {
    const SourceOptions source{.raw_format = request.raw_format, .decode_threads = 0, .log = log};
    std::unique_ptr<FrameSource> reference = TRY(open_source(request.reference, source));
    std::unique_ptr<FrameSource> distorted = TRY(open_source(request.distorted, source));
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
