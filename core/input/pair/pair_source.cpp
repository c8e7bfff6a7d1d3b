// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/pair_source.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <new>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "input/pair/change_check.hpp"
#include "input/pair/decode_thread.hpp"
#include "input/pair/pair_check.hpp"
#include "input/pair/range_check.hpp"
#include "input/pair/sync.hpp"

namespace isovmaf {

namespace {

/// What frames of one video say about their colours, from when they are read to when they are in a pair or passed over.
class ChangeQueue {
  public:
    void push(ColourChangeHandle change) { changes_.push_back(std::move(change)); }

    /// That of a frame, and none of those before it. Frames are counted from the first that was pushed.
    [[nodiscard]] ColourChangeHandle take(std::int64_t frame) {
        for (; first_ < frame; first_++)
            changes_.pop_front();
        return changes_.front();
    }

  private:
    std::deque<ColourChangeHandle> changes_; ///< from frame `first_` on
    std::int64_t first_ = 0;
};

/// The videos of a PairSource, with all that is compared and counted as they are read.
class TwoVideos final : public PairSource {
  public:
    TwoVideos(std::unique_ptr<FrameSource> reference, std::unique_ptr<FrameSource> distorted,
              const PairOptions &options, SyncResult sync)
        : options_(options), sync_(std::move(sync)), first_pair_(options.first_pair), pairs_(options.first_pair),
          warnings_(options.found),
          reference_(std::move(reference), options.skip_reference, options.first_pair, frame_limit()),
          distorted_(std::move(distorted), options.skip_distorted, options.first_pair, frame_limit()) {
        if (sync_.mode != SyncMode::index)
            by_time_.emplace(side(reference_), side(distorted_), sync_.tolerance_seconds, rounding(),
                             sync_.mode == SyncMode::pts_absolute);
        else
            watch_drift();
        watch_changes();
        if (options_.range_doubt && options_.first_pair == 0)
            range_check_.emplace(*options_.range_doubt, display_name(reference_.info().name),
                                 display_name(distorted_.info().name));
    }

    const VideoFormat &format() const override { return reference_.info().format; }

    std::optional<std::int64_t> expected_pairs() const override {
        std::optional<std::int64_t> least = frames_left();
        const auto consider = [&least](const SourceInfo &info, std::int64_t skip) {
            if (!info.frame_count)
                return;
            const std::int64_t left = std::max<std::int64_t>(*info.frame_count - skip, 0);
            least = std::min(least.value_or(left), left);
        };
        consider(reference_.info(), options_.skip_reference + options_.first_pair);
        consider(distorted_.info(), options_.skip_distorted + options_.first_pair);
        return least;
    }

    Result<void> start(const FrameNeeds &needs) override try {
        if (std::exchange(started_, true))
            return {};
        ended_ = true;
        decoding_ = needs.decoding.device;
        TRY(reference_.start(needs));
        TRY(distorted_.start(needs));
        ended_ = false;
        return {};
    } catch (const std::system_error &error) {
        ended_ = true;
        return fail(ErrorCode::io, fmt::format("cannot start a decoding thread: {}", error.what()));
    }

    bool can_go_to() const override { return !by_time_ && reference_.can_go_to() && distorted_.can_go_to(); }

    Result<void> go_to(std::int64_t first_pair) override try {
        ended_ = true;
        first_pair_ = pairs_ = first_pair;
        warnings_ = options_.found;
        notes_.clear();
        range_check_.reset();
        watch_drift();
        watch_changes();
        reference_.go_to(first_pair, frame_limit());
        distorted_.go_to(first_pair, frame_limit());
        ended_ = false;
        return {};
    } catch (const std::system_error &error) {
        return fail(ErrorCode::io, fmt::format("cannot start a decoding thread: {}", error.what()));
    }

    Result<std::optional<FramePair>> read() override {
        TRY(start({}));
        if (ended_)
            return std::nullopt;
        ended_ = true; // an error ends the reading as well
        if (pairs_ == options_.frame_count) {
            TRY(check_range(nullptr));
            report_interlaced();
            return std::nullopt;
        }
        auto pair = by_time_ ? TRY(read_by_time()) : TRY(read_by_index());
        TRY(check_range(pair ? &*pair : nullptr));
        if (pair) {
            TRY(check_changes());
            ended_ = false;
            pairs_++;
        } else {
            report_interlaced();
        }
        return pair;
    }

