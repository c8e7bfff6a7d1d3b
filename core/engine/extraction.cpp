// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/extraction.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "base/try.hpp"
#include "engine/guarded.hpp"

namespace isovmaf {

namespace {

int lead_in_of(const EnginePlan &plan, std::int64_t first_frame) {
    return static_cast<int>(std::min<std::int64_t>(first_frame, plan.earlier_references()));
}

} // namespace

Extraction::Extraction(const SessionOptions &options, const EnginePlan &plan, WordSink &sink, std::int64_t first_frame)
    : Extraction(options, plan, std::vector{&sink}, first_frame) {}

Extraction::Extraction(const SessionOptions &options, const EnginePlan &plan, std::vector<WordSink *> sinks,
                       std::int64_t first_frame)
    : plan_(plan), sinks_(std::move(sinks)), first_frame_(first_frame), subsample_(options.subsample),
      lead_in_(lead_in_of(plan, first_frame)), scheduler_(open_scheduler(options, plan)), frame_words_(plan),
      history_(plan.earlier_references()), extracted_(plan.features.size()), rows_(plan.features.size()),
      reference_words_(plan.features.size()) {}

Execution Extraction::execution() const {
    Execution execution = describe(scheduler_, plan_);
    frame_words_.describe(execution);
    return execution;
}

std::shared_ptr<const Device> Extraction::device() const { return scheduler_.gpu ? scheduler_.gpu->device() : nullptr; }

std::shared_ptr<PinnedMemory> Extraction::pinned_memory() const {
    return scheduler_.gpu ? scheduler_.gpu->pinned_memory() : nullptr;
}

Result<void> Extraction::push(FramePair pair) { return push(pair.reference, {&pair.distorted, 1}); }

Result<void> Extraction::push(FramePair pair, std::int64_t number) {
    return push(pair.reference, {&pair.distorted, 1}, number);
}

Result<void> Extraction::push(const Frame &reference, std::span<const Frame> distorted) {
    return push(reference, distorted, video_frame(pushed_));
}

Result<void> Extraction::push(const Frame &reference, std::span<const Frame> distorted, std::int64_t number) {
    assert(distorted.size() == sinks_.size());
    return start([&] {
        FrameWithHistory frames = history_.next({reference, {}});
        bool new_reference = true;
        for (std::size_t member = 0; member < sinks_.size(); member++) {
            if (!sinks_[member])
                continue;
            std::unique_ptr<FrameInFlight> frame = next_frame(member, std::exchange(new_reference, false), number);
            frames.pair.distorted = distorted[member];
            frame->frames = frames;
            scheduler_.scheduler->submit(std::move(frame));
        }
    });
}

Result<void> Extraction::push(const DeviceFrame &reference, const DeviceFrame &distorted) {
    if (const std::string_view feature = feature_on_cpu(scheduler_, plan_); !feature.empty())
        return fail(ErrorCode::unsupported,
                    fmt::format("feature {} runs on the CPU, which cannot read frames in device memory: push frames in "
                                "host memory, or leave the feature out",
                                feature));
    return start([&] {
        std::unique_ptr<FrameInFlight> frame = next_frame(0, true, video_frame(pushed_));
        frame->on_device = std::pair{reference, distorted};
        scheduler_.scheduler->submit(std::move(frame));
    });
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
        std::exchange(sinks_[member], nullptr)->end();
        return {};
    });
}

/// Schedulers count the frames that they hold from 0. Nothing is in flight after `finish`, so they can count again.
Result<void> Extraction::restart(std::vector<WordSink *> sinks, std::int64_t first_frame) {
    assert(sinks.size() == sinks_.size());
    return unless_failed([&]() -> Result<void> {
        if (!finished())
            return fail(ErrorCode::internal, "an extraction can only be restarted after finish");
        sinks_ = std::move(sinks);
        first_frame_ = first_frame;
        lead_in_ = lead_in_of(plan_, first_frame);
        history_ = FrameHistory(plan_.earlier_references());
        pushed_ = submitted_ = 0;
        std::ranges::fill(extracted_, 0);
        if (scheduler_.gpu)
            scheduler_.gpu->reset_work();
        return {};
    });
}

double Extraction::upload_seconds() const { return scheduler_.gpu ? scheduler_.gpu->copy_seconds() : 0; }

bool Extraction::finished() const {
    return std::ranges::all_of(sinks_, [](const WordSink *sink) { return !sink; });
}

/// Has `body` submit the frames of the next reference.
template <class Body>
Result<void> Extraction::start(const Body &body) {
    if (finished())
        return fail(ErrorCode::invalid_argument, "frames cannot be pushed after finish");
    return unless_failed([&]() -> Result<void> {
        body();
        pushed_++;
        return {};
    });
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
    frame->wanted.clear();
    for (std::size_t e = 0; e < plan_.features.size(); e++) {
        const PlannedFeature &planned = plan_.features[e];
        const bool wanted = runs(e, *frame) && (new_reference || !planned.feature->reads_reference_alone);
        frame->wanted.push_back(wanted);
        if (wanted && video_frame(pushed_) >= planned.plan.earlier_references)
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
        frame_words_.finish(*frame);
        for (std::size_t e = 0; e < rows_.size(); e++)
            rows_[e] = words_of(*frame, e);
        sinks_[frame->member]->take({number, rows_});
    }
    scheduler_.scheduler->recycle(std::move(frame));
}

/// The words of a feature, or those of the first member where they depend on the reference alone.
ConstWords Extraction::words_of(const FrameInFlight &frame, std::size_t feature) {
    if (!runs(feature, frame))
        return {};
    if (!plan_.features[feature].feature->reads_reference_alone)
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
