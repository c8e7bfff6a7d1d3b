// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/libav_demuxer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "base/try.hpp"
#include "input/libav/frame_times.hpp"
#include "input/libav/libav_log.hpp"
#include "input/libav/numbered_pictures.hpp"
#include "input/libav/url_file.hpp"

namespace isovmaf {

namespace {

constexpr int io_buffer_bytes = 1 << 16;

/// Demuxer of numbered pictures.
constexpr const char *picture_sequence = "image2";

/// Options of libav for opening a file, of which some may be unknown to the demuxer.
class OpenOptions {
  public:
    OpenOptions() = default;
    OpenOptions(const OpenOptions &) = delete;
    OpenOptions &operator=(const OpenOptions &) = delete;
    ~OpenOptions() { av_dict_free(&options_); }

    void set(const char *name, std::int64_t value) { av_dict_set_int(&options_, name, value, 0); }
    AVDictionary **get() { return &options_; }

  private:
    AVDictionary *options_ = nullptr;
};

} // namespace

bool is_url_or_pattern(const std::string &path) {
    return (is_url(path) || is_picture_pattern(path)) && access(path.c_str(), F_OK) != 0;
}

LibavDemuxer::~LibavDemuxer() {
    avformat_close_input(&context_);
    if (bytes_) {
        av_freep(&bytes_->buffer); // libav may have replaced the buffer it was given
        avio_context_free(&bytes_);
    }
}

int LibavDemuxer::is_cancelled(void *self) { return static_cast<LibavDemuxer *>(self)->cancelled_ ? 1 : 0; }

void LibavDemuxer::cancel() {
    cancelled_ = true;
    if (reader_)
        reader_->cancel();
}

int LibavDemuxer::read_bytes(void *self, std::uint8_t *out, int size) {
    auto &reader = *static_cast<LibavDemuxer *>(self)->reader_;
    const auto got = reader.read_some({reinterpret_cast<std::byte *>(out), static_cast<std::size_t>(size)});
    if (!got)
        return got.error().code == ErrorCode::interrupted ? AVERROR_EXIT : AVERROR(EIO);
    return *got == 0 ? AVERROR_EOF : static_cast<int>(*got);
}

Result<void> LibavDemuxer::open_input() {
    context_ = avformat_alloc_context();
    if (!context_)
        throw std::bad_alloc();
    context_->interrupt_callback = {is_cancelled, this};
    if (!reader_ && is_url(path_))
        return open_url(path_, nullptr);
    // Without the prefix libav would take a name such as "concat:a|b" for a list of files.
    if (!reader_)
        return open_url("file:" + path_, picture_sequence);
    if (reader_->is_reopenable())
        return open_url("file:" + path_, nullptr);
    auto *buffer = static_cast<unsigned char *>(av_malloc(io_buffer_bytes));
    bytes_ = buffer ? avio_alloc_context(buffer, io_buffer_bytes, 0, this, read_bytes, nullptr, nullptr) : nullptr;
    if (!bytes_) {
        av_free(buffer);
        throw std::bad_alloc();
    }
    context_->pb = bytes_;
    return open_url("", nullptr);
}

/// Opens the context. `format` is the name of a demuxer; null lets libav find it.
Result<void> LibavDemuxer::open_url(const std::string &url, const char *format) {
    OpenOptions options;
    if (format)
        options.set("start_number", TRY(first_picture(path_)));
    if (!reader_ && is_url(path_))
        options.set("rw_timeout", url_silence_.count());
    const int opened =
        avformat_open_input(&context_, url.c_str(), format ? av_find_input_format(format) : nullptr, options.get());
    return opened < 0 ? open_failure(opened) : refuse_text();
}

tl::unexpected<Error> LibavDemuxer::unknown_format() const {
    return fail(ErrorCode::corrupt_data,
                fmt::format("{} is in no video format known here, or it is damaged or incomplete; raw planar video "
                            "needs its width, height, pixel format and bit depth given",
                            name()));
}

tl::unexpected<Error> LibavDemuxer::open_failure(int error) const {
    if (error == AVERROR_INVALIDDATA || error == AVERROR(EINVAL)) // EINVAL: a name that ends in .yuv
        return unknown_format();
    if (reader_)
        return fail(ErrorCode::io, fmt::format("cannot open {} as video: {}", name(), libav_error_text(error)));
    if (is_url(path_))
        return fail(ErrorCode::io, fmt::format("cannot open {}: {}; check the address, and the network", name(),
                                               libav_error_text(error)));
    return fail(ErrorCode::io, fmt::format("cannot open {} as pictures: {}", name(), libav_error_text(error)));
}

/// libav draws text files as pictures of a terminal.
Result<void> LibavDemuxer::refuse_text() const {
    for (const AVCodecID drawn : {AV_CODEC_ID_ANSI, AV_CODEC_ID_XBIN, AV_CODEC_ID_BINTEXT, AV_CODEC_ID_IDF})
        if (context_->nb_streams > 0 && context_->streams[0]->codecpar->codec_id == drawn)
            return unknown_format();
    return {};
}

Result<void> LibavDemuxer::find_streams() {
    const int found = avformat_find_stream_info(context_, nullptr);
    if (found == AVERROR(ENOMEM))
        throw std::bad_alloc();
    TRY(check_reading());
    if (found < 0)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("cannot find out what {} holds: {}", name(), libav_error_text(found)));
    return {};
}

