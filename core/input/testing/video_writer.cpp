// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cstring>
#include <memory>
#include <stdexcept>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/log.h>
}

#include "input/convert/pixel_format.hpp"
#include "input/libav/libav_demuxer.hpp"
#include "input/libav/libav_log.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::testing {

namespace {

/// Tests call functions of libav before they open a file.
const bool libav_is_loaded = load_libav().has_value();

void check(int result, const char *what) {
    if (result < 0)
        throw std::runtime_error(std::string(what) + ": " + libav_error_text(result));
}

struct MuxerFree {
    void operator()(AVFormatContext *context) const {
        if (context->pb)
            avio_closep(&context->pb);
        avformat_free_context(context);
    }
};

struct EncoderFree {
    void operator()(AVCodecContext *context) const { avcodec_free_context(&context); }
};

using Encoder = std::unique_ptr<AVCodecContext, EncoderFree>;

/// Moves finished packets from the encoder of stream `number` to the file.
void write_packets(AVCodecContext &encoder, AVFormatContext &muxer, unsigned number) {
    const AvPacket packet(av_packet_alloc());
    while (avcodec_receive_packet(&encoder, packet.get()) == 0) {
        av_packet_rescale_ts(packet.get(), encoder.time_base, muxer.streams[number]->time_base);
        packet->stream_index = static_cast<int>(number);
        check(av_interleaved_write_frame(&muxer, packet.get()), "write a frame");
    }
}

/// An encoder for frames like `first`; null when it does not take them.
Encoder open_encoder(const AVCodec &codec, const AVFrame &first, const AVOutputFormat &container,
                     const std::string &options) {
    Encoder encoder(avcodec_alloc_context3(&codec));
    encoder->width = first.width;
    encoder->height = first.height;
    encoder->pix_fmt = static_cast<AVPixelFormat>(first.format);
    encoder->time_base = {1, 25};
    encoder->framerate = {25, 1};
    encoder->gop_size = 1;
    encoder->color_range = first.color_range;
    encoder->colorspace = first.colorspace;
    encoder->color_primaries = first.color_primaries;
    encoder->color_trc = first.color_trc;
    encoder->sample_aspect_ratio = first.sample_aspect_ratio;
    if (codec.id == AV_CODEC_ID_FFV1) {
        encoder->level = 3; // slices with checksums
        encoder->slices = 4;
    }
    encoder->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    if (container.flags & AVFMT_GLOBALHEADER)
        encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    AVDictionary *dictionary = nullptr;
    check(av_dict_parse_string(&dictionary, options.c_str(), "=", ",", 0), "read an encoder's options");
    const int opened = avcodec_open2(encoder.get(), &codec, &dictionary);
    av_dict_free(&dictionary);
    return opened < 0 ? nullptr : std::move(encoder);
}

void rotate(AVStream &stream, int degrees) {
    constexpr std::size_t bytes = 9 * sizeof(std::int32_t);
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    std::uint8_t *matrix =
        av_packet_side_data_new(&stream.codecpar->coded_side_data, &stream.codecpar->nb_coded_side_data,
                                AV_PKT_DATA_DISPLAYMATRIX, bytes, 0)
            ->data;
#else
    std::uint8_t *matrix = av_stream_new_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, bytes);
#endif
    av_display_rotation_set(reinterpret_cast<std::int32_t *>(matrix), degrees);
}

void add_stream(AVFormatContext &muxer, const AVCodecContext &encoder, const WrittenStream &written) {
    AVStream *stream = avformat_new_stream(&muxer, nullptr);
    check(avcodec_parameters_from_context(stream->codecpar, &encoder), "describe the stream");
    stream->time_base = encoder.time_base;
    stream->avg_frame_rate = encoder.framerate;
    stream->sample_aspect_ratio = encoder.sample_aspect_ratio;
    stream->disposition = written.disposition;
    if (written.rotation != 0)
        rotate(*stream, written.rotation);
}

} // namespace

AvFrame av_frame(const Frame &frame) {
    AvFrame copy(av_frame_alloc());
    const VideoFormat &format = frame.format();
    copy->format = pixel_format(format);
    copy->width = format.width;
    copy->height = format.height;
    check(av_frame_get_buffer(copy.get(), 0), "allocate a frame");
    for (int p = 0; p < format.plane_count(); p++) {
        const Plane &plane = frame.plane(p);
        const int shift_x = p > 0 ? format.chroma_shift_x() : 0, shift_y = p > 0 ? format.chroma_shift_y() : 0;
        const auto row_bytes = static_cast<std::size_t>(plane.width * format.bytes_per_sample());
        const auto stored_row_bytes =
            static_cast<std::size_t>(((format.width + shift_x) >> shift_x) * format.bytes_per_sample());
        for (int y = 0; y < (format.height + shift_y) >> shift_y; y++) {
            std::uint8_t *row = copy->data[p] + std::ptrdiff_t{y} * copy->linesize[p];
            std::memset(row, 1, stored_row_bytes);
            if (y < plane.height)
                std::memcpy(row, plane.row<std::byte>(y), row_bytes);
        }
    }
    return copy;
}

bool write_videos(const std::string &path, const char *container, const char *codec,
                  const std::vector<WrittenStream> &streams) {
    av_log_set_level(AV_LOG_QUIET);
    const AVCodec *found = avcodec_find_encoder_by_name(codec);
    AVFormatContext *raw_muxer = nullptr;
    if (!found || avformat_alloc_output_context2(&raw_muxer, nullptr, container, path.c_str()) < 0)
        return false;
    const std::unique_ptr<AVFormatContext, MuxerFree> muxer(raw_muxer);
    std::vector<Encoder> encoders;
    for (const WrittenStream &stream : streams) {
        encoders.push_back(open_encoder(*found, *stream.frames->front(), *muxer->oformat, stream.encoder_options));
        if (!encoders.back())
            return false;
        add_stream(*muxer, *encoders.back(), stream);
    }
    check(avio_open(&muxer->pb, path.c_str(), AVIO_FLAG_WRITE), "open a file");
    check(avformat_write_header(muxer.get(), nullptr), "write a header");
    for (unsigned s = 0; s < streams.size(); s++) {
        const std::vector<AvFrame> &frames = *streams[s].frames;
        for (std::size_t i = 0; i < frames.size(); i++) {
            frames[i]->pts = streams[s].times.empty() ? static_cast<std::int64_t>(i) : streams[s].times[i];
            check(avcodec_send_frame(encoders[s].get(), frames[i].get()), "encode a frame");
            write_packets(*encoders[s], *muxer, s);
        }
        avcodec_send_frame(encoders[s].get(), nullptr);
        write_packets(*encoders[s], *muxer, s);
    }
    check(av_write_trailer(muxer.get()), "end a file");
    return true;
}

bool write_video(const std::string &path, const char *container, const char *codec,
                 const std::vector<AvFrame> &frames) {
    return write_videos(path, container, codec, {{.frames = &frames}});
}

} // namespace isovmaf::testing
