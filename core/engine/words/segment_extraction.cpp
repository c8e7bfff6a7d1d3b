// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/hashes.hpp"
#include "base/try.hpp"
#include "engine/extraction.hpp"
#include "engine/guarded.hpp"
#include "engine/plan/bind_models.hpp"
#include "engine/plan/map_request.hpp"
#include "engine/schedule/incoming_frame.hpp"
#include "engine/words/segments.hpp"
#include "engine/words/words_schema.hpp"

namespace isovmaf {

namespace {

/// Appends the words of each frame to a words file.
class WordRecorder final : public WordSink {
  public:
    explicit WordRecorder(WordsFile &file) : file_(file) {}

    void take(const WordsOfFrame &words) override {
        for (const ConstWords row : words.features)
            file_.words.insert(file_.words.end(), row.begin(), row.end());
        ends_.push_back(file_.words.size());
    }
    void end() override {}

    /// How many frames have their words in the file.
    [[nodiscard]] std::size_t frames() const { return ends_.size(); }

    /// Moves the words of the first frames out of the file.
    std::vector<std::int64_t> take_first(std::size_t frames) {
        const std::size_t count = frames == 0 ? 0 : ends_[frames - 1];
        const auto end = file_.words.begin() + static_cast<std::ptrdiff_t>(count);
        std::vector<std::int64_t> taken(file_.words.begin(), end);
        file_.words.erase(file_.words.begin(), end);
        ends_.erase(ends_.begin(), ends_.begin() + static_cast<std::ptrdiff_t>(frames));
        for (std::size_t &each : ends_)
            each -= count;
        return taken;
    }

    void restart() { ends_.clear(); }

  private:
    WordsFile &file_;
    std::vector<std::size_t> ends_; ///< how many words the file has with each of its frames
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

Result<void> check_first_frame(std::int64_t first_frame) {
    if (first_frame < 0)
        return fail(ErrorCode::invalid_argument, fmt::format("a segment cannot start with frame {}", first_frame));
    return {};
}

} // namespace

class SegmentExtraction::Impl {
  public:
    Impl(EnginePlan made_plan, OpenedScheduler scheduler, const WordsFile &started, std::size_t members)
        : plan(std::move(made_plan)), files(members, started), last(members), recorders(files.begin(), files.end()),
          extraction(std::move(scheduler), plan, started.schema.subsample, sinks(), started.first_frame),
          pool(plan.context.format) {
        begin(started.first_frame);
    }

    [[nodiscard]] const VideoFormat &format() const { return plan.context.format; }

    /// Checks the frames, and copies those without an owner.
    Result<void> enter(const Frame &pushed_reference, std::span<const Frame> pushed_distorted) {
        const FrameEntrance entrance{format(), extraction.device(), extraction.planes_to_check()};
        reference = TRY(enter_frame(pushed_reference, entrance, pool, {"the reference", next_frame}));
        distorted.assign(pushed_distorted.size(), {});
        for (std::size_t member = 0; member < distorted.size(); member++)
            if (pushed_distorted[member])
                distorted[member] =
                    TRY(enter_frame(pushed_distorted[member], entrance, pool, {"the distorted video", next_frame}));
        next_frame++;
        return {};
    }

    /// Forgets the entered frames, whose owners may wait.
    void let_go() {
        reference = {};
        std::ranges::fill(distorted, Frame());
    }

    /// Counts a frame of each member that has one, and keeps the pictures whose digests the words file may need.
    void record() {
        for (std::size_t member = 0; member < files.size(); member++) {
            if (!distorted[member])
                continue;
            WordsFile &file = files[member];
            const FramePair pair{reference, distorted[member]};
            if (lead_in_left[member] > 0) {
                lead_in_left[member]--;
                file.lead_in.push_back(digest_of(pair));
                continue;
            }
            file.frame_count++;
            last[member].push_back(pair);
            if (last[member].size() > file.last_count())
                last[member].erase(last[member].begin());
        }
    }

    Result<void> restart(std::int64_t first_frame) {
        TRY(extraction.restart(sinks(), first_frame));
        begin(first_frame);
        for (WordsFile &file : files) {
            file.first_frame = first_frame;
            file.lead_in.clear();
            file.frame_count = 0;
            file.words.clear();
        }
        last.assign(files.size(), {});
        for (WordRecorder &recorder : recorders)
            recorder.restart();
        return {};
    }

    /// The words of the frames that are ready, but for the last ones, which the rest of the segment has.
    std::optional<WordsFile> take_words(std::size_t member) {
        WordsFile &file = files[member];
        const auto kept = static_cast<std::int64_t>(file.last_count());
        const auto ready = static_cast<std::int64_t>(recorders[member].frames());
        const std::int64_t count = std::min(ready, file.frame_count - kept);
        if (count <= 0)
            return std::nullopt;
        WordsFile taken;
        taken.schema = file.schema;
        taken.first_frame = file.first_frame;
        taken.frame_count = count;
        taken.lead_in = std::move(file.lead_in);
        taken.words = recorders[member].take_first(static_cast<std::size_t>(count));
        file.lead_in.clear();
        file.first_frame += count;
        file.frame_count -= count;
        return taken;
    }

    /// The words of a member's segment. The schema stays, for another segment. Throws Failure.
    WordsFile take_file(std::size_t member, bool ends_video) {
        std::vector<PairDigest> digests;
        for (const FramePair &pair : std::exchange(last[member], {}))
            digests.push_back(digest_of(pair));
        WordsFile complete = std::move(files[member]);
        complete.ends_video = ends_video;
        complete.last = std::move(digests);
        files[member].schema = complete.schema;
        files[member].frame_count = 0;
        return complete;
    }

