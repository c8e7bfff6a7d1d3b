// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/split_scheduler.hpp"

#include <algorithm>
#include <ranges>
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

SplitScheduler::SplitScheduler(std::vector<std::size_t> word_counts, std::vector<Part> parts,
                               std::shared_ptr<CpuWorkers> workers)
    : Scheduler(std::move(word_counts), most_in_flight(parts)), workers_(std::move(workers)) {
    for (Part &part : parts)
        parts_.push_back({std::move(part), {}});
}

SplitScheduler::~SplitScheduler() {
    if (workers_)
        workers_->stop();
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
    share->member = frame.member;
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
    accept(busy, std::move(share));
    return true;
}

void SplitScheduler::accept(Busy &busy, std::unique_ptr<FrameInFlight> share) {
    FrameInFlight &frame = *busy.owed.front();
    busy.owed.pop_front();
    for (std::size_t e = 0; e < busy.part.extractors.size(); e++)
        std::swap(frame.words[busy.part.extractors[e]], share->words[e]); // the share gets a row to write to
    busy.part.scheduler->recycle(std::move(share));
    if (has_last_steps(busy))
        start_last_steps(busy.part, frame);
}

void SplitScheduler::start_last_steps(const Part &part, FrameInFlight &frame) {
    steps_.clear();
    for (std::size_t e = 0; e < part.extractors.size(); e++) {
        const std::size_t row = part.extractors[e];
        if (!frame.wanted[row])
            continue;
        const FeaturePlan &plan = *part.last_steps[e].plan;
        frame.flagged[row] = plan.is_flagged(frame.words[row]);
        if (frame.flagged[row])
            steps_.push_back({&part.last_steps[e], row, CpuStep::Kind::redo});
        else if (plan.completion)
            steps_.push_back({&part.last_steps[e], row, CpuStep::Kind::complete});
    }
    workers_->start(frame, steps_);
}

/// Starts the last steps of frames behind the oldest. A part that cannot give such a frame says so again when the frame
/// is the oldest.
void SplitScheduler::collect_early(Busy &busy, Wait wait) {
    for (;;) {
        std::unique_ptr<FrameInFlight> share;
        try {
            share = busy.part.scheduler->take(wait);
        } catch (...) {
            return;
        }
        if (!share)
            return;
        accept(busy, std::move(share));
    }
}

bool SplitScheduler::finished(FrameInFlight &oldest, Wait wait) {
    for (Busy &busy : parts_) {
        if (has_last_steps(busy))
            collect_early(busy, Wait::no);
        const bool owes = !busy.owed.empty() && busy.owed.front() == &oldest;
        if (owes && !collect(busy, wait))
            return false;
    }
    if (!workers_ || workers_->finished(oldest, Wait::no))
        return true;
    // What kernels flag takes the CPU longer than it takes kernels to end: threads get all frames in flight to do.
    if (wait == Wait::yes && std::ranges::find(oldest.flagged, true) != oldest.flagged.end())
        for (Busy &busy : parts_ | std::views::filter(has_last_steps))
            collect_early(busy, Wait::yes);
    return workers_->finished(oldest, wait);
}

} // namespace isovmaf
