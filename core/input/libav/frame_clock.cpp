// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/frame_clock.hpp"

#include <utility>

namespace isovmaf {

void FrameClock::take(const AVPacket &packet) {
    if (!std::exchange(begun_, true))
        counts_ = packet.pts == AV_NOPTS_VALUE;
    if (counts_)
        decoded_.push_back(packet.dts);
}

std::optional<double> FrameClock::stated_time(const AVFrame &frame) {
    std::int64_t time = frame.best_effort_timestamp;
    if (counts_) {
        time = decoded_.empty() ? AV_NOPTS_VALUE : decoded_.front();
        if (!decoded_.empty())
            decoded_.pop_front();
    }
    return time == AV_NOPTS_VALUE ? std::nullopt : std::optional(static_cast<double>(time) * time_base_);
}

std::optional<double> FrameClock::take(const AVFrame &frame, std::int64_t number, const std::optional<Rational> &rate) {
    std::optional<double> begin = stated_time(frame);
    if (!states_times_)
        begin = rate && !known_ ? std::optional(static_cast<double>(number) / rate->value()) : std::nullopt;
    if (begin) {
        known_ = begin;
        half_frames_ = 0;
    }
    const std::int64_t before = half_frames_;
    half_frames_ += 2 + frame.repeat_pict; // pulldown: fields, or whole frames, that are shown again
    if (begin || !known_ || !rate)
        return begin;
    return *known_ + static_cast<double>(before) / (2 * rate->value());
}

void FrameClock::restart() {
    begun_ = counts_ = false;
    decoded_.clear();
    known_.reset();
}

} // namespace isovmaf
