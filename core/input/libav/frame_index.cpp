// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/frame_index.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/hashes.hpp"
#include "base/try.hpp"
#include "input/libav/packet_inspector.hpp"

namespace isovmaf {

namespace {

/// Frames are decoded at most this many places from where they are shown: H.264 and HEVC allow 16.
constexpr std::int64_t most_reordered = 32;

/// Codecs whose start codes may follow any number of zero bytes, which are in this packet or in the one before.
bool may_have_zeros_around(AVCodecID codec) { return codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC; }

std::span<const std::uint8_t> without_zeros_around(std::span<const std::uint8_t> bytes) {
    while (!bytes.empty() && bytes.front() == 0)
        bytes = bytes.subspan(1);
    while (!bytes.empty() && bytes.back() == 0)
        bytes = bytes.first(bytes.size() - 1);
    return bytes;
}

/// What a packet says that makes the number of frames uncertain; empty when nothing does.
std::string packet_obstacle(const AVPacket &packet) {
    if (packet.pts == AV_NOPTS_VALUE)
        return "a packet has no presentation time";
    if ((packet.flags & AV_PKT_FLAG_DISCARD) != 0)
        return "its edit list leaves frames out";
    if ((packet.flags & AV_PKT_FLAG_CORRUPT) != 0)
        return "it is damaged or cut short";
    if (packet.size == 0)
        return "a packet is empty";
    if (av_packet_get_side_data(&packet, AV_PKT_DATA_NEW_EXTRADATA, nullptr) ||
        av_packet_get_side_data(&packet, AV_PKT_DATA_PARAM_CHANGE, nullptr))
        return "its parameters change midway";
    return {};
}

} // namespace

Result<FrameIndex> FrameIndex::build(LibavDemuxer &demuxer, const std::function<bool()> &cancelled) {
    FrameIndex index;
    std::string obstacle = index.add_packets(demuxer, cancelled);
    if (cancelled())
        return fail(ErrorCode::interrupted, fmt::format("reading {} was stopped", demuxer.name()));
    return finished(std::move(index), std::move(obstacle));
}

FrameIndex FrameIndex::build_first(LibavDemuxer &demuxer) {
    constexpr std::size_t most_packets = 1024;
    FrameIndex index;
    int starts = 0;
    std::string obstacle = index.add_packets(demuxer, [&] {
        starts += !index.packets_.empty() && index.packets_.back().starts ? 1 : 0;
        return starts > 1 || index.packets_.size() == most_packets;
    });
    return finished(std::move(index), std::move(obstacle));
}

/// The index of the packets that it has, or one with the obstacle.
FrameIndex FrameIndex::finished(FrameIndex index, std::string obstacle) {
    if (obstacle.empty())
        obstacle = index.number_frames();
    if (!obstacle.empty())
        return obstructed(std::move(obstacle));
    index.find_starts();
    return index;
}

FrameIndex FrameIndex::obstructed(std::string obstacle) {
    FrameIndex index;
    index.obstacle_ = std::move(obstacle);
    return index;
}

/// Returns the obstacle, if there is one.
std::string FrameIndex::add_packets(LibavDemuxer &demuxer, const std::function<bool()> &stop) {
    const AVCodecParameters &stream = *demuxer.stream().codecpar;
    auto inspector = PacketInspector::create(stream);
    if (!inspector)
        return fmt::format("it is coded as {}", avcodec_get_name(stream.codec_id));
    std::string obstacle;
    zeros_around_ = may_have_zeros_around(stream.codec_id);
    while (obstacle.empty() && !stop()) {
        const Result<AvPacket> read = demuxer.read();
        if (!read || demuxer.truncated())
            return "it is damaged or cut short";
        if (!*read)
            break;
        const AVPacket &packet = **read;
        obstacle = packet_obstacle(packet);
        if (obstacle.empty()) {
            packets_.push_back({packet.pts, digest_of(packet), packet.dts, inspector->starts(packet)});
            obstacle = inspector->obstacle();
        }
    }
    return obstacle;
}

/// Returns the obstacle, if there is one.
std::string FrameIndex::number_frames() {
    for (const Packet &packet : packets_)
        times_.push_back(packet.pts);
    std::ranges::sort(times_);
    if (std::ranges::adjacent_find(times_) != times_.end())
        return "two packets have the same presentation time";
    if (packets_.empty() || !packets_.front().starts || packets_.front().pts != times_.front())
        return "it does not begin with a key frame that is shown first";
    for (std::size_t i = 0; i < packets_.size(); i++) {
        const auto shown = std::ranges::lower_bound(times_, packets_[i].pts) - times_.begin();
        if (std::abs(shown - static_cast<std::int64_t>(i)) > most_reordered)
            return "its presentation times jump";
    }
    return {};
}

/// Finds the packets that decoders can start with and whose predecessors are all shown earlier.
void FrameIndex::find_starts() {
    std::int64_t latest = packets_.front().pts;
    for (std::size_t i = 0; i < packets_.size(); i++) {
        const Packet &packet = packets_[i];
        if (packet.starts && (i == 0 || packet.pts > latest))
            starts_.push_back({static_cast<std::int64_t>(i),
                               std::ranges::lower_bound(times_, packet.pts) - times_.begin(), packet.pts, packet.dts});
        latest = std::max(latest, packet.pts);
    }
}

std::span<const FrameIndex::Start> FrameIndex::starts_for(std::int64_t frame) const {
    return {starts_.begin(), std::ranges::upper_bound(starts_, frame, {}, &Start::frame)};
}

std::optional<std::int64_t> FrameIndex::find_packet(std::int64_t pts) const {
    const auto found = std::ranges::lower_bound(times_, pts);
    if (found == times_.end() || *found != pts)
        return std::nullopt;
    const std::int64_t shown = found - times_.begin();
    const std::int64_t end = std::min(shown + most_reordered + 1, frame_count());
    for (std::int64_t i = std::max<std::int64_t>(0, shown - most_reordered); i < end; i++)
        if (packets_[static_cast<std::size_t>(i)].pts == pts)
            return i;
    return std::nullopt;
}

std::uint64_t FrameIndex::digest_of(const AVPacket &packet) const {
    const std::span<const std::uint8_t> bytes(packet.data, static_cast<std::size_t>(packet.size));
    return xxh64(std::as_bytes(zeros_around_ ? without_zeros_around(bytes) : bytes));
}

bool FrameIndex::is_packet(std::int64_t number, const AVPacket &packet) const {
    if (number >= frame_count())
        return false;
    const Packet &known = packets_[static_cast<std::size_t>(number)];
    return known.pts == packet.pts && known.digest == digest_of(packet);
}

FrameTrack::Packet FrameTrack::take(const AVPacket &packet) {
    if (index_->is_packet(packet_, packet)) {
        packet_++;
        begun_ = true;
        return Packet::next;
    }
    // After a seek the first packet may be the end of one, without a time or with one that is unknown.
    const auto number = index_->find_packet(packet.pts);
    return begun_ || (number && *number >= packet_) ? Packet::wrong : Packet::before;
}

FrameTrack::Frame FrameTrack::take(const AVFrame &frame) {
    if (frame_ == index_->frame_count() || frame.pts == AV_NOPTS_VALUE || frame.pts > index_->pts_of(frame_))
        return Frame::wrong;
    if (frame.pts == index_->pts_of(frame_)) {
        frame_++;
        given_ = true;
        return Frame::next;
    }
    return given_ ? Frame::wrong : Frame::before;
}

} // namespace isovmaf
