// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "batch/unit.hpp"
#include "engine/chroma_use.hpp"

namespace isovmaf::batch {

namespace {

Result<OpenedVideos> open_pair(const PairJob &job, std::int64_t skip, const LogSink &log) {
    VideoRequest videos = job.videos;
    videos.pair.skip_reference += skip;
    videos.pair.skip_distorted += skip;
    if (videos.pair.frame_count)
        *videos.pair.frame_count -= skip;
    videos.chroma_readers = [scoring = job.session](const VideoFormat &format) mutable {
        scoring.format = format;
        return features_reading_chroma(scoring);
    };
    return open_videos(videos, log);
}

/// Reads the pairs of one unit.
class UnitReader {
  public:
    UnitReader(PairSource &pairs, std::int64_t next, const std::function<bool()> &cancelled)
        : pairs_(pairs), next_(next), cancelled_(cancelled) {}

    [[nodiscard]] std::int64_t next_frame() const { return next_; }

    Result<std::optional<FramePair>> read() {
        if (cancelled_())
            return fail(ErrorCode::interrupted, "the work was interrupted");
        std::optional<FramePair> pair = TRY(pairs_.read());
        next_ += pair.has_value();
        return pair;
    }

    /// Reads up to `frame`, or to the end.
    Result<void> skip_to(std::int64_t frame) {
        while (next_ < frame && TRY(read()))
            ;
        return {};
    }

  private:
    PairSource &pairs_;
    std::int64_t next_;
    const std::function<bool()> &cancelled_;
};

/// Whether the video has at most `frames` frames, and nothing is wrong with it.
Result<bool> ends_by(const PairJob &job, std::int64_t frames, const std::function<bool()> &cancelled) {
    const OpenedVideos opened = TRY(open_pair(job, 0, {}));
    UnitReader reader(*opened.pairs, 0, cancelled);
    TRY(reader.skip_to(frames + 1));
    return reader.next_frame() <= frames;
}

/// Pushes the frames of the unit and those before them that extractors read. Nothing when there are none.
Result<std::optional<WordsFile>> extract(UnitReader &reader, SegmentExtraction &extraction, const FrameRange &frames) {
    TRY(reader.skip_to(frames.first - extraction.lead_in()));
    while (!frames.end || reader.next_frame() < *frames.end) {
        std::optional<FramePair> pair = TRY(reader.read());
        if (!pair && reader.next_frame() <= frames.first)
            return std::nullopt;
        if (!pair)
            return TRY(extraction.finish(true));
        TRY(extraction.push(*std::move(pair)));
    }
    const bool ends_video = !TRY(reader.read());
    return TRY(extraction.finish(ends_video));
}

} // namespace

std::optional<std::int64_t> count_frames(const PairJob &job) {
    if (job.videos.pair.strict)
        return std::nullopt;
    const Result<OpenedVideos> opened = open_pair(job, 0, {});
    if (!opened || opened->pairs->sync().mode != SyncMode::index)
        return std::nullopt;
    return opened->pairs->expected_pairs();
}

Result<std::optional<WordsFile>> extract_unit(const PairJob &job, const FrameRange &frames,
                                              const std::function<bool()> &cancelled, const LogSink &log) {
    const std::int64_t start = std::max<std::int64_t>(0, frames.first - max_lead_in);
    if (job.videos.pair.frame_count && *job.videos.pair.frame_count <= start)
        return std::nullopt;
    const OpenedVideos opened = TRY(open_pair(job, start, log));
    SessionOptions session = job.session;
    session.format = opened.pairs->format();
    SegmentExtraction extraction = TRY(SegmentExtraction::create(session, frames.first));
    UnitReader reader(*opened.pairs, start, cancelled);
    Result<std::optional<WordsFile>> words = extract(reader, extraction, frames);
    // A video that ends before its first pair is an error, also when it has fewer frames than its file says.
    if (!words && start > 0 && reader.next_frame() == start && words.error().code == ErrorCode::corrupt_data &&
        TRY(ends_by(job, start, cancelled)))
        return std::nullopt;
    return words;
}

} // namespace isovmaf::batch
