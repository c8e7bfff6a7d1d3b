// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/planar_source.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"

namespace isovmaf {

PlanarSource::PlanarSource(std::unique_ptr<ByteReader> reader, SourceInfo info, TruncatedEnd truncated,
                           std::string_view header)
    : reader_(std::move(reader)), info_(std::move(info)), header_(header),
      frame_distance_(header.size() + stored_frame_bytes(info_.format)), planes_(*reader_, info_.format, truncated),
      first_frame_(position()), content_(reader_->take_content()) {
    if (const std::optional<EvenFrames> frames = frames_left())
        frames_seen_ = frames->count;
}

Result<void> PlanarSource::prepare(const FrameNeeds &needs) {
    planes_.prepare(needs);
    readers_ = ReadAhead::readers_for(stored_frame_bytes(info_.format, planes_.planes_wanted()), needs.readers);
    return {};
}

/// When the needs are known and nothing was read.
void PlanarSource::begin_hashing() {
    if (std::exchange(hashing_begun_, true) || !content_)
        return;
    if (const auto start = reader_->file_position())
        hashes_ = content_->begin_frames(
            {.file_bytes = start->offset + *reader_->remaining(),
             .offset = start->offset,
             .distance = frame_distance_,
             .covered = header_.size() + stored_frame_bytes(info_.format, planes_.planes_wanted())});
}

void PlanarSource::found_odd_header() {
    hashes_ = nullptr;
    frames_seen_ = 0;
    if (content_)
        content_->give_up_frames();
}

Result<std::optional<Frame>> PlanarSource::read() {
    begin_hashing();
    std::optional<Frame> frame = TRY(read_ahead());
    if (!frame) {
        const bool more = TRY(begin_next());
        if (!more)
            return std::nullopt;
        frame = TRY(read_in_order());
        if (!frame)
            return std::nullopt;
        ended_ = false;
    }
    frame->set_seconds(info_.timing.seconds_of(planes_.frames_read() - 1));
    return frame;
}

/// The next frame, whose header was read.
Result<std::optional<Frame>> PlanarSource::read_in_order() {
    if (hashes_ == nullptr)
        return planes_.read();
    const auto number = static_cast<std::size_t>(planes_.frames_read());
    ContentHash hash;
    hash.add(std::as_bytes(std::span(header_)));
    std::optional<Frame> frame = TRY(planes_.read(&hash));
    if (frame)
        hashes_->set(number, hash);
    return frame;
}

/// What is left of a regular file, if all of it is as the usual header says.
std::optional<EvenFrames> PlanarSource::frames_left() const {
    const auto position = reader_->file_position();
    if (!position)
        return std::nullopt;
    return EvenFrames{.descriptor = position->descriptor,
                      .offset = position->offset,
                      .distance = frame_distance_,
                      .count = static_cast<std::int64_t>(*reader_->remaining() / frame_distance_),
                      .header = std::string(header_),
                      .format = info_.format,
                      .planes = planes_.planes_wanted(),
                      .hashes = hashes_,
                      .number = static_cast<std::size_t>(planes_.frames_read())};
}

/// The next frame, if several threads can read it.
Result<std::optional<Frame>> PlanarSource::read_ahead() {
    if (in_order_ || ended_ || readers_ <= 1)
        return std::nullopt;
    if (!ahead_) {
        std::optional<EvenFrames> frames = frames_left();
        in_order_ = !frames;
        if (in_order_)
            return std::nullopt;
        ahead_.emplace(*std::move(frames), planes_.pool(), readers_);
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

/// How many of the next frames of a regular file, at most `most`, have the usual header and are whole. Reads nothing
/// but their headers: those of a long video would be most of what is read of a short part.
std::int64_t PlanarSource::count_usual(std::int64_t most) const {
    const std::optional<EvenFrames> frames = frames_left();
    const std::int64_t whole = frames ? std::min(most, frames->count) : 0;
    if (header_.empty())
        return whole;
    std::int64_t usual = 0;
    while (usual < whole && has_usual_header(*frames, usual))
        usual++;
    return usual;
}

/// Moves over frames with the usual header at once; others are passed over one by one.
Result<std::int64_t> PlanarSource::skip(std::int64_t count) {
    begin_hashing();
    ahead_.reset();
    const std::int64_t usual = ended_ ? 0 : count_usual(count);
    TRY(planes_.pass(usual, static_cast<std::uint64_t>(usual) * frame_distance_));
    return usual + TRY(FrameSource::skip(count - usual));
}

Result<bool> PlanarSource::go_to(std::int64_t frame) {
    ahead_.reset();
    in_order_ = ended_ = false;
    if (frame < planes_.frames_read()) {
        TRY(reader_->go_to(*first_frame_));
        planes_.restart();
    }
    const std::int64_t left = frame - planes_.frames_read();
    return TRY(skip(left)) == left;
}

std::optional<std::uint64_t> PlanarSource::position() const {
    const auto position = reader_->file_position();
    return position ? std::optional(position->offset) : std::nullopt;
}

Result<bool> PlanarSource::begin_next() {
    if (std::exchange(ended_, true)) // an error ends the reading as well
        return false;
    const bool more = TRY(begin_frame());
    if (!more && planes_.frames_read() < frames_seen_)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("{} ends after {} frames, and had {} when it was opened: was it cut meanwhile?",
                                display_name(info_.name), planes_.frames_read(), frames_seen_));
    return more;
}

Result<bool> PlanarSource::pass_over() {
    begin_hashing();
    ahead_.reset();
    const bool more = TRY(begin_next());
    if (!more)
        return false;
    const bool passed = TRY(planes_.skip());
    ended_ = !passed;
    return passed;
}

} // namespace isovmaf
