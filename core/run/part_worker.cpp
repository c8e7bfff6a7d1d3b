// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/part_worker.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/processors.hpp"
#include "base/try.hpp"
#include "engine/frame_loop.hpp"
#include "engine/reader_source.hpp"
#include "execution/thread_budget.hpp"

namespace isovmaf {

namespace {

using Clock = std::chrono::steady_clock;

/// So many frames are handed over at a time, or those that were done in this time.
constexpr std::int64_t piece_frames = 16;
constexpr std::chrono::milliseconds piece_time{100};

/// Pushes the frames of a part, makes small pictures of them, and hands both over in pieces.
class PartSink final : public GroupSink {
  public:
    using Extracted = std::function<void(PartPiece)>;

    /// `device`, if not null, has the frames. `extracted` gets all pieces but the last one of a part that
    /// was read to its end.
    PartSink(SegmentExtraction &extraction, DecodingDevice *device, const PartWatch &watch, Extracted extracted)
        : extraction_(extraction), device_(device), watch_(watch), extracted_(std::move(extracted)),
          before_(extraction.lead_in()) {}

    Result<void> push(const Frame &reference, std::span<const Frame> distorted) override {
        TRY(extraction_.push(reference, distorted));
        if (before_ > 0) {
            before_--;
            return {};
        }
        thumbnails_.push_back({TRY(thumbnail_of(reference)), TRY(thumbnail_of(distorted.front()))});
        watch_.pushed();
        const Clock::time_point now = Clock::now();
        if (++pushed_ < piece_frames && now - asked_ < piece_time)
            return {};
        pushed_ = 0;
        asked_ = now;
        if (std::optional<WordsFile> words = TRY(extraction_.take_words()))
            extracted_(make_piece(*std::move(words)));
        return {};
    }

    Result<void> end(std::size_t, bool ends_video) override {
        Result<WordsFile> words = extraction_.finish(ends_video);
        if (words)
            last_ = make_piece(*std::move(words));
        else if (!thumbnails_.empty())
            return tl::unexpected(words.error());
        return {};
    }

    /// The pairs cannot be read any further: hands over the frames before.
    Result<void> fail(std::size_t member, const Error &error) override {
        if (end(member, false) && last_.words && last_.words->frame_count > 0)
            extracted_(take_last());
        return tl::unexpected(error);
    }

    /// After the end.
    [[nodiscard]] PartPiece take_last() { return std::move(last_); }

  private:
    [[nodiscard]] Result<Thumbnail> thumbnail_of(const Frame &frame) const {
        return device_ ? TRY(device_->thumbnail(frame)) : make_thumbnail(frame);
    }

    PartPiece make_piece(WordsFile words) {
        const auto end = thumbnails_.begin() + words.frame_count;
        PartPiece piece{.words = std::move(words), .thumbnails = {thumbnails_.begin(), end}};
        thumbnails_.erase(thumbnails_.begin(), end);
        return piece;
    }

