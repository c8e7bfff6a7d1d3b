// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/pair_worker.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/processors.hpp"
#include "base/try.hpp"
#include "engine/frame_loop.hpp"
#include "engine/guarded.hpp"
#include "execution/execution.hpp"

namespace isovmaf {

namespace {

using Clock = std::chrono::steady_clock;

/// So many frames are handed over at a time, or those that were done in this time.
constexpr std::int64_t piece_frames = 16;
constexpr std::chrono::milliseconds piece_time{100};

/// The two ends of the loop that extracts a part: the readers of its members, which share the reference, and the pieces
/// that are made of their frames.
class PartInWork final : public GroupSource, public GroupSink {
  public:
    /// `device`, if not null, has decoded the frames. `pairs` are null where a member is not read beside the others.
    PartInWork(SegmentExtraction &segment, std::span<std::unique_ptr<PairSource>> pairs, DecodingDevice *device,
               std::int64_t first_frame, const PartWatch &watch)
        : segment_(segment), pairs_(pairs), device_(device), watch_(watch), lead_in_(segment.extraction().lead_in()),
          next_(pairs.size(), first_frame), last_(pairs.size()) {}

    [[nodiscard]] std::size_t members() const override { return pairs_.size(); }
    void next_frame() override { reference_ = {}; }
    [[nodiscard]] const Frame &reference() const override { return reference_; }

    [[nodiscard]] Result<std::optional<Frame>> read(std::size_t member) override {
        if (!pairs_[member])
            return isovmaf::fail(ErrorCode::unsupported, "this pair is not read beside others");
        std::optional<FramePair> pair = TRY(pairs_[member]->read());
        if (!pair)
            return std::nullopt;
        if (!reference_)
            reference_ = std::move(pair->reference);
        else if (pair->reference.owner() != reference_.owner() || pair->reference.address(0) != reference_.address(0))
            return isovmaf::fail(ErrorCode::unsupported,
                                 "the reference picture of this pair is made from that of others");
        return std::move(pair->distorted);
    }

    Result<void> push(const Frame &reference, std::span<const Frame> distorted) override {
        TRY(segment_.extraction().push(reference, distorted));
        if (lead_in_ > 0) {
            lead_in_--;
            return {};
        }
        if (watch_.watched)
            watch_.watched({TRY(in_host_memory(reference)), TRY(in_host_memory(distorted.front()))});
        const Thumbnail small = TRY(thumbnail_of(reference));
        for (std::size_t member = 0; member < members(); member++)
            if (distorted[member])
                watch_.seen(member, {small, TRY(thumbnail_of(distorted[member]))});
        pushed_++;
        watch_.pushed();
        return watch_.in_pieces ? hand_over_ready() : Result<void>();
    }

    Result<void> end(std::size_t member, bool ends_video) override {
        Result<WordsFile> words = segment_.finish(ends_video, member);
        if (!words && pushed_ > 0)
            return tl::unexpected(words.error());
        last_[member] = make_piece(member, words ? std::optional(*std::move(words)) : std::nullopt);
        close(member);
        return {};
    }

    /// A member alone ends with the frames before, and the part fails. One of several drops out.
    Result<void> fail(std::size_t member, const Error &error) override {
        if (members() > 1) {
            (void)segment_.finish(false, member);
            close(member);
            return {};
        }
        if (end(member, false) && !last_[member]->words)
            last_[member].reset();
        return tl::unexpected(error);
    }

    /// After the loop: hands over the last pieces of members that have ended.
    void hand_over_last(bool stopped) {
        for (std::size_t member = 0; member < members(); member++)
            if (last_[member]) {
                last_[member]->stopped = stopped;
                watch_.extracted(member, *std::move(last_[member]));
            }
    }

    /// After a failure: hands over the frames that are ready and no piece has.
    void hand_over_rest() {
        for (std::size_t member = 0; member < members(); member++)
            if (!last_[member] && pairs_[member])
                if (Result<std::optional<WordsFile>> words = segment_.take_rest(member); words && *words)
                    watch_.extracted(member, make_piece(member, *std::move(words)));
    }

    /// The frame of the first member behind those of its pieces.
    [[nodiscard]] std::int64_t next_of_first() const { return next_.front(); }

  private:
    [[nodiscard]] Result<Thumbnail> thumbnail_of(const Frame &frame) const {
        return frame.device() ? TRY(device_->thumbnail(frame)) : make_thumbnail(frame);
    }

