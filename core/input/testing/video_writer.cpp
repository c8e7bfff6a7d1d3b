// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cstring>
#include <memory>
#include <stdexcept>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/log.h>
}

#include "input/libav_demuxer.hpp"
#include "input/pixel_format.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::testing {

namespace {

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

/// Moves finished packets from the encoder to the file.
void write_packets(AVCodecContext &encoder, AVFormatContext &muxer) {
    const AvPacket packet(av_packet_alloc());
    while (avcodec_receive_packet(&encoder, packet.get()) == 0) {
        av_packet_rescale_ts(packet.get(), encoder.time_base, muxer.streams[0]->time_base);
        packet->stream_index = 0;
        check(av_interleaved_write_frame(&muxer, packet.get()), "write a frame");
    }
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

bool write_video(const std::string &path, const char *container, const char *codec,
                 const std::vector<AvFrame> &frames) {
    av_log_set_level(AV_LOG_QUIET);
    const AVCodec *found = avcodec_find_encoder_by_name(codec);
    AVFormatContext *raw_muxer = nullptr;
    if (!found || avformat_alloc_output_context2(&raw_muxer, nullptr, container, path.c_str()) < 0)
        return false;
    const std::unique_ptr<AVFormatContext, MuxerFree> muxer(raw_muxer);
    const std::unique_ptr<AVCodecContext, EncoderFree> encoder(avcodec_alloc_context3(found));
    encoder->width = frames.front()->width;
    encoder->height = frames.front()->height;
    encoder->pix_fmt = static_cast<AVPixelFormat>(frames.front()->format);
    encoder->time_base = {1, 25};
    encoder->framerate = {25, 1};
    encoder->gop_size = 1;
    if (found->id == AV_CODEC_ID_FFV1) {
        encoder->level = 3; // slices with checksums
        encoder->slices = 4;
    }
    encoder->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    if (muxer->oformat->flags & AVFMT_GLOBALHEADER)
        encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    if (avcodec_open2(encoder.get(), found, nullptr) < 0)
        return false;
    AVStream *stream = avformat_new_stream(muxer.get(), nullptr);
    check(avcodec_parameters_from_context(stream->codecpar, encoder.get()), "describe the stream");
    stream->time_base = encoder->time_base;
    stream->avg_frame_rate = encoder->framerate;
    check(avio_open(&muxer->pb, path.c_str(), AVIO_FLAG_WRITE), "open a file");
    check(avformat_write_header(muxer.get(), nullptr), "write a header");
    for (std::size_t i = 0; i < frames.size(); i++) {
        frames[i]->pts = static_cast<std::int64_t>(i);
        check(avcodec_send_frame(encoder.get(), frames[i].get()), "encode a frame");
        write_packets(*encoder, *muxer);
    }
    avcodec_send_frame(encoder.get(), nullptr);
    write_packets(*encoder, *muxer);
    check(av_write_trailer(muxer.get()), "end a file");
    return true;
}

} // namespace isovmaf::testing
