// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "input/libav/libav_demuxer.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// Which packet of a video stream makes which frame, found by reading the packets without decoding them. Frames are
/// counted from 0 in the order in which they are shown, packets in the order in which they are read. Does not change
/// after `build`.
class FrameIndex {
  public:
    /// Reads all packets of the demuxer's stream, or as many as show an obstacle. `cancelled` is called between
    /// packets; when it returns true, the error is `interrupted`. A file that cannot be read on is an obstacle, not an
    /// error.
    [[nodiscard]] static Result<FrameIndex> build(LibavDemuxer &demuxer, const std::function<bool()> &cancelled);

    /// The index of the first packets alone, up to the second one that a decoder can start with, and of 1,024 at most.
    [[nodiscard]] static FrameIndex build_first(LibavDemuxer &demuxer);

    /// An index with this obstacle.
    [[nodiscard]] static FrameIndex obstructed(std::string obstacle);

    /// Why frames are not numbered by packets: an unfinished sentence about the video. Empty when they are; else
    /// nothing but this function may be used.
    [[nodiscard]] const std::string &obstacle() const { return obstacle_; }

    /// A packet that a decoder can start with. It gives `frame` and, in order, all frames after it, perhaps after some
    /// that are shown earlier.
    struct Start {
        std::int64_t packet;
        std::int64_t frame;
        std::int64_t pts; ///< of the packet
        std::int64_t dts; ///< AV_NOPTS_VALUE when it has none
    };

    /// The starts for `frame`, which may lie behind the end: the nearest is the last one. There is always the first
    /// packet.
    [[nodiscard]] std::span<const Start> starts_for(std::int64_t frame) const;

    [[nodiscard]] std::int64_t frame_count() const { return static_cast<std::int64_t>(times_.size()); }

    /// Presentation time of a frame, in units of the stream.
    [[nodiscard]] std::int64_t pts_of(std::int64_t frame) const { return times_[static_cast<std::size_t>(frame)]; }

    /// The number of the packet with this presentation time.
    [[nodiscard]] std::optional<std::int64_t> find_packet(std::int64_t pts) const;

    /// Whether packet `number` is this one: its bytes and its presentation time. Zero bytes between two packets of
    /// H.264 and HEVC, which may belong to either, are not compared.
    [[nodiscard]] bool is_packet(std::int64_t number, const AVPacket &packet) const;

  private:
    struct Packet {
        std::int64_t pts;
        std::uint64_t digest; ///< of its bytes
        std::int64_t dts;
        bool starts;
    };

    [[nodiscard]] std::uint64_t digest_of(const AVPacket &packet) const;
    static FrameIndex finished(FrameIndex index, std::string obstacle);
    std::string add_packets(LibavDemuxer &demuxer, const std::function<bool()> &stop);
    std::string number_frames();
    void find_starts();

    std::vector<Packet> packets_;
    std::vector<std::int64_t> times_; ///< of the packets, ascending
    std::vector<Start> starts_;
    bool zeros_around_ = false; ///< zero bytes at the ends of packets are not theirs
    std::string obstacle_;
};

/// A place in a video: the packet that the decoder gets next, and the frame that it gives next. Compares both with the
/// index, so that no frame gets a wrong number.
class FrameTrack {
  public:
    /// `index` has no obstacle, and outlives the track.
    FrameTrack(const FrameIndex &index, const FrameIndex::Start &start)
        : index_(&index), packet_(start.packet), frame_(start.frame) {}

    /// Of a decoder that began with the first packet: so many packets and frames have come since.
    FrameTrack(const FrameIndex &index, std::int64_t packets, std::int64_t frames)
        : index_(&index), packet_(packets), frame_(frames), begun_(packets > 0), given_(frames > 0) {}

    [[nodiscard]] std::int64_t next_frame() const { return frame_; }

    enum class Packet : std::uint8_t {
        before, ///< the place: to be left out
        next,
        wrong, ///< not what the index has here
    };

    /// Looks at the packet that was read.
    [[nodiscard]] Packet take(const AVPacket &packet);

    /// Whether all packets have been taken, at the end of the file.
    [[nodiscard]] bool at_end() const { return packet_ == index_->frame_count(); }

    enum class Frame : std::uint8_t { before, next, wrong };

    /// Looks at a decoded frame.
    [[nodiscard]] Frame take(const AVFrame &frame);

  private:
    const FrameIndex *index_;
    std::int64_t packet_, frame_;
    bool begun_ = false; ///< the first packet has come
    bool given_ = false; ///< and the first frame
};

} // namespace isovmaf
