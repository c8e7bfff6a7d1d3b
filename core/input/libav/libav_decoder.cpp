// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/libav_decoder.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/processors.hpp"
#include "base/try.hpp"
#include "input/libav/stated_rate.hpp"
#include "input/libav/tiff_tags.hpp"
#include "input/raw/byte_reader.hpp"

namespace isovmaf {

namespace {

/// Flags of pictures that the decoder repaired by guessing.
bool is_concealed(const AVFrame &frame) {
    return (frame.flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame.decode_error_flags != 0;
}

/// Decoders that repair damage by guessing and report it in libav's log only.
bool hides_damage(AVCodecID id) { return id == AV_CODEC_ID_FFV1; }

/// With frames in flight, what is logged during a call need not be about the picture it returns; and libavcodec 59's
/// mpeg4 decoder aborts the process on damage.
bool wants_no_frame_threads(AVCodecID id) { return hides_damage(id) || id == AV_CODEC_ID_MPEG4; }

/// libavcodec chooses as many threads as fit the processors that it may run on. It knows no CPU quota. 0: it may
/// choose.
int threads_within_quota() {
    constexpr int most_threads = 16; // that libavcodec chooses
    const int usable = usable_processors();
    if (usable >= static_cast<int>(usable_processor_numbers().size()))
        return 0;
    return usable > 1 ? std::min(usable + 1, most_threads) : 1; // as libavcodec
}

/// Whether a decoder that does not open objects to the stream. Else it lacks something, such as threads or a library.
bool is_about_stream(int error) {
    return error == AVERROR_INVALIDDATA || error == AVERROR_PATCHWELCOME || error == AVERROR(EINVAL);
}

/// Lets the decoder refuse damage in TIFF pictures without refusing tags that say nothing about samples.
void prepare_tiff(AVPacket &packet) {
    const std::span file(packet.data, static_cast<std::size_t>(packet.size));
    if (remove_harmless_tags(file, true) == 0)
        return;
    if (av_packet_make_writable(&packet) < 0)
        throw std::bad_alloc();
    remove_harmless_tags({packet.data, static_cast<std::size_t>(packet.size)});
}

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

bool may_have_film_grain(int codec_id) {
    return codec_id == AV_CODEC_ID_AV1 || codec_id == AV_CODEC_ID_H264 || codec_id == AV_CODEC_ID_HEVC ||
           codec_id == AV_CODEC_ID_VVC;
}

Result<void> check_leaves_grain_out(int codec_id, std::string_view decoder, const std::string &name) {
    constexpr std::array<std::string_view, 4> obliging{"libdav1d", "h264", "hevc", "vvc"};
    if (!may_have_film_grain(codec_id) || std::ranges::find(obliging, decoder) != obliging.end())
        return {};
    return fail(
        ErrorCode::unavailable,
        fmt::format("the film grain of {} cannot be left out: the installed libavcodec decodes {} with {}, which "
                    "always applies it; leave --film-grain off out, or install an FFmpeg with libdav1d",
                    name, avcodec_get_name(static_cast<AVCodecID>(codec_id)), decoder));
}

std::string decoder_versions() {
    if (!load_libav())
        return "no libavformat";
    const auto text = [](unsigned version) {
        return fmt::format("{}.{}.{}", AV_VERSION_MAJOR(version), AV_VERSION_MINOR(version), AV_VERSION_MICRO(version));
    };
    return fmt::format("libavformat {}, libavcodec {}", text(avformat_version()), text(avcodec_version()));
}

Result<std::unique_ptr<LibavDecoder>> LibavDecoder::open(std::unique_ptr<LibavDemuxer> demuxer,
                                                         const SourceOptions &options,
                                                         const std::optional<FrameTrack> &track,
                                                         HardwareDecoder *hardware) {
    std::unique_ptr<LibavDecoder> decoder(new LibavDecoder(std::move(demuxer), options, track));
    decoder->device_ = hardware != nullptr;
    TRY(decoder->open_codec(hardware ? 1 : options.decode_threads, hardware)); // threads would only hold pictures
    return decoder;
}

Result<void> LibavDecoder::open_codec(int threads, HardwareDecoder *hardware) {
    const AVStream &stream = demuxer_->stream();
    const AVCodecID id = stream.codecpar->codec_id;
    const AVCodec *codec = hardware ? hardware->find_codec(id) : avcodec_find_decoder(id);
    if (hardware && !codec)
        return fail(ErrorCode::unavailable,
                    fmt::format("the installed libavcodec has no decoder of {} for the device", avcodec_get_name(id)));
    if (!codec) // a newer or more complete FFmpeg may have it; what libavformat has no name for is the video's fault
        return fail(id == AV_CODEC_ID_NONE ? ErrorCode::unsupported : ErrorCode::unavailable,
                    fmt::format("{} is coded as {}, for which the installed libavcodec has no decoder",
                                demuxer_->name(), avcodec_get_name(id)));
    context_.reset(avcodec_alloc_context3(codec));
    if (!context_)
        throw std::bad_alloc();
    int error = avcodec_parameters_to_context(context_.get(), stream.codecpar);
    if (error >= 0) {
        context_->pkt_timebase = stream.time_base;
        context_->framerate = {0, 1}; // else newer libavformat's default, until the decoder finds a rate
        context_->thread_count = threads > 0 ? threads : threads_within_quota();
        context_->thread_type = FF_THREAD_SLICE | (wants_no_frame_threads(id) ? 0 : FF_THREAD_FRAME);
        // Without it libavcodec moves the left edge of a cropping window to a place in memory that suits it.
        context_->flags |= AV_CODEC_FLAG_UNALIGNED;
#if defined(__aarch64__)
        // FFmpeg's fast transform for Arm gives other samples of MPEG-2 and its like than that for x86. This one gives
        // the same.
        context_->idct_algo = FF_IDCT_SIMPLE;
#endif
        // Without these a decoder repairs damage by guessing, and the guess would be scored.
        context_->err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE;
        errors_.watch(*context_);
        if (!film_grain_ && !hardware)
            TRY(check_leaves_grain_out(codec->id, codec->name, demuxer_->name()));
        if (!film_grain_)
            context_->export_side_data |= AV_CODEC_EXPORT_DATA_FILM_GRAIN;
        if (hardware)
            TRY(hardware->attach(*context_));
        error = avcodec_open2(context_.get(), codec, nullptr);
    }
    if (error == AVERROR(ENOMEM))
        throw std::bad_alloc();
    if (error < 0)
        return fail(is_about_stream(error) ? ErrorCode::unsupported : ErrorCode::unavailable,
                    fmt::format("cannot decode {} ({}): {}", demuxer_->name(), codec->name, libav_error_text(error)));
    return {};
}

Result<void> LibavDecoder::restart(const FrameIndex &index, Starts starts) {
    avcodec_flush_buffers(context_.get());
    errors_.clear();
    clock_.restart();
    tail_.clear();
    end_warning_.clear();
    last_pts_ = end_pts_ = AV_NOPTS_VALUE;
    cut_ = draining_ = ended_ = false;
    track_.emplace(index, starts.back());
    frames_out_ = track_->next_frame();
    return go_to_last(*demuxer_, index, starts);
}

std::optional<bool> LibavDecoder::has_film_grain() const {
    if (saw_grain_ || !may_have_film_grain(context_->codec_id))
        return saw_grain_;
#ifdef FF_CODEC_PROPERTY_FILM_GRAIN
    return (context_->properties & FF_CODEC_PROPERTY_FILM_GRAIN) != 0;
#else
    return film_grain_ ? std::nullopt : std::optional(false);
#endif
}

bool LibavDecoder::may_add_film_grain() const {
    return has_film_grain().value_or(context_->codec_id == AV_CODEC_ID_AV1);
}

Result<AvFrame> LibavDecoder::next() {
    for (;;) {
        auto frame = ended_ ? take_tail() : decode();
        if (!frame || !*frame)
            return frame;
        if (TRY(is_before_track(**frame)))
            continue;
        if (!std::exchange(begun_, true))
            find_rate();
        seconds_ = clock_.take(**frame, frames_out_, rate_);
        frames_out_++;
        return frame;
    }
}

/// Where the container has no times, the coded video states the rate, or else the user. Needs a decoded picture.
void LibavDecoder::find_rate() {
    if (!demuxer_->states_times()) {
        const std::optional<Rational> coded = coded_rate(*demuxer_->stream().codecpar, *context_);
        demuxer_->set_rate(coded ? coded : stated_rate_);
    }
    rate_ = demuxer_->timing().average_rate;
}

/// Whether the picture is shown before the first one of the track.
Result<bool> LibavDecoder::is_before_track(const AVFrame &frame) {
    const auto place = track_ ? track_->take(frame) : FrameTrack::Frame::next;
    if (place == FrameTrack::Frame::wrong)
        return lost_track(fmt::format("frame {} is not shown when its packet says", frames_out_));
    return place == FrameTrack::Frame::before;
}

tl::unexpected<Error> LibavDecoder::lost_track(const std::string &what) const {
    return fail(ErrorCode::corrupt_data,
                fmt::format("the frames of {} cannot be counted without decoding all of them: {}; score it without "
                            "--segment-frames",
                            demuxer_->name(), what));
}

AvFrame LibavDecoder::take_tail() {
    if (tail_.empty())
        return {};
    AvFrame frame = std::move(tail_.front());
    tail_.pop_front();
    return frame;
}

/// Like avcodec_receive_frame, but a picture that was repaired by guessing is an error.
int LibavDecoder::receive(AvFrame &frame) {
    frame.reset(av_frame_alloc());
    if (!frame)
        throw std::bad_alloc();
    const int result = avcodec_receive_frame(context_.get(), frame.get());
    if (result == AVERROR(ENOMEM))
        throw std::bad_alloc();
    if (result != 0)
        return result;
    if (is_concealed(*frame) || (hides_damage(context_->codec_id) && errors_.any()))
        return AVERROR_INVALIDDATA;
    errors_.clear(); // messages about this picture, which is sound
    saw_grain_ = saw_grain_ || av_frame_get_side_data(frame.get(), AV_FRAME_DATA_FILM_GRAIN_PARAMS);
    return 0;
}

Result<AvFrame> LibavDecoder::decode() {
    for (;;) {
        AvFrame frame;
        const int received = receive(frame);
        if (received == 0)
            return frame;
        if (received == AVERROR_EOF) {
            ended_ = true;
            TRY(check_length());
            return AvFrame{};
        }
        if (received != AVERROR(EAGAIN))
            return judge_damage(received);
        const auto fed = TRY(feed());
        if (fed < 0)
            return judge_damage(fed);
    }
}

void LibavDecoder::drain() {
    draining_ = true;
    avcodec_send_packet(context_.get(), nullptr);
}

/// The next packet, or nothing at the end. With a track its next one.
Result<AvPacket> LibavDecoder::read_packet() {
    for (;;) {
        auto packet = TRY(demuxer_->read());
        const auto place = track_ && packet ? track_->take(*packet) : FrameTrack::Packet::next;
        if (place == FrameTrack::Packet::wrong || (track_ && !packet && !track_->at_end()))
            return lost_track("a packet is not the one that was read for counting");
        packets_in_ += packet ? 1 : 0;
        if (place == FrameTrack::Packet::next)
            return packet;
    }
}

/// Sends the next packet, or starts draining. Returns libavcodec's error number.
Result<int> LibavDecoder::feed() {
    auto packet = TRY(read_packet());
    if (!packet) {
        drain();
        return 0;
    }
    if (context_->codec_id == AV_CODEC_ID_TIFF)
        prepare_tiff(*packet);
    clock_.take(*packet);
    last_pts_ = packet->pts;
    end_pts_ = std::max(end_pts_, demuxer_->end_of(*packet));
    // Not every decoder notices a packet that the end of the file cut short; the demuxer marks it.
    const bool damaged = (packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
    cut_ = damaged && demuxer_->at_end_of_file();
    // Software finds what is wrong in a packet, if anything is. A device does not.
    const int sent =
        cut_ || (damaged && device_) ? AVERROR_INVALIDDATA : avcodec_send_packet(context_.get(), packet.get());
    if (sent == AVERROR(ENOMEM))
        throw std::bad_alloc();
    return sent;
}

/// Decides what a decoder's error means: when the last packet of a file that was cut short is damaged, a warning and
/// the end of the video; else an error. Decoders with threads report late, so the last packet counts as damaged only if
/// its picture never comes out.
Result<AvFrame> LibavDecoder::judge_damage(int error) {
    ended_ = true;
    const std::string what = error_text(error);
    if (!draining_) {
        const auto packet = TRY(demuxer_->read());
        // In damaged data a demuxer can lose its place and end early, though the file was not cut short.
        if (packet || (!cut_ && demuxer_->ends_before_its_time(end_pts_)))
            return damage(what);
        drain();
    }
    for (;;) {
        AvFrame frame;
        const int received = receive(frame);
        if (received == AVERROR_EOF)
            break;
        if (received < 0 && frame->pts != AV_NOPTS_VALUE && frame->pts == last_pts_)
            continue; // the picture of the damaged packet, repaired by guessing
        if (received < 0 || frame->pts == AV_NOPTS_VALUE || frame->pts == last_pts_) {
            tail_.clear();
            return damage(what);
        }
        if (frame->pts < last_pts_) // pictures after it would follow a gap
            tail_.push_back(std::move(frame));
    }
    const auto whole = frames_out_ + static_cast<std::int64_t>(tail_.size());
    TRY(lose_end(fmt::format("{} ends with a damaged frame ({})", demuxer_->name(), what),
                 fmt::format("the {} whole frames before it are used", whole)));
    return take_tail();
}

tl::unexpected<Error> LibavDecoder::damage(const std::string &what) const {
    return fail(ErrorCode::corrupt_data,
                fmt::format("cannot decode frame {} of {} ({}): {}", frames_out_, demuxer_->name(), codec(), what));
}

/// libav's text about an error: from its log, which says more than the error's number, when there is one.
std::string LibavDecoder::error_text(int error) {
    const std::string logged = errors_.take();
    return logged.empty() ? libav_error_text(error) : logged;
}

/// Reports a video that ends earlier than its container says.
Result<void> LibavDecoder::check_length() {
    if (demuxer_->truncated() || demuxer_->ends_before_its_time(end_pts_))
        TRY(lose_end(fmt::format("{} seems cut short: it ends earlier than its container ({}) says", demuxer_->name(),
                                 demuxer_->container()),
                     fmt::format("the {} frames it holds are used", frames_out_)));
    return {};
}

Result<void> LibavDecoder::lose_end(const std::string &what, const std::string &used) {
    if (strict_) {
        tail_.clear();
        return fail(ErrorCode::corrupt_data, what + ", and strict scoring wants whole videos");
    }
    end_warning_ = fmt::format("{}; {}", what, used);
    return {};
}

Result<std::unique_ptr<LibavDecoder>> open_at_start(const std::string &path, const SourceOptions &options,
                                                    const FrameIndex &index, Starts starts, HardwareDecoder *hardware) {
    auto demuxer = TRY(LibavDemuxer::open(TRY(ByteReader::open(path))));
    TRY(demuxer->choose(options.stream));
    if (starts.size() > 1)
        TRY(go_to_last(*demuxer, index, starts));
    return LibavDecoder::open(std::move(demuxer), options, FrameTrack(index, starts.back()), hardware);
}

} // namespace isovmaf
