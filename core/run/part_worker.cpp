// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/part_worker.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/processors.hpp"
#include "base/try.hpp"
#include "engine/frame_loop.hpp"
#include "engine/reader_source.hpp"

namespace isovmaf {

namespace {

/// Pushes the frames of a part, and makes small pictures of them.
class PartSink final : public GroupSink {
  public:
    /// `device`, if not null, has the frames.
    PartSink(SegmentExtraction &extraction, DecodingDevice *device, const PartWatch &watch, ExtractedPart &extracted)
        : extraction_(extraction), device_(device), watch_(watch), extracted_(extracted),
          before_(extraction.lead_in()) {}

    Result<void> push(const Frame &reference, std::span<const Frame> distorted) override {
        TRY(extraction_.push(reference, distorted));
        if (before_ > 0) {
            before_--;
            return {};
        }
        extracted_.thumbnails.push_back({TRY(thumbnail_of(reference)), TRY(thumbnail_of(distorted.front()))});
        watch_.pushed();
        return {};
    }

    Result<void> end(std::size_t, bool ends_video) override {
        Result<WordsFile> words = extraction_.finish(ends_video);
        if (words)
            extracted_.words = *std::move(words);
        else if (!extracted_.thumbnails.empty())
            return tl::unexpected(words.error());
        return {};
    }

  private:
    [[nodiscard]] Result<Thumbnail> thumbnail_of(const Frame &frame) const {
        return device_ ? TRY(device_->thumbnail(frame)) : make_thumbnail(frame);
    }

    SegmentExtraction &extraction_;
    DecodingDevice *const device_;
    const PartWatch &watch_;
    ExtractedPart &extracted_;
    int before_; ///< frames to come that do not belong to the part
};

/// A failure of a place, which has its name.
Error at_place(Error error, const std::string &label) {
    constexpr std::array of_places{ErrorCode::device_lost, ErrorCode::device_failed, ErrorCode::out_of_memory,
                                   ErrorCode::not_executed, ErrorCode::unavailable};
    if (std::ranges::find(of_places, error.code) != of_places.end())
        error.message = fmt::format("{}: {}", label, error.message);
    return error;
}

void add(const std::vector<FeatureWork> &more, std::vector<FeatureWork> &work) {
    work.resize(more.size());
    for (std::size_t i = 0; i < more.size(); i++) {
        work[i].feature = more[i].feature;
        work[i].launches += more[i].launches;
        work[i].milliseconds += more[i].milliseconds;
        work[i].flagged = more[i].flagged; // counted over all parts
    }
}

} // namespace

/// Lets `cancel` reach a reader while it exists.
class PartWorker::Reading {
  public:
    Reading(PartWorker &worker, PairSource &pairs) : worker_(worker) {
        const std::lock_guard lock(worker_.mutex_);
        worker_.reading_ = &pairs;
        if (worker_.cancelled_)
            pairs.cancel();
    }
    ~Reading() {
        const std::lock_guard lock(worker_.mutex_);
        worker_.reading_ = nullptr;
    }
    Reading(const Reading &) = delete;
    Reading &operator=(const Reading &) = delete;

  private:
    PartWorker &worker_;
};

Result<void> PartWorker::open(const VideoFormat &format, std::int64_t first) {
    if (!place_.processors.empty())
        TRY(bind_thread(place_.processors));
    Result<SegmentExtraction> extraction = SegmentExtraction::create(format, scoring_, place_.execution, first);
    if (!extraction)
        return tl::unexpected(at_place(extraction.error(), place_.label));
    extraction_ = *std::move(extraction);
    opened_for_ = first;
    const LogSink log = [this](Severity, std::string_view sentence) {
        if (std::ranges::find(notices_, sentence) == notices_.end())
            notices_.emplace_back(sentence);
    };
    decoding_ = place_.decoding ? *place_.decoding : TRY(decoding_for(videos_.hwaccel, extraction_->device(), log));
    return {};
}

Result<ExtractedPart> PartWorker::extract(const FrameRange &part, const PartWatch &watch) {
    if (opened_for_ != part.first)
        TRY(extraction_->restart(part.first));
    opened_for_.reset();
    VideoRequest request = videos_;
    request.pair.first_pair = first_opened_frame(part);
    if (part.first > 0 && part.end) // the reader of the first part may judge the end of the videos
        request.pair.frame_count = std::min(request.pair.frame_count.value_or(*part.end + 1), *part.end + 1);
    Result<OpenedVideos> result = open_videos(request, {});
    ExtractedPart extracted;
    extracted.stopped = watch.stop();
    if (extracted.stopped)
        return extracted;
    const OpenedVideos opened = TRY(std::move(result));
    FrameNeeds needs = frame_needs(extraction_->planes_read(), extraction_->frame_memory(), extraction_->device());
    if (extraction_->device())
        needs.readers = readers_;
    needs.decoding = decoding_;
    const Reading reading(*this, *opened.pairs);
    TRY(opened.pairs->start(needs));
    if (const Result<void> done = extract(*opened.pairs, part, watch, extracted); !done)
        return tl::unexpected(at_place(done.error(), place_.label));
    extracted.warnings = opened.pairs->warnings();
    extracted.decoders = opened.pairs->decoders();
    add(extraction_->execution().work, done_);
    return extracted;
}

Result<void> PartWorker::extract(PairSource &pairs, const FrameRange &part, const PartWatch &watch,
                                 ExtractedPart &extracted) {
    const PairReader read = [&] { return pairs.read(); };
    ReaderSource source(read);
    PartSink sink(*extraction_, decoding_.device.get(), watch, extracted);
    const LoopObserver observer{.stop = watch.stop, .cancel = watch.cancelled};
    const VideoEnd end = TRY(FrameLoop(source, sink, frames_to_push(part, *extraction_), observer).run());
    extracted.stopped = end == VideoEnd::stopped;
    return {};
}

void PartWorker::cancel() {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    if (reading_)
        reading_->cancel();
}

Execution PartWorker::execution() const {
    if (!extraction_)
        return {.device = place_.label};
    Execution execution = extraction_->execution();
    if (!done_.empty())
        execution.work = done_;
    execution.notices.insert(execution.notices.end(), notices_.begin(), notices_.end());
    return execution;
}

} // namespace isovmaf