Result<void> LibavDemuxer::choose(const std::optional<StreamChoice> &choice) {
    stream_ = TRY(choose_video_stream(*context_, name(), choice));
    for (unsigned i = 0; i < context_->nb_streams; i++) {
        const bool sound = context_->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
        const bool is_read = i == stream_ || (sound && states_whole_duration_alone());
        context_->streams[i]->discard = is_read ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    }
    return {};
}

Result<std::unique_ptr<LibavDemuxer>> LibavDemuxer::open(std::unique_ptr<ByteReader> reader) {
    TRY(load_libav());
    const std::string path = reader->path();
    return opened(std::unique_ptr<LibavDemuxer>(new LibavDemuxer(path, std::move(reader))));
}

Result<std::unique_ptr<LibavDemuxer>> LibavDemuxer::open(const std::string &path,
                                                         std::chrono::microseconds url_silence) {
    TRY(load_libav());
    std::unique_ptr<LibavDemuxer> demuxer(new LibavDemuxer(path, nullptr));
    demuxer->url_silence_ = url_silence;
    return opened(std::move(demuxer));
}

Result<std::unique_ptr<LibavDemuxer>> LibavDemuxer::opened(std::unique_ptr<LibavDemuxer> demuxer) {
    TRY(demuxer->open_input());
    TRY(demuxer->find_streams());
    return demuxer;
}

std::int64_t LibavDemuxer::end_of(const AVPacket &packet) const {
    const bool is_shown = packet.pts != AV_NOPTS_VALUE && first_has_pts_;
    const std::int64_t time = is_shown ? packet.pts : packet.dts;
    if (time == AV_NOPTS_VALUE)
        return time;
    std::int64_t frame = packet.duration;
    if (frame <= 0 && stream().avg_frame_rate.num > 0)
        frame = av_rescale_q(1, av_inv_q(stream().avg_frame_rate), stream().time_base);
    if (is_shown)
        return time + frame;
    const bool is_known = stream().start_time != AV_NOPTS_VALUE && first_dts_ != AV_NOPTS_VALUE;
    const std::int64_t delay = is_known ? stream().start_time - first_dts_ : frame * stream().codecpar->video_delay;
    return time + frame + std::max<std::int64_t>(delay, 0);
}

/// Whether the container states the duration of the whole file, which may be that of its sound, and not the video's.
bool LibavDemuxer::states_whole_duration_alone() const {
    return context_->nb_streams > 1 && !own_duration(*context_, stream());
}

bool LibavDemuxer::ends_before_its_time(std::int64_t end_pts) const {
    constexpr double most_silence = 0.5; // seconds: sound and video seldom end together
    const SourceTiming times = timing();
    const double rate = times.average_rate ? times.average_rate->value() : 0;
    const auto seconds = times.duration_seconds;
    if (!seconds || rate <= 0 || end_pts == AV_NOPTS_VALUE)
        return false;
    // Containers count a duration from 0 or from the first frame, which is earlier than 0 where the clock of MPEG-TS
    // wraps.
    const double start = std::min(times.start_seconds.value_or(0), 0.0);
    const double end = static_cast<double>(end_pts) * av_q2d(stream().time_base) - start;
    return states_whole_duration_alone() ? std::max(end, sound_end_) < *seconds - most_silence
                                         : end < *seconds - 0.5 / rate;
}

tl::unexpected<Error> LibavDemuxer::read_failure(int error) const {
    if (container() == picture_sequence)
        return fail(
            ErrorCode::corrupt_data,
            fmt::format("cannot read the picture after the first {} of {}: {}; the numbers of the pictures have "
                        "to follow one another without a gap",
                        packets_, name(), libav_error_text(error)));
    return fail(ErrorCode::corrupt_data,
                fmt::format("cannot read on in {} ({}): {}{}", name(), container(), libav_error_text(error),
                            bytes_ ? "; some files can be read only by name, not through a pipe" : ""));
}

