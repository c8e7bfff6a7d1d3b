// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "input/hardware.hpp"
#include "input/libav/frame_clock.hpp"
#include "input/libav/frame_index.hpp"
#include "input/libav/libav_demuxer.hpp"
#include "input/libav/libav_frame.hpp"
#include "input/libav/libav_functions.hpp"
#include "input/libav/libav_log.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// "libavformat 59.27.100, libavcodec 59.37.100": what decides what a video holds. "no libavformat" without it.
[[nodiscard]] std::string decoder_versions();

/// Whether videos of a codec (AVCodecID) can have film grain that decoders add.
[[nodiscard]] bool may_have_film_grain(int codec_id);

/// Fails unless a decoder of software, which has libavcodec's name, leaves film grain out when it is asked for side
/// data about it. `name` is that of the video.
[[nodiscard]] Result<void> check_leaves_grain_out(int codec_id, std::string_view decoder, const std::string &name);

/// Decodes a demuxer's video stream. Damaged data are an error: no picture is repaired by guessing. The only exception
/// is the last packet of a file that was cut short, which is left out with a warning unless `options.strict`.
class LibavDecoder {
  public:
    /// With a track, decoding begins with its packet, which the demuxer has not passed, and the first picture is that
    /// of its frame. A packet or picture that is not the one of the track is an error. `hardware`, if given, decodes,
    /// and outlives the decoder.
    [[nodiscard]] static Result<std::unique_ptr<LibavDecoder>> open(std::unique_ptr<LibavDemuxer> demuxer,
                                                                    const SourceOptions &options,
                                                                    const std::optional<FrameTrack> &track = {},
                                                                    HardwareDecoder *hardware = nullptr);

    /// Decodes from the last of the starts on, which are those for some frame, as a decoder that was opened there
    /// would. The file and what decodes it stay open. Fails when the packet is not found; the decoder cannot be used
    /// then. The index has no obstacle, and outlives the decoder.
    Result<void> restart(const FrameIndex &index, std::span<const FrameIndex::Start> starts);

    /// From now on compares packets and pictures with the index, as with a track from the first packet on. For a
    /// decoder without a track, of which the demuxer had passed no packet. The index has no obstacle, and outlives the
    /// decoder.
    void follow(const FrameIndex &index) { track_.emplace(index, packets_in_, frames_out_); }

    [[nodiscard]] const LibavDemuxer &demuxer() const { return *demuxer_; }
    [[nodiscard]] std::string codec() const { return avcodec_get_name(context_->codec_id); }

    /// Whether the video has film grain, as far as it was decoded; nothing where libavcodec does not tell. The decoder
    /// applies it or leaves it out: see SourceOptions.
    [[nodiscard]] std::optional<bool> has_film_grain() const;

    /// The same for devices: in doubt AV1 has film grain. Devices apply that of no other codec.
    [[nodiscard]] bool may_add_film_grain() const;

    /// The next picture in output order; null at the end. Throws std::bad_alloc when memory is out.
    [[nodiscard]] Result<AvFrame> next();

    /// When the picture that `next` gave last is shown, in seconds, if that is known.
    [[nodiscard]] std::optional<double> seconds() const { return seconds_; }

    /// See FrameSource::end_warning. It may be there some pictures before the end.
    [[nodiscard]] const std::string &end_warning() const { return end_warning_; }

    /// See FrameSource::cancel.
    void cancel() { demuxer_->cancel(); }

  private:
    struct ContextFree {
        void operator()(AVCodecContext *context) const { avcodec_free_context(&context); }
    };

    LibavDecoder(std::unique_ptr<LibavDemuxer> demuxer, const SourceOptions &options,
                 const std::optional<FrameTrack> &track)
        : demuxer_(std::move(demuxer)), strict_(options.strict), film_grain_(options.film_grain),
          stated_rate_(options.stated.frame_rate), track_(track), frames_out_(track ? track->next_frame() : 0),
          clock_(demuxer_->stream(), demuxer_->states_times()) {}

    Result<void> open_codec(int threads, HardwareDecoder *hardware);
    Result<AvFrame> decode();
    Result<AvPacket> read_packet();
    Result<int> feed();
    void find_rate();
    [[nodiscard]] Result<bool> is_before_track(const AVFrame &frame);
    tl::unexpected<Error> lost_track(const std::string &what) const;
    int receive(AvFrame &frame);
    void drain();
    Result<AvFrame> judge_damage(int error);
    AvFrame take_tail();
    tl::unexpected<Error> damage(const std::string &what) const;
    std::string error_text(int error);
    Result<void> check_length();
    Result<void> lose_end(const std::string &what, const std::string &used);

    std::unique_ptr<LibavDemuxer> demuxer_;
    LibavLog errors_; ///< outlives the context
    std::unique_ptr<AVCodecContext, ContextFree> context_;
    bool strict_;                         ///< a video that lost its end is an error
    bool film_grain_;                     ///< is added; else left out
    bool saw_grain_ = false;              ///< that was left out
    bool device_ = false;                 ///< decodes
    std::optional<Rational> stated_rate_; ///< by the user; heeded where the file states none
    std::optional<FrameTrack> track_;
    std::int64_t packets_in_ = 0; ///< that were read without a track
    std::int64_t frames_out_;     ///< and those before the track
    FrameClock clock_;
    bool begun_ = false; ///< a picture was decoded, and `rate_` is set
    std::optional<Rational> rate_;
    std::optional<double> seconds_;          ///< of the picture that came last
    std::int64_t last_pts_ = AV_NOPTS_VALUE; ///< of the last packet that was sent
    std::int64_t end_pts_ = AV_NOPTS_VALUE;  ///< the latest end of all packets
    bool cut_ = false;                       ///< the file ends inside the last packet
    bool draining_ = false;                  ///< all packets have been sent
    bool ended_ = false;
    std::string end_warning_;
    std::deque<AvFrame> tail_; ///< the remaining pictures of a video whose last packet is damaged
};

/// Opens a decoder for a video file that begins with the last of the starts, which are those for some frame. Fails when
/// the packet is not found. The index has no obstacle, and outlives the decoder.
[[nodiscard]] Result<std::unique_ptr<LibavDecoder>> open_at_start(const std::string &path, const SourceOptions &options,
                                                                  const FrameIndex &index,
                                                                  std::span<const FrameIndex::Start> starts,
                                                                  HardwareDecoder *hardware = nullptr);

} // namespace isovmaf
