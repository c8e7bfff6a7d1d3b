// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/extraction.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/try.hpp"
#include "engine/guarded.hpp"
#include "engine/schedule/incoming_frame.hpp"
#include "frame/sample_range.hpp"

namespace isovmaf {

namespace {

/// Neighbouring segments have a frame in common, by which they are compared, also where extractors read no earlier one.
int lead_in_of(const EnginePlan &plan, std::int64_t first_frame) {
    return static_cast<int>(std::min<std::int64_t>(first_frame, std::max(1, plan.earlier().most())));
}

} // namespace

Extraction::Extraction(OpenedScheduler scheduler, const EnginePlan &plan, int subsample, std::vector<WordSink *> sinks,
                       std::int64_t first_frame)
    : plan_(plan), sinks_(std::move(sinks)), first_frame_(first_frame), subsample_(subsample),
      lead_in_(lead_in_of(plan, first_frame)), scheduler_(std::move(scheduler)),
      pool_(plan.context.format, plan.chroma_edge()), entrance_{plan.context.format, devices(),
                                                                scheduler_.device_checks_samples() ? 0
                                                                                                   : plan.planes_read(),
                                                                plan.planes_read(), plan.chroma_edge()},
      fetcher_(devices(), plan.context.format), kept_(earlier_on_cpu(scheduler_, plan)),
      planes_on_cpu_(planes_on_cpu(scheduler_, plan)), history_(kept_, sinks_.size()), last_frames_(sinks_.size()),
      extracted_(plan.features.size()), flagged_(plan.features.size()), rows_(plan.features.size()),
      reference_words_(plan.features.size()) {}

Execution Extraction::execution() const {
    Execution execution = describe(scheduler_, plan_);
    describe_flagged(execution);
    if (execution.fetched > 0)
        execution.notices.push_back(fmt::format("frames in memory of one device were copied to the host, as another "
                                                "device reads them as earlier ones: {} copies",
                                                execution.fetched));
    execution.fetched += fetcher_.count() + (scheduler_.workers ? scheduler_.workers->fetched() : 0);
    const std::shared_ptr<PinnedMemory> pinned = pinned_memory();
    if (const std::optional<Error> refusal = pinned ? pinned->refusal() : std::nullopt)
        execution.notices.push_back(
            fmt::format("{} had no memory for frames of the host ({}): threads copied them, which takes longer",
                        device()->info().name, refusal->message));
    return execution;
}

/// Adds the number of flagged frames to each feature, with a notice where it is not 0.
void Extraction::describe_flagged(Execution &execution) const {
    for (std::size_t f = 0; f < flagged_.size(); f++) {
        if (flagged_[f] == 0)
            continue;
        const std::string_view name = plan_.features[f].feature->name;
        const auto work = std::ranges::find(execution.work, name, &FeatureWork::feature);
        if (work != execution.work.end())
            work->flagged = flagged_[f];
        execution.notices.push_back(fmt::format("kernels of feature {} left {} of {} frames to its CPU path: "
                                                "these frames took longer, their scores are the same",
                                                name, flagged_[f], handed_out_));
    }
}

std::size_t Extraction::most_held() const {
    const std::size_t dealt = scheduler_.dealer ? scheduler_.dealer->lead_in() : 0;
    if (!scheduler_.gpus.empty() && !scheduler_.placement.on_cpu.empty()) // what the CPU reads are copies
        return scheduler_.frames_on_devices() + dealt;
    return scheduler_.scheduler->max_in_flight() + std::max(static_cast<std::size_t>(kept_.most()), dealt);
}

Frame Extraction::fetch(const Frame &frame, int plane_count) { return fetcher_.fetch(frame, plane_count); }

DeviceHandle Extraction::device() const {
    return scheduler_.gpus.empty() ? nullptr : scheduler_.gpus.front()->device();
}

std::shared_ptr<PinnedMemory> Extraction::pinned_memory() const {
    return scheduler_.gpus.empty() ? nullptr : scheduler_.gpus.front()->pinned_memory();
}

FrameMemory Extraction::frame_memory() const {
    const std::shared_ptr<PinnedMemory> pinned = pinned_memory();
    if (!pinned)
        return {};
    return [pinned](std::size_t bytes) {
        return pinned->allocate(bytes, PinnedMemory::Keeping::allowed).value_or(nullptr);
    };
}

Result<void> Extraction::push(const FramePair &pair) { return push(pair.reference, {&pair.distorted, 1}); }

Result<void> Extraction::push(const FramePair &pair, std::int64_t number) {
    return push(pair.reference, {&pair.distorted, 1}, number);
}

Result<void> Extraction::push(const Frame &reference, std::span<const Frame> distorted) {
    return push(reference, distorted, video_frame(pushed_));
}

Result<void> Extraction::push(const Frame &reference, std::span<const Frame> distorted, std::int64_t number) {
    if (failure_)
        return tl::unexpected(*failure_);
    if (finished())
        return fail(ErrorCode::invalid_argument, "frames cannot be pushed after finish");
    Entered entered = TRY(guarded([&] { return enter(reference, distorted, number); }));
    return unless_failed([&]() -> Result<void> {
        submit(std::move(entered), number);
        return {};
    });
}

/// Checks the frames of all members before anything is done with one of them.
Result<Extraction::Entered> Extraction::enter(const Frame &reference, std::span<const Frame> distorted,
                                              std::int64_t number) {
    assert(distorted.size() == sinks_.size());
    Entered entered;
    entered.reference = TRY(enter_frame(reference, entrance_, pool_, {"the reference", number}));
    entered.distorted.resize(sinks_.size());
    for (std::size_t member = 0; member < sinks_.size(); member++)
        if (sinks_[member])
            entered.distorted[member] =
                TRY(enter_frame(distorted[member], entrance_, pool_, {"the distorted video", number}));
    TRY(check_places(entered.reference, entered.distorted));
    return entered;
}

void Extraction::submit(Entered frames, std::int64_t number) {
    FrameWindow window = history_.next(for_window(frames.reference, "the reference", number));
    bool new_reference = true;
    for (std::size_t member = 0; member < sinks_.size(); member++) {
        if (!sinks_[member])
            continue;
        std::unique_ptr<FrameInFlight> frame = next_frame(member, std::exchange(new_reference, false), number);
        frame->pair = {frames.reference, std::move(frames.distorted[member])};
        history_.add_distorted(window, member, for_window(frame->pair.distorted, "the distorted video", number));
        frame->window = window;
        sinks_[member]->see(video_frame(pushed_), frame->pair);
        scheduler_.scheduler->submit(std::move(frame));
    }
    pushed_++;
}

/// The frame where code on the CPU can read it, if there is such code. What is fetched for it is checked first: other
/// pictures were when they were pushed.
Frame Extraction::for_window(const Frame &frame, std::string_view video, std::int64_t number) {
    if (scheduler_.placement.on_cpu.empty())
        return frame;
    Frame fetched = fetch(frame, planes_on_cpu_);
    if (frame.device())
        value_of(check_samples(fetched, video, number, planes_on_cpu_));
    return fetched;
}

Result<void> Extraction::collect() {
    return unless_failed([&]() -> Result<void> {
        collect_ready();
        return {};
    });
}

Result<bool> Extraction::drain_oldest() {
    const bool in_flight = !scheduler_.scheduler->empty();
    TRY(unless_failed([&]() -> Result<void> {
        if (in_flight)
            hand_out(scheduler_.scheduler->take(Scheduler::Wait::yes));
        return {};
    }));
    return in_flight;
}

Result<void> Extraction::drain() {
    return unless_failed([&]() -> Result<void> {
        hand_out_all();
        return {};
    });
}

Result<void> Extraction::finish() {
    for (std::size_t member = 0; member < sinks_.size(); member++)
        TRY(finish(member));
    return {};
}

Result<void> Extraction::finish(std::size_t member) {
    return unless_failed([&]() -> Result<void> {
        if (!sinks_[member])
            return {};
        hand_out_all();
        TRY(check_work(scheduler_, plan_, extracted_));
        TRY(close_maps(scheduler_));
        std::exchange(sinks_[member], nullptr)->end();
        history_.forget(member);
        if (scheduler_.dealer)
            scheduler_.dealer->forget(member);
        if (finished())
            forget_frames(); // their owners may wait for the memory
        return {};
    });
}

/// Schedulers count the frames that they hold from 0. Nothing is in flight after `finish`, so they can count again.
Result<void> Extraction::restart(std::vector<WordSink *> sinks, std::int64_t first_frame) {
    assert(sinks.size() == sinks_.size());
    return unless_failed([&]() -> Result<void> {
        if (!finished() && pushed_ > 0)
            return fail(ErrorCode::internal, "an extraction can only be restarted after finish");
        sinks_ = std::move(sinks);
        first_frame_ = first_frame;
        lead_in_ = lead_in_of(plan_, first_frame);
        forget_frames();
        pushed_ = submitted_ = 0;
        std::ranges::fill(extracted_, 0);
        for (GpuScheduler *const gpu : scheduler_.gpus)
            gpu->reset_work();
        return {};
    });
}

double Extraction::upload_seconds() const {
    double seconds = 0;
    for (const GpuScheduler *const gpu : scheduler_.gpus)
        seconds += gpu->copy_seconds();
    return seconds;
}

bool Extraction::finished() const {
    return std::ranges::all_of(sinks_, [](const WordSink *sink) { return !sink; });
}

void Extraction::forget_frames() {
    history_ = FrameHistory(kept_, sinks_.size());
    last_frames_.assign(sinks_.size(), {});
    if (scheduler_.dealer)
        scheduler_.dealer->restart();
}

/// Whether a feature runs on a frame.
bool Extraction::runs(std::size_t feature, const FrameInFlight &frame) const {
    return video_frame(frame.reference) >= first_frame_ &&
           runs_on_frame(*plan_.features[feature].feature, frame.number, subsample_);
}

/// Waits for room in the scheduler. The frame has all but its pictures.
std::unique_ptr<FrameInFlight> Extraction::next_frame(std::size_t member, bool new_reference, std::int64_t number) {
    while (scheduler_.scheduler->full())
        hand_out(scheduler_.scheduler->take(Scheduler::Wait::yes));
    collect_ready();
    std::unique_ptr<FrameInFlight> frame = scheduler_.scheduler->blank();
    frame->index = submitted_++;
    frame->reference = pushed_;
    frame->new_reference = new_reference;
    frame->member = member;
    frame->number = number;
    frame->earlier_frames = last_frames_[member];
    last_frames_[member] = {frame->index, last_frames_[member][0]};
    frame->wanted.clear();
    for (std::size_t e = 0; e < plan_.features.size(); e++) {
        const PlannedFeature &planned = plan_.features[e];
        const bool wanted = runs(e, *frame) && (new_reference || planned.plan.sides != SideUse::reference);
        frame->wanted.push_back(wanted);
        if (wanted && video_frame(pushed_) >= planned.plan.earlier.most())
            extracted_[e]++;
    }
    return frame;
}

void Extraction::collect_ready() {
    while (std::unique_ptr<FrameInFlight> frame = scheduler_.scheduler->take(Scheduler::Wait::no))
        hand_out(std::move(frame));
}

void Extraction::hand_out_all() {
    while (!scheduler_.scheduler->empty())
        hand_out(scheduler_.scheduler->take(Scheduler::Wait::yes));
}

void Extraction::hand_out(std::unique_ptr<FrameInFlight> frame) {
    if (const std::int64_t number = video_frame(frame->reference); number >= first_frame_) {
        const SharedStageClock clock(scheduler_.times->scoring);
        handed_out_++;
        for (std::size_t e = 0; e < rows_.size(); e++) {
            flagged_[e] += frame->flagged[e] ? 1 : 0;
            rows_[e] = words_of(*frame, e);
        }
        sinks_[frame->member]->take({number, rows_});
    }
    scheduler_.scheduler->recycle(std::move(frame));
}

/// The words of a feature, or those of the first member where they depend on the reference alone.
ConstWords Extraction::words_of(const FrameInFlight &frame, std::size_t feature) {
    if (!runs(feature, frame))
        return {};
    if (plan_.features[feature].plan.sides != SideUse::reference)
        return frame.words[feature];
    if (frame.new_reference)
        reference_words_[feature] = frame.words[feature];
    return reference_words_[feature];
}

/// Runs `body` unless something failed before, and remembers its failure.
template <class Body>
Result<void> Extraction::unless_failed(const Body &body) {
    if (failure_)
        return tl::unexpected(*failure_);
    Result<void> result = guarded(body);
    if (!result)
        failure_ = result.error();
    return result;
}

} // namespace isovmaf
