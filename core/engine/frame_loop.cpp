// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/frame_loop.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "base/try.hpp"

namespace isovmaf {

FrameLoop::FrameLoop(GroupSource &source, GroupSink &sink, const LoopFrames &frames, LoopObserver observer)
    : source_(source), sink_(sink), frames_(frames), observer_(std::move(observer)), left_(source.members(), true),
      distorted_(source.members()), next_(frames.opened) {}

Result<VideoEnd> FrameLoop::run() {
    while (next_ < frames_.first && TRY(read()))
        next_++;
    while (any_left() && !at_end() && !stopped_) {
        stopped_ = observer_.stop();
        if (!stopped_ && TRY(read())) {
            TRY(push());
            next_++;
        }
    }
    if (any_left() && !stopped_)
        TRY(read());
    return end_rest(stopped_ ? VideoEnd::stopped : VideoEnd::reached);
}

bool FrameLoop::any_left() const { return std::ranges::count(left_, true) > 0; }

/// Reads the next frame of the members that are left. False when that leaves none, or the loop was stopped meanwhile.
Result<bool> FrameLoop::read() {
    if (observer_.cancel())
        return fail(ErrorCode::interrupted, "the work was interrupted");
    source_.next_frame();
    for (std::size_t member = 0; member < left_.size(); member++) {
        distorted_[member] = {};
        if (left_[member])
            TRY(read(member));
        if (stopped_)
            return false;
    }
    return any_left();
}

Result<void> FrameLoop::read(std::size_t member) {
    Result<std::optional<Frame>> frame = [&] {
        const StageClock clock(times_.reading);
        return source_.read(member);
    }();
    if (!frame && observer_.stop()) {
        stopped_ = true;
        return {};
    }
    if (!frame) {
        left_[member] = false;
        return sink_.fail(member, frame.error());
    }
    if (!*frame)
        return end(member, true);
    distorted_[member] = *std::move(*frame);
    return {};
}

Result<void> FrameLoop::push() {
    {
        const StageClock clock(times_.pushing);
        TRY(sink_.push(source_.reference(), distorted_));
    }
    observer_.pushed();
    return {};
}

Result<VideoEnd> FrameLoop::end_rest(VideoEnd end) {
    for (std::size_t member = 0; member < left_.size(); member++)
        if (left_[member])
            TRY(this->end(member, false));
    return end;
}

Result<void> FrameLoop::end(std::size_t member, bool ends_video) {
    left_[member] = false;
    const StageClock clock(times_.pushing);
    return sink_.end(member, ends_video);
}

} // namespace isovmaf