/// Fails when bytes of the file could not be read.
Result<void> LibavDemuxer::check_reading() const {
    const int error = context_->pb ? context_->pb->error : 0;
    if (error < 0 && error != AVERROR_EOF)
        return fail(ErrorCode::io, fmt::format("cannot read {}: {}", name(), libav_error_text(error)));
    return {};
}

SourceTiming LibavDemuxer::timing() const {
    SourceTiming timing = describe_timing(*context_, stream_);
    if (found_rate_)
        timing.average_rate = found_rate_;
    timing.variable = variable_;
    return timing;
}

/// The times of the next packets, which `read` gives all the same: presentation times, or decoding times where the
/// first packet has none else. Empty when a packet has no such time.
std::vector<std::int64_t> LibavDemuxer::read_times_ahead() {
    constexpr std::size_t most_packets = 128, most_bytes = std::size_t{32} << 20;
    constexpr std::size_t most_delay = 16; ///< frames that may be shown before one that is coded earlier
    std::vector<std::int64_t> times;
    std::int64_t AVPacket::*kind = nullptr;
    for (std::size_t bytes = 0; ahead_.size() < most_packets && bytes < most_bytes;) {
        const Result<AvPacket> &packet = ahead_.emplace_back(read_packet());
        if (!packet || !*packet) // the end, or an error that `read` will return
            break;
        bytes += static_cast<std::size_t>((*packet)->size);
        if (((*packet)->flags & AV_PKT_FLAG_DISCARD) != 0) // not shown
            continue;
        if (!kind)
            kind = (*packet)->pts != AV_NOPTS_VALUE ? &AVPacket::pts : &AVPacket::dts;
        if ((**packet).*kind == AV_NOPTS_VALUE)
            return {};
        times.push_back((**packet).*kind);
    }
    std::ranges::sort(times);
    if (ahead_.empty() || (ahead_.back() && *ahead_.back())) // frames between the last ones may follow
        times.resize(times.size() - std::min(times.size(), most_delay));
    return times;
}

void LibavDemuxer::look_at_times() {
    const SourceTiming timing = describe_timing(*context_, stream_);
    const AVFieldOrder fields = stream().codecpar->field_order;
    const bool progressive = fields == AV_FIELD_PROGRESSIVE || fields == AV_FIELD_UNKNOWN; // a packet is a frame
    const std::optional<Rational> &rate = timing.average_rate ? timing.average_rate : timing.base_rate;
    if (!rate || !timing.time_base || !progressive || !states_times())
        return;
    const std::vector<std::int64_t> times = read_times_ahead();
    if (const auto variable = variable_rate(times, *timing.time_base, *rate)) {
        found_rate_ = variable;
        variable_ = true;
    } else if (!timing.average_rate && fits_rate(times, *timing.time_base, *rate)) {
        found_rate_ = rate;
    }
}

bool LibavDemuxer::seek(std::int64_t time) {
    ahead_.clear();
    truncated_ = false;
    return av_seek_frame(context_, static_cast<int>(stream_), time, AVSEEK_FLAG_BACKWARD) >= 0;
}

bool LibavDemuxer::at_end_of_file() const {
    const bool packets_follow = !ahead_.empty() && ahead_.front() && *ahead_.front();
    return has_read_all() && !packets_follow;
}

Result<AvPacket> LibavDemuxer::read() {
    if (ahead_.empty() || cancelled_)
        return read_packet();
    Result<AvPacket> packet = std::move(ahead_.front());
    ahead_.pop_front();
    return packet;
}

Result<AvPacket> LibavDemuxer::read_packet() {
    AvPacket packet(av_packet_alloc());
    if (!packet)
        throw std::bad_alloc();
    for (;;) {
        const int got = av_read_frame(context_, packet.get());
        if (cancelled_)
            return fail(ErrorCode::interrupted, fmt::format("reading {} was stopped", name()));
        if (got == AVERROR(ENOMEM))
            throw std::bad_alloc();
        if (got < 0)
            TRY(check_reading());
        if (got < 0 && got != AVERROR_EOF && has_read_all())
            truncated_ = true;
        if (got == AVERROR_EOF || truncated_)
            return AvPacket{};
        if (got < 0)
            return read_failure(got);
        packets_++;
        if (packet->stream_index == static_cast<int>(stream_)) {
            if (!std::exchange(begun_, true)) {
                first_has_pts_ = packet->pts != AV_NOPTS_VALUE;
                first_dts_ = packet->dts;
            }
            return packet;
        }
        if (packet->pts != AV_NOPTS_VALUE)
            sound_end_ = std::max(sound_end_, static_cast<double>(packet->pts + packet->duration) *
                                                  av_q2d(context_->streams[packet->stream_index]->time_base));
        av_packet_unref(packet.get());
    }
}

} // namespace isovmaf
