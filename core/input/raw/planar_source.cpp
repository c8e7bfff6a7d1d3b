// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/planar_source.hpp"

#include <utility>

#include "base/try.hpp"

namespace isovmaf {

PlanarSource::PlanarSource(std::unique_ptr<ByteReader> reader, SourceInfo info, TruncatedEnd truncated,
                           std::string_view header)
    : reader_(std::move(reader)), info_(std::move(info)), header_(header),
      frame_distance_(header.size() + stored_frame_bytes(info_.format)), planes_(*reader_, info_.format, truncated) {}

void PlanarSource::prepare(const FrameNeeds &needs) {
    planes_.prepare(needs);
    readers_ = ReadAhead::readers_for(stored_frame_bytes(info_.format, planes_.planes_wanted()), needs.readers);
}

Result<std::optional<Frame>> PlanarSource::read() {
    std::optional<Frame> frame = TRY(read_ahead());
    if (!frame) {
        const bool more = TRY(begin_next());
        if (!more)
            return std::nullopt;
        frame = TRY(planes_.read());
        if (!frame)
            return std::nullopt;
        ended_ = false;
    }
    frame->set_seconds(info_.timing.seconds_of(planes_.frames_read() - 1));
    return frame;
}

/// The next frame, if several threads can read it.
Result<std::optional<Frame>> PlanarSource::read_ahead() {
    if (in_order_ || ended_ || readers_ <= 1 || reader_->hashes())
        return std::nullopt;
    if (!ahead_) {
        const auto position = reader_->file_position();
        in_order_ = !position;
        if (in_order_)
            return std::nullopt;
        ahead_.emplace(EvenFrames{.descriptor = position->descriptor,
                                  .offset = position->offset,
                                  .distance = frame_distance_,
                                  .count = static_cast<std::int64_t>(*reader_->remaining() / frame_distance_),
                                  .header = std::string(header_),
                                  .format = info_.format,
                                  .planes = planes_.planes_wanted()},
                       planes_.pool(), readers_);
    }
    std::optional<Frame> frame = ahead_->next();
    in_order_ = !frame;
    if (!frame) {
        ahead_.reset();
        return std::nullopt;
    }
    TRY(planes_.pass(frame_distance_)); // fails when the reading was cancelled
    return frame;
}

Result<bool> PlanarSource::begin_next() {
    if (std::exchange(ended_, true)) // an error ends the reading as well
        return false;
    return begin_frame();
}

Result<bool> PlanarSource::pass_over() {
    ahead_.reset();
    const bool more = TRY(begin_next());
    if (!more)
        return false;
    const bool passed = TRY(planes_.skip());
    ended_ = !passed;
    return passed;
}

} // namespace isovmaf
