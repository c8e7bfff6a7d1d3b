// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/hashes.hpp"
#include "base/try.hpp"
#include "engine/extraction.hpp"
#include "engine/guarded.hpp"
#include "engine/plan/bind_models.hpp"
#include "engine/words/segments.hpp"
#include "engine/words/words_schema.hpp"

namespace isovmaf {

namespace {

/// Makes the words file of one member: of its frames as they are pushed, and of their words as they come.
class WordRecorder final : public WordSink {
  public:
    /// Digests of both pictures of a pair. Throws Failure.
    using Digester = std::function<PairDigest(const FramePair &)>;

    WordRecorder(WordsFile started, Digester digest) : file_(std::move(started)), digest_(std::move(digest)) {}

    void see(std::int64_t frame, const FramePair &pair) override {
        if (frame < file_.first_frame) {
            file_.lead_in.push_back(digest_(pair));
            return;
        }
        file_.frame_count++;
        last_.push_back(pair);
        if (last_.size() > file_.last_count())
            last_.erase(last_.begin());
    }

    void take(const WordsOfFrame &words) override {
        for (const ConstWords row : words.features)
            file_.words.insert(file_.words.end(), row.begin(), row.end());
        ends_.push_back(file_.words.size());
    }

    void end() override {}

    /// The words of the frames that are ready, but for the last ones, which the rest of the segment has.
    std::optional<WordsFile> take_words() {
        return take_first(file_.frame_count - static_cast<std::int64_t>(file_.last_count()));
    }

    /// The words of the first frames that are ready, `most` at most.
    std::optional<WordsFile> take_first(std::int64_t most) {
        const std::int64_t count = std::min(static_cast<std::int64_t>(ends_.size()), most);
        if (count <= 0)
            return std::nullopt;
        WordsFile taken = emptied_file();
        taken.frame_count = count;
        taken.lead_in = std::exchange(file_.lead_in, {});
        taken.words = take_words_of(static_cast<std::size_t>(count));
        file_.first_frame += count;
        file_.frame_count -= count;
        return taken;
    }

    /// The rest of the segment. Fails when it has no frame. Throws Failure.
    Result<WordsFile> finish(bool ends_video) {
        if (file_.frame_count == 0)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("the segment from frame {} on has no frame", file_.first_frame));
        file_.ends_video = ends_video;
        for (const FramePair &pair : std::exchange(last_, {}))
            file_.last.push_back(digest_(pair));
        ends_.clear();
        return std::exchange(file_, emptied_file());
    }

    /// Begins another segment.
    void restart(std::int64_t first_frame) {
        file_ = emptied_file();
        file_.first_frame = first_frame;
        last_.clear();
        ends_.clear();
    }

  private:
    /// A file of the same kind without frames.
    [[nodiscard]] WordsFile emptied_file() const {
        WordsFile file;
        file.schema = file_.schema;
        file.first_frame = file_.first_frame;
        return file;
    }

    /// Moves the words of the first frames out of the file.
    std::vector<std::int64_t> take_words_of(std::size_t frames) {
        const std::size_t count = ends_[frames - 1];
        const auto end = file_.words.begin() + static_cast<std::ptrdiff_t>(count);
        std::vector<std::int64_t> taken(file_.words.begin(), end);
        file_.words.erase(file_.words.begin(), end);
        ends_.erase(ends_.begin(), ends_.begin() + static_cast<std::ptrdiff_t>(frames));
        for (std::size_t &each : ends_)
            each -= count;
        return taken;
    }

    WordsFile file_;                ///< without `last`
    std::vector<FramePair> last_;   ///< whose digests `last` of the file may need
    std::vector<std::size_t> ends_; ///< how many words the file has with each of its frames
    Digester digest_;
};

/// Of the first planes.
std::uint64_t frame_digest(const Frame &frame, int plane_count) {
    std::uint64_t hash = 0;
    for (int p = 0; p < plane_count; p++) {
        const Plane plane = frame.plane(p);
        const auto row_bytes = static_cast<std::size_t>(plane.width * frame.format().bytes_per_sample());
        for (int y = 0; y < plane.height; y++)
            hash = xxh64({plane.row<std::byte>(y), row_bytes}, hash);
    }
    return hash;
}

Result<void> check_first_frame(std::int64_t first_frame, const EnginePlan &plan) {
    if (first_frame < 0)
        return fail(ErrorCode::invalid_argument, fmt::format("a segment cannot start with frame {}", first_frame));
    const auto writes_maps = std::ranges::find_if(plan.features, &PlannedFeature::writes_maps);
    if (first_frame > 0 && writes_maps != plan.features.end())
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("feature {} writes maps of whole videos alone ({}): leave the option out, or begin with "
                        "frame 0",
                        writes_maps->feature->name, writes_maps->feature->maps_option));
    return {};
}

} // namespace

