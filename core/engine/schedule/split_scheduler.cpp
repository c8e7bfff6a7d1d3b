// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/split_scheduler.hpp"

#include <algorithm>
#include <utility>

namespace isovmaf {

namespace {

std::size_t most_in_flight(const std::vector<SplitScheduler::Part> &parts) {
    std::size_t most = 0;
    for (const SplitScheduler::Part &part : parts)
        most = std::max(most, part.scheduler->max_in_flight());
    return most;
}

} // namespace

SplitScheduler::SplitScheduler(std::vector<std::size_t> word_counts, std::vector<Part> parts)
    : Scheduler(std::move(word_counts), most_in_flight(parts)) {
    for (Part &part : parts)
        parts_.push_back({std::move(part), {}});
}

void SplitScheduler::start(FrameInFlight &frame) {
    for (Busy &busy : parts_) {
        if (busy.part.scheduler->full())
            (void)collect(busy, Wait::yes);
        submit_share(busy, frame);
    }
    frame.pair = {}; // the device's part has it for as long as it needs it
}

void SplitScheduler::submit_share(Busy &busy, FrameInFlight &frame) {
    std::unique_ptr<FrameInFlight> share = busy.part.scheduler->blank();
    share->index = frame.index;
    share->reference = frame.reference;
    share->new_reference = frame.new_reference;
    share->number = frame.number;
    if (busy.part.reads_window)
        share->window = frame.window;
    else
        share->pair = frame.pair;
    share->earlier_frames = frame.earlier_frames;
    share->wanted.clear();
    for (const std::size_t extractor : busy.part.extractors)
        share->wanted.push_back(frame.wanted[extractor]);
    busy.part.scheduler->submit(std::move(share));
    busy.owed.push_back(&frame);
}

bool SplitScheduler::collect(Busy &busy, Wait wait) {
    std::unique_ptr<FrameInFlight> share = busy.part.scheduler->take(wait);
    if (!share)
        return false;
    FrameInFlight &frame = *busy.owed.front();
    busy.owed.pop_front();
    for (std::size_t e = 0; e < busy.part.extractors.size(); e++)
        std::swap(frame.words[busy.part.extractors[e]], share->words[e]); // both have the extractor's size
    busy.part.scheduler->recycle(std::move(share));
    return true;
}

bool SplitScheduler::finished(FrameInFlight &oldest, Wait wait) {
    return std::ranges::all_of(parts_, [&](Busy &busy) {
        const bool owes = !busy.owed.empty() && busy.owed.front() == &oldest;
        return !owes || collect(busy, wait);
    });
}

} // namespace isovmaf
