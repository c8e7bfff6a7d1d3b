// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/scheduler.hpp"

#include <cassert>

namespace isovmaf {

std::unique_ptr<FrameInFlight> Scheduler::blank() {
    if (!spare_.empty()) {
        std::unique_ptr<FrameInFlight> frame = std::move(spare_.back());
        spare_.pop_back();
        return frame;
    }
    auto frame = std::make_unique<FrameInFlight>();
    for (const std::size_t count : word_counts_)
        frame->words.emplace_back(count);
    return frame;
}

void Scheduler::submit(std::unique_ptr<FrameInFlight> frame) {
    assert(!full() && frame->wanted.size() == word_counts_.size());
    frame->flagged.assign(frame->wanted.size(), false);
    in_flight_.push_back(std::move(frame));
    start(*in_flight_.back());
}

std::unique_ptr<FrameInFlight> Scheduler::take(Wait wait) {
    if (in_flight_.empty() || !finished(*in_flight_.front(), wait))
        return nullptr;
    std::unique_ptr<FrameInFlight> frame = std::move(in_flight_.front());
    in_flight_.pop_front();
    return frame;
}

void Scheduler::recycle(std::unique_ptr<FrameInFlight> frame) {
    for (std::size_t e = 0; e < word_counts_.size(); e++)
        frame->words[e].resize(word_counts_[e]); // a completion may have left fewer or more
    frame->pair = {};
    frame->window = {};
    spare_.push_back(std::move(frame));
}

} // namespace isovmaf
