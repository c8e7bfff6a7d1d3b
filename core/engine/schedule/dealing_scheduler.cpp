// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/dealing_scheduler.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/failure.hpp"
#include "execution/execution.hpp"

namespace isovmaf {

namespace {

/// A part that comes back to a run near the start of a video may have frames of an earlier run. It must not take these
/// for the frames before the run, which has fewer before it than extractors read: with this many there is no such run.
static_assert(EarlierFrames::longest <= 2);

EarlierFrames most_earlier(const DealPlan &plan) {
    EarlierFrames most;
    for (const EarlierFrames &earlier : plan.earlier)
        most = longer(most, earlier);
    return most;
}

/// Frames that a part gets before a run. Without features that read earlier distorted frames, one for each reference.
std::size_t lead_in_frames(const DealPlan &plan) {
    const EarlierFrames most = most_earlier(plan);
    return static_cast<std::size_t>(most.most()) * (most.distorted > 0 ? plan.members : 1);
}

/// Frames of runs alone: each part holds those before its run besides.
std::size_t frames_in_flight(const DealPlan &plan, const std::vector<DealingScheduler::Part> &parts) {
    std::size_t frames = 0;
    for (const DealingScheduler::Part &part : parts) {
        const std::size_t most = part.scheduler->max_in_flight();
        frames += most - std::min(most - 1, lead_in_frames(plan));
    }
    return frames;
}

/// Half of what a part holds: while it ends a run, the next one can come.
std::size_t choose_run(const DealPlan &plan, const std::vector<DealingScheduler::Part> &parts) {
    if (plan.run_references > 0)
        return plan.run_references;
    std::size_t fewest = parts.front().scheduler->max_in_flight();
    for (const DealingScheduler::Part &part : parts)
        fewest = std::min(fewest, part.scheduler->max_in_flight());
    return std::max<std::size_t>(1, fewest / (2 * plan.members));
}

std::vector<DeviceHandle> devices_of(const std::vector<DealingScheduler::Part> &parts) {
    std::vector<DeviceHandle> devices;
    for (const DealingScheduler::Part &part : parts)
        devices.push_back(part.device);
    return devices;
}

bool lies_with(const DealingScheduler::Part &part, const Frame &frame) {
    return part.device && is_same_device(*part.device, *frame.device());
}

} // namespace

DealingScheduler::DealingScheduler(DealPlan plan, std::vector<Part> parts)
    : Scheduler(plan.word_counts, frames_in_flight(plan, parts)), plan_(std::move(plan)),
      lead_in_(static_cast<std::size_t>(most_earlier(plan_).most())),
      reads_distorted_(most_earlier(plan_).distorted > 0), run_references_(choose_run(plan_, parts)),
      fetcher_(devices_of(parts), plan_.format) {
    for (Part &part : parts)
        parts_.push_back({.part = std::move(part)});
    restart();
}

void DealingScheduler::forget(std::size_t member) {
    for (KeptReference &kept : kept_)
        if (reads_distorted_)
            std::erase_if(kept.frames, [&](const KeptFrame &frame) { return frame.member == member; });
}

void DealingScheduler::restart() {
    kept_.clear();
    part_ = run_length_ = 0;
    for (Busy &busy : parts_) {
        busy.frames = busy.references = 0;
        busy.extracted.assign(plan_.word_counts.size(), 0);
    }
}

void DealingScheduler::start(FrameInFlight &frame) {
    if (frame.new_reference)
        begin_reference(frame);
    Busy &busy = parts_[part_];
    dealt_to_.push_back(part_);
    const std::int64_t given_as = busy.frames;
    unless_failed(busy, [&] {
        std::unique_ptr<FrameInFlight> share = blank_share(busy);
        share->new_reference = frame.new_reference;
        share->member = frame.member;
        share->number = frame.number;
        share->pair = {readable(busy, frame.pair.reference), readable(busy, frame.pair.distorted)};
        for (std::size_t back = 0; back < frame.earlier_frames.size(); back++)
            share->earlier_frames[back] = index_in_part(frame.earlier_frames[back]);
        share->wanted = frame.wanted;
        for (std::size_t e = 0; e < frame.wanted.size(); e++)
            if (frame.wanted[e] && frame.reference >= plan_.earlier[e].most())
                busy.extracted[e]++;
        give(busy, std::move(share));
    });
    busy.owed.push_back(&frame);
    keep(frame, given_as);
    frame.pair = {}; // the part has it for as long as it needs it
}

/// Chooses the part that gets the frames of a reference, and begins a run where that is another one.
void DealingScheduler::begin_reference(const FrameInFlight &frame) {
    while (kept_.size() > lead_in_)
        kept_.pop_front();
    if (const std::size_t next = next_part(frame); next != part_)
        begin_run(next);
    run_length_++;
    if (lead_in_ > 0)
        kept_.push_back({frame.pair.reference, {}});
}

std::size_t DealingScheduler::next_part(const FrameInFlight &frame) const {
    for (const Frame &picture : {frame.pair.reference, frame.pair.distorted})
        for (std::size_t p = 0; picture.device() && p < parts_.size(); p++)
            if (lies_with(parts_[p].part, picture))
                return p;
    return run_length_ < run_references_ ? part_ : (part_ + 1) % parts_.size();
}

/// Gives the part the frames before the run.
void DealingScheduler::begin_run(std::size_t part) {
    part_ = part;
    run_length_ = 0;
    Busy &busy = parts_[part];
    for (KeptReference &kept : kept_)
        for (KeptFrame &frame : kept.frames)
            give_lead_in(busy, kept, frame);
}

void DealingScheduler::give_lead_in(Busy &busy, const KeptReference &reference, KeptFrame &kept) {
    unless_failed(busy, [&] {
        std::unique_ptr<FrameInFlight> share = blank_share(busy);
        share->new_reference = &kept == &reference.frames.front();
        share->member = kept.member;
        share->number = kept.number;
        share->pair = {readable(busy, reference.picture), readable(busy, kept.distorted)};
        share->earlier_frames = {}; // nothing runs on it
        share->wanted.assign(plan_.word_counts.size(), false);
        kept.given_as = busy.frames;
        give(busy, std::move(share));
        busy.owed.push_back(nullptr);
    });
}

/// Where nothing reads earlier distorted frames, the reference stands in for one: no distorted picture is kept.
void DealingScheduler::keep(const FrameInFlight &frame, std::int64_t given_as) {
    if (lead_in_ > 0 && (reads_distorted_ || frame.new_reference))
        kept_.back().frames.push_back({frame.member, frame.number, frame.index, given_as,
                                       reads_distorted_ ? frame.pair.distorted : frame.pair.reference});
}

/// Of a frame that the part was given for the present run, or before it.
std::optional<std::int64_t> DealingScheduler::index_in_part(std::optional<std::int64_t> index) const {
    if (index)
        for (const KeptReference &kept : kept_)
            for (const KeptFrame &frame : kept.frames)
                if (frame.index == *index)
                    return frame.given_as;
    return std::nullopt;
}

/// The frame where the part can read it. Frames before a run, and those of other members, may lie with another part.
Frame DealingScheduler::readable(const Busy &busy, const Frame &frame) {
    return !frame.device() || lies_with(busy.part, frame) ? frame : fetcher_.fetch(frame, plan_.plane_count);
}

/// A frame for the part to fill and give. Waits for room.
std::unique_ptr<FrameInFlight> DealingScheduler::blank_share(Busy &busy) {
    while (busy.part.scheduler->full())
        (void)collect(busy, Wait::yes);
    return busy.part.scheduler->blank();
}

void DealingScheduler::give(Busy &busy, std::unique_ptr<FrameInFlight> share) {
    busy.references += share->new_reference ? 1 : 0;
    share->index = busy.frames++;
    share->reference = busy.references - 1;
    busy.part.scheduler->submit(std::move(share));
    busy.in_work++;
}

/// Runs `body`, unless the part has failed, and keeps its failure for the frames that the part owes then.
template <class Body>
void DealingScheduler::unless_failed(Busy &busy, const Body &body) {
    if (busy.failure)
        return;
    try {
        body();
    } catch (...) {
        busy.failure = std::current_exception();
    }
}

/// Takes the oldest frame of a part. False when that is not done.
bool DealingScheduler::collect(Busy &busy, Wait wait) {
    if (busy.in_work == 0)
        std::rethrow_exception(busy.failure);
    std::unique_ptr<FrameInFlight> share = busy.part.scheduler->take(wait);
    if (!share)
        return false;
    busy.in_work--;
    if (FrameInFlight *const frame = busy.owed.front())
        std::swap(frame->words, share->words);
    busy.owed.pop_front();
    busy.part.scheduler->recycle(std::move(share));
    return true;
}

bool DealingScheduler::finished(FrameInFlight &oldest, Wait wait) {
    Busy &busy = parts_[dealt_to_.front()];
    try {
        while (std::ranges::find(busy.owed, &oldest) != busy.owed.end())
            if (!collect(busy, wait))
                return false;
    } catch (const Failure &failure) {
        throw Failure(at_place(failure.error(), label_of(*busy.part.device)));
    }
    dealt_to_.pop_front();
    return true;
}

} // namespace isovmaf
