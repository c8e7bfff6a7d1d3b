// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "batch/unit.hpp"
#include "engine/chroma_use.hpp"

namespace isovmaf::batch {

namespace {

/// Reads pairs into an extraction until the end of the video.
Result<WordsFile> extract_all(PairSource &pairs, SegmentExtraction &extraction,
                              const std::function<bool()> &cancelled) {
    for (;;) {
        if (cancelled())
            return fail(ErrorCode::interrupted, "the unit was interrupted");
        std::optional<FramePair> pair = TRY(pairs.read());
        if (!pair)
            return extraction.finish(true);
        TRY(extraction.push(*std::move(pair)));
    }
}

} // namespace

Result<WordsFile> extract_unit(const PairJob &job, const std::function<bool()> &cancelled, const LogSink &log) {
    VideoRequest videos = job.videos;
    SessionOptions session = job.session;
    videos.chroma_readers = [scoring = session](const VideoFormat &format) mutable {
        scoring.format = format;
        return features_reading_chroma(scoring);
    };
    const OpenedVideos opened = TRY(open_videos(videos, log));
    session.format = opened.pairs->format();
    SegmentExtraction extraction = TRY(SegmentExtraction::create(session, 0));
    return extract_all(*opened.pairs, extraction, cancelled);
}

} // namespace isovmaf::batch