    /// All planes.
    [[nodiscard]] Result<Frame> in_host_memory(const Frame &frame) const {
        return frame.device() ? device_->fetch(frame, frame.format().plane_count()) : frame;
    }

    Result<void> hand_over_ready() {
        const Clock::time_point now = Clock::now();
        if (!watch_.watched && pushed_ - asked_at_ < piece_frames && now - asked_ < piece_time)
            return {}; // pictures are kept until their words come
        asked_at_ = pushed_;
        asked_ = now;
        for (std::size_t member = 0; member < members(); member++)
            if (std::optional<WordsFile> words = TRY(segment_.take_words(member)))
                watch_.extracted(member, make_piece(member, std::move(words)));
        return {};
    }

    PartPiece make_piece(std::size_t member, std::optional<WordsFile> words) {
        const std::int64_t first = next_[member];
        next_[member] += words ? words->frame_count : 0;
        const PairSource &pairs = *pairs_[member];
        return {.first_frame = first,
                .words = std::move(words),
                .warnings = pairs.warnings(first, next_[member]),
                .notes = pairs.notes(first, next_[member]),
                .decoders = pairs.decoders()};
    }

    void close(std::size_t member) {
        if (members() > 1)
            pairs_[member].reset();
    }

    SegmentExtraction &segment_;
    const std::span<std::unique_ptr<PairSource>> pairs_; ///< null, too, for members that have ended beside others
    DecodingDevice *const device_;
    const PartWatch &watch_;
    Frame reference_;
    int lead_in_;                                ///< frames to come that do not belong to the part
    std::int64_t pushed_ = 0, asked_at_ = 0;     ///< frames of the part, and how many there were at `asked_`
    Clock::time_point asked_ = Clock::now();     ///< for words
    std::vector<std::int64_t> next_;             ///< of each member: the first frame that no piece has
    std::vector<std::optional<PartPiece>> last_; ///< of each member that has ended
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

VideoRequest request_of_part(VideoRequest videos, std::size_t workers, std::int64_t pair) {
    videos.pair.first_pair = pair;
    videos.index_later = pair == 0;
    if (workers > 1)
        videos.decode_threads = budget_of({.extractions = static_cast<int>(workers)}).decoders;
    return videos;
}

PairWorker::PairWorker(PartPlace place, HardwareDecoding hwaccel, const ThreadDemand &demand, LogSink log)
    : place_(std::move(place)), hwaccel_(hwaccel), demand_(demand),
      log_(log ? std::move(log) : [this](Severity, std::string_view sentence) {
          if (std::ranges::find(notices_, sentence) == notices_.end())
              notices_.emplace_back(sentence);
      }) {}

Result<FrameNeeds> PairWorker::prepare(const ExtractionRequest &request, const LogSink &log) {
    last_part_ = {};
    TRY(choose_extraction(request));
    needs_ = frame_needs(extraction().planes_read(), extraction().frame_memory(), extraction().device(), demand_);
    needs_.decoding = TRY(find_decoding(log));
    return needs_;
}

/// Brings an extraction that begins with the first frame of the request to the front.
Result<void> PairWorker::choose_extraction(const ExtractionRequest &request) {
    constexpr std::size_t most_kept = 2; // videos may change between two sizes; each keeps threads and memory
    if (std::exchange(failed_, false))
        kept_.pop_front();
    const auto found = std::ranges::find_if(kept_, [&](const Kept &kept) {
        return kept.key == request.key && kept.format == request.format && kept.members == request.members;
    });
    if (found != kept_.end()) {
        kept_.splice(kept_.begin(), kept_, found);
        const Result<void> restarted = segment().restart(request.first_frame);
        failed_ = !restarted;
        return restarted;
    }
    const auto create = [&] {
        return SegmentExtraction::create(request.format, request.scoring, place_.execution, request.first_frame,
                                         request.members);
    };
    Result<SegmentExtraction> created = create();
    if (!created && created.error().code == ErrorCode::out_of_memory && !kept_.empty()) {
        kept_.clear();
        created = create();
    }
    if (!created)
        return tl::unexpected(at_place(created.error(), place_.label));
    kept_.push_front({request.key, request.format, request.members, *std::move(created)});
    if (kept_.size() > most_kept)
        kept_.pop_back();
    return {};
}

/// Who decodes for the extraction in front. The device decodes for those that compute on it, and is asked once.
Result<Decoding> PairWorker::find_decoding(const LogSink &log) {
    const DeviceHandle device = extraction().device();
    if (!device)
        return decoding_for(hwaccel_, device, log_);
    if (!place_.decoding)
        place_.decoding = TRY(decoding_for(hwaccel_, device, log_));
    Decoding decoding = *place_.decoding;
    decoding.log = log;
    return decoding;
}

Result<void> PairWorker::extract(std::span<std::unique_ptr<PairSource>> pairs, const FrameRange &frames,
                                 const PartWatch &watch) {
    PartInWork part(segment(), pairs, needs_.decoding.device.get(), frames.first, watch);
    const LoopObserver observer{
        .stop = watch.stop,
        .ends = [&](std::int64_t frame) { return frame >= frames.first && !watch.goes_on(frame); },
        .cancel = watch.cancelled};
    FrameLoop loop(part, part, frames_to_push(frames, extraction()), observer);
    const double uploaded = extraction().upload_seconds();
    const Result<void> done = guarded([&]() -> Result<void> {
        const Result<VideoEnd> end = loop.run();
        if (!end && watch.in_pieces)
            part.hand_over_rest();
        part.hand_over_last(end && *end == VideoEnd::stopped);
        return end ? Result<void>() : tl::unexpected(end.error());
    });
    last_part_ = {loop.times(), extraction().upload_seconds() - uploaded, loop.next_frame()};
    next_frame_ = part.next_of_first();
    failed_ = !done;
    return done ? done : tl::unexpected(at_place(done.error(), place_.label));
}

Result<void> PairWorker::open(const VideoRequest &videos, const ScoringOptions &scoring, const VideoFormat &format) {
    if (!place_.processors.empty())
        TRY(bind_thread(place_.processors));
    videos_ = &videos;
    TRY(prepare({scoring, format}, log_));
    return {};
}

/// Goes to a pair with the reader that is there, or with another one.
Result<void> PairWorker::read_from(std::int64_t pair, const PartWatch &watch) {
    if (reader_ && reader_->can_go_to()) {
        reading_.moved++;
        return reader_->go_to(pair);
    }
    if (reader_)
        reading_.times.add(reader_->times());
    std::unique_ptr<PairSource> opened = pair == 0 ? std::move(opened_) : nullptr;
    if (!opened) {
        reading_.opened++;
        VideoRequest request = request_of_part(*videos_, static_cast<std::size_t>(demand_.extractions), pair);
        if (needs_.decoding.device && needs_.decoding.required) // software decodes the first picture alone
            request.decode_threads = 1;
        opened = std::move(TRY(open_videos(request, {})).pairs);
    }
    {
        const std::lock_guard lock(mutex_);
        reader_.swap(opened);
        if (cancelled_)
            reader_->cancel();
    }
    opened = nullptr; // the reader before
    FrameNeeds needs = needs_;
    if (watch.watched)
        needs.planes = FrameNeeds().planes;
    return reader_->start(needs);
}

void PairWorker::close() {
    if (reader_)
        reading_.times.add(reader_->times());
    opened_.reset();
    const std::lock_guard lock(mutex_);
    reader_.reset();
}

Result<void> PairWorker::extract_from(std::int64_t first, const PartWatch &watch) {
    next_frame_ = first;
    TRY(segment().restart(first));
    const Result<void> begun = read_from(first_opened_frame({first}), watch);
    if (watch.stop()) { // which makes the reader fail
        watch.extracted(0, {.first_frame = first, .stopped = true});
        return {};
    }
    TRY(begun);
    const Result<void> done = extract({&reader_, 1}, {first}, watch);
    reading_.frames += next_frame_ - first;
    reading_.loop.reading += last_part_.loop.reading;
    reading_.loop.pushing += last_part_.loop.pushing;
    TRY(done);
    add(extraction().execution().work, done_);
    return {};
}

PartReading PairWorker::reading() const {
    PartReading reading = reading_;
    if (reader_)
        reading.times.add(reader_->times());
    if (needs_.decoding.device)
        reading.fetch_seconds = needs_.decoding.device->fetch_seconds();
    return reading;
}

void PairWorker::cancel() {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    if (reader_)
        reader_->cancel();
}

Execution PairWorker::execution() const {
    if (kept_.empty())
        return {.device = place_.label};
    Execution execution = kept_.front().segment.extraction().execution();
    if (!done_.empty())
        execution.work = done_;
    execution.notices.insert(execution.notices.end(), notices_.begin(), notices_.end());
    return execution;
}

} // namespace isovmaf