    EnginePlan plan;
    std::vector<WordsFile> files;             ///< of each member, without `last`
    std::vector<std::vector<FramePair>> last; ///< of each member: pictures for `last` of its file
    std::vector<WordRecorder> recorders;
    Extraction extraction; // after what its threads read and its words go to
    FramePool pool;        ///< of frames that were pushed without an owner
    Frame reference;       ///< pushed last
    std::vector<Frame> distorted;
    std::optional<Error> failure;       ///< of a push
    int lead_in = 0;                    ///< pairs before the first frame of the segment
    std::vector<int> lead_in_left = {}; ///< of each member: those that are to come
    int unread = 0;                     ///< pairs to come whose digests alone are recorded
    std::int64_t next_frame = 0;        ///< of the video: the one that is pushed next

  private:
    /// Begins to count the pairs of a segment.
    void begin(std::int64_t first_frame) {
        unread = count_unread(first_frame);
        lead_in = extraction.lead_in() + unread;
        lead_in_left.assign(files.size(), lead_in);
        next_frame = first_frame - lead_in;
    }

    PairDigest digest_of(const FramePair &pair) {
        const int planes = plan.planes_read();
        return {frame_digest(extraction.fetch(pair.reference, planes), planes),
                frame_digest(extraction.fetch(pair.distorted, planes), planes)};
    }

    /// Neighbouring segments have a frame in common, also where extractors read no earlier one.
    [[nodiscard]] int count_unread(std::int64_t first_frame) const {
        return first_frame > 0 && extraction.lead_in() == 0 ? 1 : 0;
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
    TRY(check_first_frame(first_frame));
    const FeatureSet features = TRY(load_requested(scoring, format.height)).features;
    TRY(refuse_maps(features, "a run that keeps words writes no maps: leave the option out, or score this pair alone"));
    EnginePlan plan = TRY(make_plan(features, {format, scoring.semantics, execution->cpu_level()}));
    OpenedScheduler scheduler = TRY(open_scheduler(*execution, plan, members));
    const WordsFile file{.name = {},
                         .schema = describe_schema(features, plan, scoring.subsample),
                         .first_frame = first_frame,
                         .lead_in = {},
                         .frame_count = 0,
                         .last = {},
                         .words = {}};

    std::unique_ptr<Impl> impl;
    TRY(guarded([&]() -> Result<void> {
        impl = std::make_unique<Impl>(std::move(plan), std::move(scheduler), file, members);
        return {};
    }));
    return SegmentExtraction(std::move(impl));
}

SegmentExtraction::SegmentExtraction(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SegmentExtraction::~SegmentExtraction() = default;
SegmentExtraction::SegmentExtraction(SegmentExtraction &&) noexcept = default;
SegmentExtraction &SegmentExtraction::operator=(SegmentExtraction &&) noexcept = default;

int SegmentExtraction::lead_in() const { return impl_->lead_in; }

Result<void> SegmentExtraction::push(FramePair pair) { return push(pair.reference, {&pair.distorted, 1}); }

Result<void> SegmentExtraction::push(const Frame &reference, std::span<const Frame> distorted) {
    if (impl_->failure)
        return tl::unexpected(*impl_->failure);
    const Result<void> recorded = guarded([&]() -> Result<void> {
        TRY(impl_->enter(reference, distorted));
        impl_->record();
        return {};
    });
    if (!recorded) { // a words file may count a frame that is never extracted
        impl_->failure = recorded.error();
        return recorded;
    }
    const bool unread = impl_->unread > 0;
    const Result<void> pushed = unread ? Result<void>() : impl_->extraction.push(impl_->reference, impl_->distorted);
    impl_->unread -= unread ? 1 : 0;
    impl_->let_go();
    return pushed;
}

Result<WordsFile> SegmentExtraction::finish(bool ends_video, std::size_t member) {
    TRY(impl_->extraction.finish(member));
    const WordsFile &file = impl_->files[member];
    if (file.frame_count == 0)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("the segment from frame {} on has no frame", file.first_frame));
    WordsFile complete;
    TRY(guarded([&]() -> Result<void> {
        complete = impl_->take_file(member, ends_video);
        return {};
    }));
    return complete;
}

Result<void> SegmentExtraction::restart(std::int64_t first_frame) {
    TRY(check_first_frame(first_frame));
    return impl_->restart(first_frame);
}

Result<std::optional<WordsFile>> SegmentExtraction::take_words(std::size_t member) {
    std::optional<WordsFile> taken;
    TRY(guarded([&]() -> Result<void> {
        taken = impl_->take_words(member);
        return {};
    }));
    return taken;
}

DeviceHandle SegmentExtraction::device() const { return impl_->extraction.device(); }

int SegmentExtraction::planes_read() const { return impl_->plan.planes_read(); }

FrameMemory SegmentExtraction::frame_memory() const { return impl_->extraction.frame_memory(); }

double SegmentExtraction::upload_seconds() const { return impl_->extraction.upload_seconds(); }

Execution SegmentExtraction::execution() const { return impl_->extraction.execution(); }

std::int64_t first_opened_frame(const FrameRange &frames) {
    return std::max<std::int64_t>(0, frames.first - max_lead_in);
}

LoopFrames frames_to_push(const FrameRange &frames, const SegmentExtraction &extraction) {
    return {first_opened_frame(frames), frames.first - extraction.lead_in(), frames.end};
}

} // namespace isovmaf
