// SPDX-License-Identifier: BSD-2-Clause-Patent
// Units that share a reference.
#include <algorithm>
#include <utility>

#include "base/try.hpp"
#include "batch/work/unit.hpp"
#include "batch/work/unit_extractor.hpp"
#include "engine/guarded.hpp"
#include "input/pair/shared_source.hpp"
#include "input/raw/planar_reader.hpp"

namespace isovmaf::batch {

namespace {

using Requests = std::span<const UnitExtractor::Request>;

/// The pairs of all units, read side by side: the next pair of each before the one after it.
class PairsSideBySide {
  public:
    /// The result of reading a unit's next pair.
    enum class Next : std::uint8_t { picture, end, failure };

    /// Opens every pair that can be read beside the others.
    Result<void> open(Requests requests, std::unique_ptr<FrameSource> reference) {
        requests_ = requests;
        pairs_.resize(requests.size());
        auto references = TRY(share_source(std::move(reference), requests.size()));
        for (std::size_t m = 0; m < requests.size(); m++)
            if (Result<OpenedVideos> opened =
                    open_videos(videos_from(requests[m].job, first_opened_frame(requests[m].frames)),
                                std::move(references[m]), requests[m].log))
                add(m, std::move(opened->pairs));
        if (!any())
            return fail(ErrorCode::unsupported, "none of the pairs can be read side by side");
        return {};
    }

    [[nodiscard]] const VideoFormat &format() const { return format_; }
    [[nodiscard]] bool has(std::size_t member) const { return pairs_[member] != nullptr; }
    [[nodiscard]] bool any() const {
        return std::ranges::any_of(pairs_, [](const auto &pair) { return pair != nullptr; });
    }

    /// Forgets the reference picture, before the next pair of each unit is read.
    void next_frame() { reference_ = {}; }

    /// Reads the next pair of a unit. When the pair is no picture, the unit is closed.
    Next read(std::size_t member, Frame &distorted) {
        Result<std::optional<FramePair>> pair = pairs_[member]->read();
        const Next next = !pair || (*pair && !has_reference(**pair)) ? Next::failure
                          : *pair                                    ? Next::picture
                                                                     : Next::end;
        if (next == Next::picture)
            distorted = std::move((*pair)->distorted);
        else
            pairs_[member].reset(); // a reader that stands still would stop the others
        return next;
    }

    [[nodiscard]] const Frame &reference() const { return reference_; }

  private:
    void add(std::size_t member, std::unique_ptr<PairSource> pairs) {
        if (!any())
            format_ = pairs->format();
        if (pairs->sync().mode == SyncMode::index && pairs->format() == format_)
            pairs_[member] = std::move(pairs);
    }

    /// Whether the pair has the reference picture of the others, and not one that was made from it.
    bool has_reference(const FramePair &pair) {
        if (!reference_)
            reference_ = pair.reference;
        return pair.reference.owner() == reference_.owner() && pair.reference.plane(0).data == reference_.plane(0).data;
    }

    Requests requests_;
    std::vector<std::unique_ptr<PairSource>> pairs_; ///< null for a unit that does not take part
    VideoFormat format_;
    Frame reference_;
};

/// Extracts the units of one group. A failure concerns all units that are not finished.
class GroupExtraction {
  public:
    GroupExtraction(Requests requests, PairsSideBySide &pairs, SegmentExtraction &extraction, StageTimes &times)
        : requests_(requests), frames_(requests[0].frames), pairs_(pairs), extraction_(extraction), times_(times),
          words_(requests.size()), distorted_(requests.size()), next_(first_opened_frame(frames_)) {}

    Result<void> run() {
        for (std::size_t m = 0; m < requests_.size(); m++)
            if (!pairs_.has(m))
                drop(m);
        while (next_ < frames_.first - extraction_.lead_in() && TRY(read()))
            next_++;
        for (; pairs_.any() && (!frames_.end || next_ < *frames_.end); next_++)
            if (TRY(read()))
                TRY(push());
        return end();
    }

    /// The words of a unit that was finished.
    [[nodiscard]] std::optional<WordsFile> take_words(std::size_t member) { return std::move(words_[member]); }