    SyncResult sync() const override {
        SyncResult result = sync_;
        if (by_time_) {
            for (const std::int64_t frame : by_time_->unpaired_reference())
                result.dropped.push_back(frame + options_.skip_reference + options_.first_pair);
            for (const std::int64_t frame : by_time_->unpaired_distorted())
                result.repeated.push_back(frame + options_.skip_distorted + options_.first_pair);
        }
        return result;
    }

    std::pair<std::string, std::string> decoders() const override {
        return {reference_.decoder(), distorted_.decoder()};
    }

    void watch_unpaired(TimePairing::Watcher watcher) override {
        if (by_time_)
            by_time_->watch([this, watcher = std::move(watcher)](bool of_reference, const Frame &frame) {
                if (const Result<Frame> seen = luma(frame)) // scoring fails where the device does
                    watcher(of_reference, *seen);
            });
    }

    ReadTimes times() const override {
        return {{reference_.reading_seconds(), reference_.converting_seconds()},
                {distorted_.reading_seconds(), distorted_.converting_seconds()}};
    }

    std::vector<PairWarning> warnings(std::int64_t first, std::optional<std::int64_t> end) const override {
        return with_interlaced(warnings_, FindingKind::warning, first, end);
    }

    std::vector<PairWarning> notes(std::int64_t first, std::optional<std::int64_t> end) const override {
        return with_interlaced(notes_, FindingKind::note, first, end);
    }

    bool doubts_range() const override { return range_check_ && !range_check_->decided(); }

    Result<void> add(PairWarning warning) {
        if (options_.strict)
            return fail(ErrorCode::mismatch, std::move(warning.sentence));
        warn(options_.log, warning.sentence);
        warnings_.push_back(std::move(warning));
        return {};
    }

    void cancel() override {
        reference_.cancel();
        distorted_.cancel();
    }

  private:
    void watch_drift() {
        drift_.emplace(reference_.info(), options_.skip_reference, distorted_.info(), options_.skip_distorted);
    }

    void watch_changes() {
        if (!options_.colours)
            return;
        change_check_.emplace(*options_.colours, options_.strict);
        changes_ = {};
    }

    /// Looks at the pair that was read.
    Result<void> check_changes() {
        if (!change_check_)
            return {};
        const std::int64_t pair = pairs_ - first_pair_;
        const auto passed_over = [](const std::vector<std::int64_t> &frames) {
            return static_cast<std::int64_t>(frames.size());
        };
        const std::int64_t reference = pair + (by_time_ ? passed_over(by_time_->unpaired_reference()) : 0);
        const std::int64_t distorted = pair + (by_time_ ? passed_over(by_time_->unpaired_distorted()) : 0);
        const ColourComparison &videos = change_check_->videos();
        const auto found = change_check_->see(
            pairs_, {videos.reference, changes_[0].take(reference), reference + options_.skip_reference + first_pair_},
            {videos.distorted, changes_[1].take(distorted), distorted + options_.skip_distorted + first_pair_});
        for (const auto &[kind, warning] : found) {
            if (kind == FindingKind::error)
                return fail(ErrorCode::mismatch, warning.sentence);
            (kind == FindingKind::warning ? warnings_ : notes_).push_back(warning);
            if (kind == FindingKind::warning)
                warn(options_.log, warning.sentence);
        }
        return {};
    }

    /// At the end of the videos.
    void report_interlaced() const {
        if (!change_check_ || change_check_->interlaced_kind() != FindingKind::warning)
            return;
        for (const PairWarning &warning : change_check_->interlaced(0, {}))
            warn(options_.log, warning.sentence);
    }

    /// `remarks`, which are warnings or notes, and what is said of interlaced frames if that is of the same kind.
    std::vector<PairWarning> with_interlaced(std::vector<PairWarning> remarks, FindingKind kind, std::int64_t first,
                                             std::optional<std::int64_t> end) const {
        if (change_check_ && change_check_->interlaced_kind() == kind)
            add_warnings(remarks, change_check_->interlaced(first, end));
        return remarks;
    }

    /// Looks at the next pair, or at the end of the videos.
    Result<void> check_range(const FramePair *pair) {
        if (!range_check_ || range_check_->decided())
            return {};
        const std::optional<RangeCheck::Outcome> outcome =
            pair ? range_check_->see({TRY(luma(pair->reference)), TRY(luma(pair->distorted))}) : range_check_->end();
        if (!outcome)
            return {};
        if (outcome->kind == FindingKind::error)
            return fail(ErrorCode::mismatch, outcome->sentence);
        if (outcome->kind == FindingKind::warning)
            return add({PairWarning::colours, outcome->sentence});
        notes_.push_back({PairWarning::colours, outcome->sentence});
        return {};
    }

