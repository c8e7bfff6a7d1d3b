// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav_seeker.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "input/byte_reader.hpp"

namespace isovmaf {

namespace {

using Starts = std::span<const FrameIndex::Start>;

/// Whether the next packet that the index knows is `packet` or one before it. A file may go on inside a packet.
Result<bool> is_before(LibavDemuxer &demuxer, const FrameIndex &index, std::int64_t packet) {
    constexpr int most_unknown = 16;
    for (int n = 0; n < most_unknown; n++) {
        const AvPacket read = TRY(demuxer.read());
        if (!read)
            return false;
        if (const auto number = index.find_packet(read->pts))
            return *number <= packet;
    }
    return false;
}

/// Goes to the last of the starts, or to a packet before it. Files find presentation or decoding times, and some find
/// packets that are near.
Result<void> go_to_last(LibavDemuxer &demuxer, const FrameIndex &index, Starts starts) {
    const FrameIndex::Start &goal = starts.back();
    std::vector<std::int64_t> times{goal.pts};
    if (goal.dts != AV_NOPTS_VALUE)
        times.push_back(goal.dts);
    for (std::size_t back = 2; back <= std::min<std::size_t>(3, starts.size()); back++)
        times.push_back(starts[starts.size() - back].pts);
    for (const std::int64_t time : times)
        if (demuxer.seek(time) && TRY(is_before(demuxer, index, goal.packet)) && demuxer.seek(time))
            return {};
    return fail(ErrorCode::unsupported, "its key frames are not found");
}

} // namespace

Result<std::unique_ptr<LibavSeeker>> LibavSeeker::create(const std::string &path, const SourceOptions &options) {
    auto index = TRY(options.indexes->get(path, options));
    if (!index->obstacle().empty())
        return nullptr;
    return std::unique_ptr<LibavSeeker>(new LibavSeeker(path, options, std::move(index)));
}

Result<std::optional<LibavSeeker::Place>> LibavSeeker::seek(std::int64_t from, std::int64_t frame) {
    if (frame >= index_->frame_count() || index_->starts_for(frame).back().frame <= from)
        return std::nullopt;
    auto place = decode_frame(frame);
    if (place)
        return *std::move(place);
    const std::lock_guard lock(mutex_);
    if (cancelled_)
        return tl::unexpected(place.error());
    warn(options_.log, fmt::format("{} is decoded from its first frame, because decoding could not start near frame "
                                   "{}: {}",
                                   display_name(path_), frame, place.error().message));
    return std::nullopt;
}

Result<LibavSeeker::Place> LibavSeeker::decode_frame(std::int64_t frame) {
    const Starts starts = index_->starts_for(frame);
    auto demuxer = TRY(LibavDemuxer::open(TRY(ByteReader::open(path_))));
    TRY(demuxer->choose(options_.stream));
    TRY(go_to_last(*demuxer, *index_, starts));
    Place place{TRY(LibavDecoder::open(std::move(demuxer), options_, FrameTrack(*index_, starts.back()))), {}};
    set_decoder(place.decoder.get());
    const auto decoded = decode_to(place, frame);
    set_decoder(nullptr);
    TRY(decoded);
    return place;
}

Result<void> LibavSeeker::decode_to(Place &place, std::int64_t frame) {
    for (std::int64_t n = index_->starts_for(frame).back().frame; n <= frame; n++) {
        place.picture = TRY(place.decoder->next());
        if (!place.picture)
            return fail(ErrorCode::corrupt_data, fmt::format("it ends before frame {}", n));
    }
    return {};
}

void LibavSeeker::set_decoder(LibavDecoder *decoder) {
    const std::lock_guard lock(mutex_);
    decoder_ = decoder;
    if (decoder_ && cancelled_)
        decoder_->cancel();
}

void LibavSeeker::cancel() {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    if (decoder_)
        decoder_->cancel();
}

} // namespace isovmaf