    SegmentExtraction &extraction_;
    DecodingDevice *const device_;
    const PartWatch &watch_;
    const Extracted extracted_;
    int before_;                             ///< frames to come that do not belong to the part
    std::int64_t pushed_ = 0;                ///< since words were asked for
    Clock::time_point asked_ = Clock::now(); ///< for words
    std::vector<PairThumbnails> thumbnails_; ///< of frames that were not handed over
    PartPiece last_;
};

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

Error at_place(Error error, const std::string &label) {
    constexpr std::array of_places{ErrorCode::device_lost, ErrorCode::device_failed, ErrorCode::out_of_memory,
                                   ErrorCode::not_executed, ErrorCode::unavailable};
    if (std::ranges::find(of_places, error.code) != of_places.end())
        error.message = fmt::format("{}: {}", label, error.message);
    return error;
}

VideoRequest request_of_part(VideoRequest videos, std::size_t workers, std::int64_t pair) {
    videos.pair.first_pair = pair;
    videos.index_later = pair == 0;
    videos.decode_threads = budget_of({.extractions = static_cast<int>(workers)}).decoders;
    return videos;
}

Result<void> PartWorker::open(const VideoFormat &format) {
    if (!place_.processors.empty())
        TRY(bind_thread(place_.processors));
    Result<SegmentExtraction> extraction = SegmentExtraction::create(format, scoring_, place_.execution, 0);
    if (!extraction)
        return tl::unexpected(at_place(extraction.error(), place_.label));
    extraction_ = *std::move(extraction);
    const LogSink log = [this](Severity, std::string_view sentence) {
        if (std::ranges::find(notices_, sentence) == notices_.end())
            notices_.emplace_back(sentence);
    };
    decoding_ = place_.decoding ? *place_.decoding : TRY(decoding_for(videos_.hwaccel, extraction_->device(), log));
    return {};
}

/// Goes to a pair with the reader that is there, or with another one.
Result<void> PartWorker::read_from(std::int64_t pair) {
    if (!pairs_ || !pairs_->can_go_to())
        return start_reader(pair);
    reading_.moved++;
    return pairs_->go_to(pair);
}

Result<std::unique_ptr<PairSource>> PartWorker::open_pairs(std::int64_t pair) {
    reading_.opened++;
    VideoRequest request = request_of_part(videos_, workers_, pair);
    if (decoding_.device && decoding_.required) // software decodes the first picture alone
        request.decode_threads = 1;
    return std::move(TRY(open_videos(request, {})).pairs);
}

Result<void> PartWorker::start_reader(std::int64_t pair) {
    if (pairs_)
        reading_.times.add(pairs_->times());
    set_pairs(pair == 0 && opened_ ? std::move(opened_) : TRY(open_pairs(pair)));
    FrameNeeds needs = frame_needs(extraction_->planes_read(), extraction_->frame_memory(), extraction_->device(),
                                   {.extractions = static_cast<int>(workers_)});
    needs.decoding = decoding_;
    return pairs_->start(needs);
}

void PartWorker::set_pairs(std::unique_ptr<PairSource> pairs) {
    const std::lock_guard lock(mutex_);
    pairs_.swap(pairs);
    if (cancelled_)
        pairs_->cancel();
}

Result<void> PartWorker::extract(std::int64_t first, const PartWatch &watch) {
    next_frame_ = first;
    TRY(extraction_->restart(first));
    const Result<void> begun = read_from(first_opened_frame({first}));
    if (watch.stop()) { // which makes the reader fail
        watch.extracted(first, {.stopped = true});
        return {};
    }
    TRY(begun);
    if (const Result<void> done = extract_frames(first, watch); !done)
        return tl::unexpected(at_place(done.error(), place_.label));
    add(extraction_->execution().work, done_);
    return {};
}

Result<void> PartWorker::extract_frames(std::int64_t first, const PartWatch &watch) {
    const PairReader read = [&] { return pairs_->read(); };
    ReaderSource source(read);
    PartSink sink(*extraction_, decoding_.device.get(), watch,
                  [&](PartPiece piece) { hand_over(std::move(piece), watch); });
    const LoopObserver observer{.stop = watch.stop,
                                .ends = [&](std::int64_t frame) { return frame >= first && !watch.goes_on(frame); },
                                .cancel = watch.cancelled};
    const VideoEnd end = TRY(FrameLoop(source, sink, frames_to_push({first}, *extraction_), observer).run());
    PartPiece last = sink.take_last();
    last.stopped = end == VideoEnd::stopped;
    hand_over(std::move(last), watch);
    return {};
}

void PartWorker::hand_over(PartPiece piece, const PartWatch &watch) {
    const std::int64_t frames = piece.words ? piece.words->frame_count : 0;
    piece.warnings = pairs_->warnings(next_frame_, next_frame_ + frames);
    piece.notes = pairs_->notes(next_frame_, next_frame_ + frames);
    piece.decoders = pairs_->decoders();
    watch.extracted(next_frame_, std::move(piece));
    next_frame_ += frames;
    reading_.frames += frames;
}

PartReading PartWorker::reading() const {
    PartReading reading = reading_;
    if (pairs_)
        reading.times.add(pairs_->times());
    if (decoding_.device)
        reading.fetch_seconds = decoding_.device->fetch_seconds();
    return reading;
}

void PartWorker::cancel() {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    if (pairs_)
        pairs_->cancel();
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
