// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/jpeg.hpp"

#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "base/try.hpp"
#include "input/libav/libav_frame.hpp"
#include "input/libav/libav_functions.hpp"
#include "input/libav/libav_log.hpp"

namespace isovmaf {

namespace {

struct EncoderFree {
    void operator()(AVCodecContext *context) const { avcodec_free_context(&context); }
};
using EncoderHandle = std::unique_ptr<AVCodecContext, EncoderFree>;

struct PacketFree {
    void operator()(AVPacket *packet) const { av_packet_free(&packet); }
};

tl::unexpected<Error> cannot_encode(int width, int height, std::string_view reason) {
    return fail(ErrorCode::unsupported,
                fmt::format("cannot encode a picture of {}x{} as JPEG: {}", width, height, reason));
}

Result<EncoderHandle> open_encoder(int width, int height, int quantizer) {
    const AVCodec *codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG);
    if (!codec)
        return cannot_encode(width, height, "this libavcodec was built without the encoder mjpeg");
    EncoderHandle encoder(avcodec_alloc_context3(codec));
    if (!encoder)
        return fail(ErrorCode::out_of_memory, "out of memory: a JPEG encoder");
    encoder->width = width;
    encoder->height = height;
    encoder->pix_fmt = AV_PIX_FMT_YUVJ444P;
    encoder->color_range = AVCOL_RANGE_JPEG;
    encoder->time_base = {1, 1};
    encoder->thread_count = 1;
    encoder->flags |= AV_CODEC_FLAG_QSCALE | AV_CODEC_FLAG_BITEXACT; // no version of libavcodec in the file
    encoder->global_quality = FF_QP2LAMBDA * quantizer;
    if (const int error = avcodec_open2(encoder.get(), codec, nullptr); error < 0)
        return cannot_encode(width, height, libav_error_text(error));
    return encoder;
}

Result<AvFrame> make_frame(const AVCodecContext &encoder, const std::array<std::span<const std::uint8_t>, 3> &planes) {
    AvFrame frame(av_frame_alloc());
    if (!frame)
        return fail(ErrorCode::out_of_memory, "out of memory: a picture");
    frame->format = encoder.pix_fmt;
    frame->width = encoder.width;
    frame->height = encoder.height;
    frame->quality = encoder.global_quality;
    frame->pts = 0;
    if (av_frame_get_buffer(frame.get(), 0) < 0)
        return fail(ErrorCode::out_of_memory, "out of memory: a picture");
    const auto row_bytes = static_cast<std::size_t>(encoder.width);
    for (std::size_t p = 0; p < planes.size(); p++)
        for (std::ptrdiff_t y = 0; y < encoder.height; y++)
            std::memcpy(frame->data[p] + y * frame->linesize[p],
                        planes[p].data() + static_cast<std::size_t>(y) * row_bytes, row_bytes);
    return frame;
}

} // namespace

Result<std::string> encode_jpeg(int width, int height, const std::array<std::span<const std::uint8_t>, 3> &planes,
                                int quantizer) {
    TRY(load_libav());
    const EncoderHandle encoder = TRY(open_encoder(width, height, quantizer));
    const AvFrame frame = TRY(make_frame(*encoder, planes));
    const std::unique_ptr<AVPacket, PacketFree> packet(av_packet_alloc());
    if (!packet)
        return fail(ErrorCode::out_of_memory, "out of memory: a JPEG file");
    int error = avcodec_send_frame(encoder.get(), frame.get());
    if (error >= 0)
        error = avcodec_receive_packet(encoder.get(), packet.get());
    if (error < 0)
        return cannot_encode(width, height, libav_error_text(error));
    return std::string(reinterpret_cast<const char *>(packet->data), static_cast<std::size_t>(packet->size));
}

} // namespace isovmaf