    /// A frame whose luma lies in host memory.
    Result<Frame> luma(const Frame &frame) const { return frame.device() ? decoding_->fetch(frame, 1) : frame; }

    /// How many frames of each side are needed at most. By time, frames may be passed over.
    std::optional<std::int64_t> frame_limit() const {
        return sync_.mode == SyncMode::index ? frames_left() : std::nullopt;
    }

    /// How many pairs may be read.
    std::optional<std::int64_t> frames_left() const {
        return options_.frame_count ? std::optional(*options_.frame_count - first_pair_) : std::nullopt;
    }

    Result<std::optional<Frame>> next(DecodeThread &thread) {
        auto read = TRY(thread.next());
        if (const std::string warning = read ? "" : thread.end_warning(); !warning.empty())
            TRY(add({PairWarning::cut_short, warning}));
        if (!read)
            return std::nullopt;
        if (change_check_)
            changes_[&thread == &reference_ ? 0 : 1].push(std::move(read->change));
        return std::move(read->frame);
    }

    TimePairing::Video side(DecodeThread &thread) {
        return {display_name(thread.info().name), [this, &thread] { return next(thread); }};
    }

    Result<std::optional<FramePair>> read_by_index() {
        auto reference = TRY(next(reference_));
        auto distorted = TRY(next(distorted_));
        if (!reference || !distorted)
            return end(!reference, !distorted);
        TRY(check_drift(*reference, *distorted));
        return FramePair{*std::move(reference), *std::move(distorted)};
    }

    Result<std::optional<FramePair>> read_by_time() {
        auto pair = TRY(by_time_->next());
        if (pair)
            return pair;
        if (pairs_ == first_pair_)
            return fail(ErrorCode::mismatch,
                        fmt::format("no frame of {} is shown within {:.3f} s of a frame of {}; use --sync pts to count "
                                    "times from the first frame of each video, or a larger --sync-tolerance",
                                    display_name(distorted_.info().name), sync_.tolerance_seconds,
                                    display_name(reference_.info().name)));
        const double most = longest_gap(by_time_->reference_ended());
        const double left = TRY(by_time_->seconds_left(most));
        TRY(check_partners());
        return left <= most ? std::nullopt : end_early(goes_on_text(left));
    }

    /// Videos that are paired by time because both have variable rates have the same times, or frames were dropped.
    Result<void> check_partners() {
        const std::size_t reference = by_time_->unpaired_reference().size();
        const std::size_t distorted = by_time_->unpaired_distorted().size();
        if (options_.sync.mode != SyncMode::automatic || rates_differ(reference_.info(), distorted_.info()) ||
            reference + distorted == 0)
            return {};
        const auto frames = [](std::size_t count) { return fmt::format("{} frame{}", count, count == 1 ? "" : "s"); };
        return add({PairWarning::dropped_frames,
                    fmt::format("{} of reference {} and {} of distorted {} have no partner within {:.6g} s: frames "
                                "seem to be dropped or repeated; use --sync index if both videos hold the same frames",
                                frames(reference), display_name(reference_.info().name), frames(distorted),
                                display_name(distorted_.info().name), sync_.tolerance_seconds)});
    }

    /// See rounding_seconds.
    double rounding() const {
        return rounding_seconds(half_frame_seconds(reference_.info(), distorted_.info()).value_or(0));
    }

    /// By how much the last frame of the longer video can be later than that of the shorter one although both are as
    /// long: their ends are within half a frame of the slower video, where converters of rates put them.
    double longest_gap(bool reference_ended) const {
        const auto frame = [this](const DecodeThread &video) {
            return video.info().timing.seconds_of(1).value_or(2 * sync_.tolerance_seconds);
        };
        const double shorter = frame(reference_ended ? reference_ : distorted_);
        const double longer = frame(reference_ended ? distorted_ : reference_);
        return std::max(sync_.tolerance_seconds, shorter - longer + std::max(shorter, longer) / 2 + rounding());
    }