class SegmentExtraction::Impl {
  public:
    Impl(EnginePlan made_plan, OpenedScheduler scheduler, const WordsFile &started, std::size_t members)
        : plan(std::move(made_plan)), recorders(members, {started, digester()}),
          extraction(std::move(scheduler), plan, started.schema.subsample, sinks(), started.first_frame) {}

    Result<void> restart(std::int64_t first_frame) {
        TRY(extraction.restart(sinks(), first_frame));
        for (WordRecorder &recorder : recorders)
            recorder.restart(first_frame);
        return {};
    }

    EnginePlan plan;
    std::vector<WordRecorder> recorders; ///< of each member
    Extraction extraction;               // after what its threads read and its words go to

  private:
    WordRecorder::Digester digester() {
        return [this](const FramePair &pair) -> PairDigest {
            const int planes = extraction.planes_read();
            return {frame_digest(extraction.fetch(pair.reference, planes), planes),
                    frame_digest(extraction.fetch(pair.distorted, planes), planes)};
        };
    }

    std::vector<WordSink *> sinks() {
        std::vector<WordSink *> sinks;
        for (WordRecorder &recorder : recorders)
            sinks.push_back(&recorder);
        return sinks;
    }
};

Result<SegmentExtraction> SegmentExtraction::create(const VideoFormat &format, const ScoringOptions &scoring,
                                                    const ExecutionHandle &execution, std::int64_t first_frame,
                                                    std::size_t members) {
    const FeatureSet features = TRY(load_requested(scoring, format.height)).features;
    EnginePlan plan =
        TRY(make_plan(features, {format, scoring.semantics, execution->cpu_level(), ChromaEdge::present}));
    TRY(check_first_frame(first_frame, plan));
    OpenedScheduler scheduler = TRY(open_scheduler(*execution, plan, members));
    WordsFile started;
    started.schema = describe_schema(features, plan, scoring.subsample);
    started.first_frame = first_frame;
    return guarded([&]() -> Result<SegmentExtraction> {
        return SegmentExtraction(std::make_unique<Impl>(std::move(plan), std::move(scheduler), started, members));
    });
}

SegmentExtraction::SegmentExtraction(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SegmentExtraction::~SegmentExtraction() = default;
SegmentExtraction::SegmentExtraction(SegmentExtraction &&) noexcept = default;
SegmentExtraction &SegmentExtraction::operator=(SegmentExtraction &&) noexcept = default;

Extraction &SegmentExtraction::extraction() const { return impl_->extraction; }

Result<WordsFile> SegmentExtraction::finish(bool ends_video, std::size_t member) {
    TRY(impl_->extraction.finish(member));
    return guarded([&] { return impl_->recorders[member].finish(ends_video); });
}

Result<void> SegmentExtraction::restart(std::int64_t first_frame) {
    TRY(check_first_frame(first_frame, impl_->plan));
    return impl_->restart(first_frame);
}

Result<std::optional<WordsFile>> SegmentExtraction::take_words(std::size_t member) {
    return guarded([&]() -> Result<std::optional<WordsFile>> { return impl_->recorders[member].take_words(); });
}

Result<std::optional<WordsFile>> SegmentExtraction::take_rest(std::size_t member) {
    (void)impl_->extraction.collect(); // fails as the call before did
    return guarded([&]() -> Result<std::optional<WordsFile>> {
        return impl_->recorders[member].take_first(std::numeric_limits<std::int64_t>::max());
    });
}

std::int64_t first_opened_frame(const FrameRange &frames) {
    return std::max<std::int64_t>(0, frames.first - max_lead_in);
}

LoopFrames frames_to_push(const FrameRange &frames, const Extraction &extraction) {
    return {first_opened_frame(frames), frames.first - extraction.lead_in(), frames.end};
}

} // namespace isovmaf