  private:
    /// Reads the next pair of every unit. False when no unit is left.
    Result<bool> read() {
        if (requests_[0].cancelled())
            return fail(ErrorCode::interrupted, "the work was interrupted");
        pairs_.next_frame();
        for (std::size_t m = 0; m < requests_.size(); m++) {
            distorted_[m] = {};
            if (pairs_.has(m))
                handle(m, timed_read(m));
        }
        return pairs_.any();
    }

    PairsSideBySide::Next timed_read(std::size_t member) {
        const StageClock clock(times_.decode);
        return pairs_.read(member, distorted_[member]);
    }

    void handle(std::size_t member, PairsSideBySide::Next next) {
        if (next == PairsSideBySide::Next::end)
            finish(member, true);
        else if (next == PairsSideBySide::Next::failure)
            drop(member);
    }

    Result<void> push() {
        const StageClock clock(times_.kernels);
        return extraction_.push(pairs_.reference(), distorted_);
    }

    /// Ends the units that are left: whether their videos end too shows when one more pair is read.
    Result<void> end() {
        if (pairs_.any())
            TRY(read());
        for (std::size_t m = 0; m < requests_.size(); m++)
            if (pairs_.has(m))
                finish(m, false);
        return {};
    }

    /// Takes the words of a unit, if it has any.
    void finish(std::size_t member, bool ends_video) {
        const StageClock clock(times_.kernels);
        if (Result<WordsFile> words = extraction_.finish(ends_video, member))
            words_[member] = *std::move(words);
    }

    /// Leaves a unit to be extracted alone.
    void drop(std::size_t member) { (void)extraction_.finish(false, member); }

    const Requests requests_;
    const FrameRange frames_;
    PairsSideBySide &pairs_;
    SegmentExtraction &extraction_;
    StageTimes &times_;
    std::vector<std::optional<WordsFile>> words_;
    std::vector<Frame> distorted_; ///< of the frame `next_`; empty for units that do not take part
    std::int64_t next_;
};

} // namespace

std::size_t most_in_group(const VideoFormat &format) {
    constexpr std::uint64_t budget_bytes = std::uint64_t{2} << 30, pictures_per_unit = 24;
    return std::max<std::uint64_t>(1, budget_bytes / (pictures_per_unit * stored_frame_bytes(format)));
}

void UnitExtractor::prepare(Requests requests) {
    prepared_.clear();
    auto reference = open_reference(requests[0].job.videos, requests[0].log);
    if (!reference)
        return;
    const std::size_t parts = (requests.size() - 1) / most_in_group((*reference)->info().format) + 1;
    for (std::size_t part = 0; part < parts; part++) {
        const std::size_t begin = requests.size() * part / parts;
        const std::size_t count = requests.size() * (part + 1) / parts - begin;
        if (count > 1) // a unit that fails here fails again alone, and says why
            (void)guarded([&] {
                return extract_side_by_side(requests.subspan(begin, count), std::exchange(*reference, nullptr));
            });
    }
}

Result<void> UnitExtractor::extract_side_by_side(Requests requests, std::unique_ptr<FrameSource> reference) {
    StageTimes times;
    PairsSideBySide pairs;
    {
        const StageClock clock(times.decode);
        if (!reference)
            reference = TRY(open_reference(requests[0].job.videos, requests[0].log));
        TRY(pairs.open(requests, std::move(reference)));
    }
    Kept kept = TRY(take(requests[0], pairs.format(), requests.size()));
    const double uploaded = kept.extraction.upload_seconds();
    GroupExtraction extraction(requests, pairs, kept.extraction, times);
    const Result<void> done = extraction.run();
    times.upload = kept.extraction.upload_seconds() - uploaded;
    for (std::size_t m = 0; m < requests.size(); m++)
        if (std::optional<WordsFile> words = extraction.take_words(m))
            prepared_.emplace(requests[m].key, Prepared{*std::move(words), times / requests.size()});
    if (done)
        keep(std::move(kept));
    return done;
}

void UnitExtractor::set_key(const std::string &before, std::string key) {
    auto prepared = prepared_.extract(before);
    prepared.key() = std::move(key);
    prepared_.insert(std::move(prepared));
}

std::optional<WordsFile> UnitExtractor::take_prepared(const std::string &key, StageTimes &times) {
    auto prepared = prepared_.extract(key);
    if (!prepared)
        return std::nullopt;
    times += prepared.mapped().times;
    return std::move(prepared.mapped().words);
}

} // namespace isovmaf::batch