    /// `left`: what was read of the longer video after the last frame of the shorter one. Its file may state more.
    std::string goes_on_text(double left) const {
        const bool distorted_longer = by_time_->reference_ended();
        const SourceInfo &longer = (distorted_longer ? distorted_ : reference_).info();
        const std::int64_t read = by_time_->longer_frames() + options_.first_pair +
                                  (distorted_longer ? options_.skip_distorted : options_.skip_reference);
        const auto stated = longer.timing.seconds_of(longer.frame_count.value_or(read) - read);
        const bool states_more = stated && *stated > 0;
        return fmt::format("{} {} goes on for {} {:.3f} s after the last frame of {}",
                           distorted_longer ? "distorted" : "reference", display_name(longer.name),
                           states_more ? "about" : "at least", states_more ? left + *stated : left,
                           display_name((distorted_longer ? reference_ : distorted_).info().name));
    }

    /// The first pair of all may have been passed over: see PairSource::read.
    Result<void> check_drift(const Frame &reference, const Frame &distorted) {
        if (pairs_ == first_pair_)
            drift_->start(reference_.first_seconds(), distorted_.first_seconds());
        if (auto sentence = drift_->see(pairs_, reference, distorted))
            return add({PairWarning::dropped_frames, *std::move(sentence)});
        return {};
    }

    Result<std::optional<FramePair>> end(bool reference_ended, bool distorted_ended) {
        if (pairs_ == first_pair_)
            return reference_ended ? nothing_to_score(reference_.info(), options_.skip_reference + pairs_)
                                   : nothing_to_score(distorted_.info(), options_.skip_distorted + pairs_);
        if (reference_ended && distorted_ended)
            return std::nullopt;
        const std::string lengths =
            fmt::format("reference {} has {} frames, distorted {} has {}", display_name(reference_.info().name),
                        count_text(reference_.info(), options_.skip_reference, reference_ended),
                        display_name(distorted_.info().name),
                        count_text(distorted_.info(), options_.skip_distorted, distorted_ended));
        return end_early(lengths);
    }

    Result<std::optional<FramePair>> end_early(const std::string &lengths) {
        if (options_.strict)
            return fail(ErrorCode::mismatch, lengths + ", and strict scoring wants equal lengths");
        TRY(add({PairWarning::lengths, fmt::format("{}; the {} frames that both have are scored", lengths, pairs_)}));
        return std::nullopt;
    }

    static tl::unexpected<Error> nothing_to_score(const SourceInfo &info, std::int64_t skip) {
        return fail(ErrorCode::corrupt_data, skip > 0
                                                 ? fmt::format("{} has no frame left after the {} that are skipped",
                                                               display_name(info.name), skip)
                                                 : fmt::format("{} holds no whole frame", display_name(info.name)));
    }

    /// Number of frames of one side after its skip. The number that a file states is used only when it is larger than
    /// the number of frames that were read.
    std::string count_text(const SourceInfo &info, std::int64_t skip, bool at_end) const {
        if (at_end)
            return fmt::format("{}", pairs_);
        if (info.frame_count && *info.frame_count - skip > pairs_)
            return fmt::format("{}", *info.frame_count - skip);
        return fmt::format("more than {}", pairs_);
    }

    const PairOptions options_;
    const SyncResult sync_;
    std::int64_t first_pair_;
    std::int64_t pairs_; ///< that `read` has returned, and those before the first one
    std::vector<PairWarning> warnings_;
    std::vector<PairWarning> notes_;
    std::optional<ChangeCheck> change_check_;
    std::array<ChangeQueue, 2> changes_; ///< of the reference and of the distorted video
    std::optional<RangeCheck> range_check_;
    bool started_ = false;
    bool ended_ = false;
    std::shared_ptr<DecodingDevice> decoding_; ///< null: frames lie in host memory
    DecodeThread reference_;
    DecodeThread distorted_;
    std::optional<DriftCheck> drift_;    ///< of pairs by number
    std::optional<TimePairing> by_time_; ///< else
};

} // namespace

Result<std::unique_ptr<PairSource>> PairSource::create(std::unique_ptr<FrameSource> reference,
                                                       std::unique_ptr<FrameSource> distorted,
                                                       const PairOptions &options) try {
    SyncResult sync = TRY(check_pair(reference->info(), distorted->info(), options));
    return std::make_unique<TwoVideos>(std::move(reference), std::move(distorted), options, std::move(sync));
} catch (const std::bad_alloc &) {
    return fail(ErrorCode::out_of_memory, "not enough memory to read two videos");
}

} // namespace isovmaf
