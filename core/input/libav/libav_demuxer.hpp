// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "input/libav/libav_functions.hpp"
#include "input/libav/libav_streams.hpp"
#include "input/libav/stated_rate.hpp"
#include "input/raw/byte_reader.hpp"
#include "input/source_info.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

struct AvPacketFree {
    void operator()(AVPacket *packet) const { av_packet_free(&packet); }
};
using AvPacket = std::unique_ptr<AVPacket, AvPacketFree>;

/// Whether a path that names no file is for libav alone to open: a URL ("https://..."), or a pattern for the names of
/// numbered pictures ("%04d.png").
[[nodiscard]] bool is_url_or_pattern(const std::string &path);

/// Reads packets of one video stream of a file. libav opens regular files itself and may seek in them. Pipes and
/// standard input are read through `reader`, because it holds the bytes that were peeked at.
class LibavDemuxer {
  public:
    /// Opens the file and finds its streams. `choose` has to follow before anything else but `file` is used.
    [[nodiscard]] static Result<std::unique_ptr<LibavDemuxer>> open(std::unique_ptr<ByteReader> reader);

    /// The same for a URL, or a pattern of names of numbered pictures: see is_url_or_pattern. A server that sends
    /// nothing for `url_silence` is an error.
    [[nodiscard]] static Result<std::unique_ptr<LibavDemuxer>>
    open(const std::string &path, std::chrono::microseconds url_silence = std::chrono::seconds(30));

    /// Chooses the stream to read: see choose_video_stream.
    Result<void> choose(const std::optional<StreamChoice> &choice);
    ~LibavDemuxer();
    LibavDemuxer(const LibavDemuxer &) = delete;
    LibavDemuxer &operator=(const LibavDemuxer &) = delete;

    [[nodiscard]] std::string name() const { return display_name(path_); }
    [[nodiscard]] const std::string &path() const { return path_; }
    [[nodiscard]] const AVFormatContext &file() const { return *context_; }
    [[nodiscard]] std::string container() const { return context_->iformat->name; }
    [[nodiscard]] const AVStream &stream() const { return *context_->streams[stream_]; }

    /// See isovmaf::states_times.
    [[nodiscard]] bool states_times() const { return isovmaf::states_times(*context_); }

    /// Reads a few seconds of packets ahead, before the first `read`, to see whether frames come at varying distances:
    /// containers such as Matroska state the rate that their writer was told. Some say their rate by these times alone.
    /// `read` gives these packets all the same. Does nothing where the container has no times.
    void look_at_times();

    /// The frames per second, for a container without times.
    void set_rate(const std::optional<Rational> &rate) { found_rate_ = rate; }

    /// What the container says about the times of the stream's frames, what look_at_times found, and set_rate.
    [[nodiscard]] SourceTiming timing() const;

    /// Number of frames that the container states or implies; an estimate.
    [[nodiscard]] std::optional<std::int64_t> frame_count() const { return stated_frames(stream(), timing()); }

    /// The end of a packet of the stream, in units of the stream; one frame is taken for a packet without a duration. A
    /// packet without a presentation time is taken to be shown as long after its decoding time as the first one, or
    /// after the codec's delay where that is not known; so are all packets when the first one has no presentation time.
    /// AV_NOPTS_VALUE when the packet has no time at all.
    [[nodiscard]] std::int64_t end_of(const AVPacket &packet) const;

    /// When everything was read: whether the container promises more than half a frame of video after `end_pts`, the
    /// end of the last packet. Where it states the duration of all streams alone, whether it promises half a second or
    /// more after the end of video and sound.
    [[nodiscard]] bool ends_before_its_time(std::int64_t end_pts) const;

    /// Goes to a packet with this presentation or decoding time or, in most files, to one before it. False when the
    /// file does not allow that.
    [[nodiscard]] bool seek(std::int64_t time);

    /// The next packet, or nothing at the end.
    [[nodiscard]] Result<AvPacket> read();

    /// After the end: whether the file stops before its container's end.
    [[nodiscard]] bool truncated() const { return truncated_; }

    /// Whether everything in the file has been read, and `read` has returned it.
    [[nodiscard]] bool at_end_of_file() const;

    /// See FrameSource::cancel.
    void cancel();

  private:
    LibavDemuxer(std::string path, std::unique_ptr<ByteReader> reader)
        : path_(std::move(path)), reader_(std::move(reader)) {}

    Result<AvPacket> read_packet();
    [[nodiscard]] std::vector<std::int64_t> read_times_ahead();
    [[nodiscard]] bool has_read_all() const { return context_->pb && avio_feof(context_->pb); }
    Result<void> open_input();
    Result<void> open_url(const std::string &url, const char *format);
    static Result<std::unique_ptr<LibavDemuxer>> opened(std::unique_ptr<LibavDemuxer> demuxer);
    Result<void> refuse_text() const;
    Result<void> check_reading() const;
    Result<void> find_streams();
    tl::unexpected<Error> unknown_format() const;
    tl::unexpected<Error> open_failure(int error) const;
    tl::unexpected<Error> read_failure(int error) const;
    [[nodiscard]] bool states_whole_duration_alone() const;
    static int read_bytes(void *self, std::uint8_t *out, int size);
    static int is_cancelled(void *self);

    std::string path_;
    std::unique_ptr<ByteReader> reader_; ///< null for a URL or a pattern
    std::atomic<bool> cancelled_ = false;
    AVIOContext *bytes_ = nullptr; ///< reads from reader_; null when libav opens the file itself
    AVFormatContext *context_ = nullptr;
    std::chrono::microseconds url_silence_{};
    unsigned stream_ = 0;
    std::int64_t packets_ = 0;                ///< that were read, of all streams
    bool begun_ = false;                      ///< a packet of the stream was read
    bool first_has_pts_ = true;               ///< that packet; if not, libav guesses those of others
    std::int64_t first_dts_ = AV_NOPTS_VALUE; ///< of that packet
    double sound_end_ = 0;                    ///< in seconds, if `choose` did not discard sound
    bool truncated_ = false;
    std::deque<Result<AvPacket>> ahead_; ///< what `read` returns next
    std::optional<Rational> found_rate_; ///< see look_at_times and set_rate
    bool variable_ = false;              ///< that rate is an average
};

} // namespace isovmaf
