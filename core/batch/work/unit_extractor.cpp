// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_extractor.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "batch/work/unit.hpp"

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

/// Reads the pairs of one unit.
class UnitReader {
  public:
    UnitReader(PairSource &pairs, std::int64_t next, const std::function<bool()> &cancelled, double &seconds)
        : pairs_(pairs), next_(next), cancelled_(cancelled), seconds_(seconds) {}

    [[nodiscard]] std::int64_t next_frame() const { return next_; }

    Result<std::optional<FramePair>> read() {
        if (cancelled_())
            return fail(ErrorCode::interrupted, "the work was interrupted");
        const StageClock clock(seconds_);
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
    double &seconds_; ///< that reading takes are added here
};

/// Whether the video has at most `frames` frames, and nothing is wrong with it.
Result<bool> ends_by(const PairJob &job, std::int64_t frames, const std::function<bool()> &cancelled, double &seconds) {
    const OpenedVideos opened = TRY(open_pair(job, 0, {}));
    UnitReader reader(*opened.pairs, 0, cancelled, seconds);
    TRY(reader.skip_to(frames + 1));
    return reader.next_frame() <= frames;
}

/// Pushes the frames of the unit and those before them that extractors read. Nothing when there are none.
Result<std::optional<WordsFile>> extract_frames(UnitReader &reader, SegmentExtraction &extraction,
                                                const FrameRange &frames, StageTimes &times) {
    const auto finish = [&](bool ends_video) {
        const StageClock clock(times.kernels);
        return extraction.finish(ends_video);
    };
    TRY(reader.skip_to(frames.first - extraction.lead_in()));
    while (!frames.end || reader.next_frame() < *frames.end) {
        std::optional<FramePair> pair = TRY(reader.read());
        if (!pair && reader.next_frame() <= frames.first)
            return std::nullopt;
        if (!pair)
            return TRY(finish(true));
        const StageClock clock(times.kernels);
        TRY(extraction.push(*std::move(pair)));
    }
    const bool ends_video = !TRY(reader.read());
    return TRY(finish(ends_video));
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

Result<std::optional<WordsFile>> UnitExtractor::extract(const Request &request, StageTimes &times) {
    if (std::optional<WordsFile> words = take_prepared(request.key, times))
        return words;
    if (request.cancelled()) // others of a group may wait behind this unit: nothing is opened for it
        return fail(ErrorCode::interrupted, "the work was interrupted");
    const PairJob &job = request.job;
    const std::int64_t start = first_opened_frame(request.frames);
    if (job.videos.pair.frame_count && *job.videos.pair.frame_count <= start)
        return std::nullopt;
    const OpenedVideos opened = TRY(open_timed(job, start, request.log, times.decode));
    Kept kept = TRY(take(request, opened.pairs->format(), 1));
    const double uploaded = kept.extraction.upload_seconds();
    UnitReader reader(*opened.pairs, start, request.cancelled, times.decode);
    Result<std::optional<WordsFile>> words = extract_frames(reader, kept.extraction, request.frames, times);
    times.upload += kept.extraction.upload_seconds() - uploaded;
    if (words && *words)
        keep(std::move(kept));
    // A video that ends before its first pair is an error, also when it has fewer frames than its file says.
    if (!words && start > 0 && reader.next_frame() == start && words.error().code == ErrorCode::corrupt_data &&
        TRY(ends_by(job, start, request.cancelled, times.decode)))
        return std::nullopt;
    return words;
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
    SessionOptions session = request.job.session;
    session.format = format;
    Result<SegmentExtraction> extraction = SegmentExtraction::create(session, request.frames.first, members);
    if (!extraction && extraction.error().code == ErrorCode::out_of_memory && !kept_.empty()) {
        kept_.clear();
        extraction = SegmentExtraction::create(session, request.frames.first, members);
    }
    return Kept{request.session_key, format, members, TRY(std::move(extraction))};
}

void UnitExtractor::keep(Kept kept) {
    constexpr std::size_t most_kept = 2; // a batch may change between two sizes; each keeps threads and memory
    kept_.push_front(std::move(kept));
    if (kept_.size() > most_kept)
        kept_.pop_back();
}

} // namespace isovmaf::batch
