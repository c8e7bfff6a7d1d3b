// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/libav_colour.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
}

#include "input/convert/pixel_format.hpp"

namespace isovmaf {

namespace {

/// libav's name; empty for the values that stand for "not specified".
std::string specified(const char *name) {
    const std::string_view text = name ? name : "";
    return text == "unknown" || text == "unspecified" || text == "reserved" ? "" : std::string(text);
}

std::string range_of(AVColorRange range, AVPixelFormat pixels) {
    const char *name = av_get_pix_fmt_name(pixels);
    if (name && std::string_view(name).starts_with("yuvj")) // an older way to say full range
        return "full";
    return range == AVCOL_RANGE_JPEG ? "full" : range == AVCOL_RANGE_MPEG ? "limited" : "";
}

std::optional<Rational> ratio(AVRational from) {
    return from.num > 0 && from.den > 0 ? std::optional(Rational{from.num, from.den}) : std::nullopt;
}

std::string field_order_of(AVFieldOrder order) {
    switch (order) {
    case AV_FIELD_PROGRESSIVE:
        return "progressive";
    case AV_FIELD_TT:
    case AV_FIELD_TB:
        return "top field first";
    case AV_FIELD_BB:
    case AV_FIELD_BT:
        return "bottom field first";
    default:
        return "";
    }
}

bool is_interlaced(const AVFrame &frame) {
#ifdef AV_FRAME_FLAG_INTERLACED
    return (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame.interlaced_frame != 0;
#endif
}

bool top_field_first(const AVFrame &frame) {
#ifdef AV_FRAME_FLAG_TOP_FIELD_FIRST
    return (frame.flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
    return frame.top_field_first != 0;
#endif
}

/// The container's display matrix; null when there is none.
const std::int32_t *display_matrix(const AVStream &stream) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *data = av_packet_side_data_get(
        stream.codecpar->coded_side_data, stream.codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data ? reinterpret_cast<const std::int32_t *>(data->data) : nullptr;
#else
    return reinterpret_cast<const std::int32_t *>(av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, nullptr));
#endif
}

/// libav's matrix turns coordinates counter-clockwise; its upper left 2x2 part has a negative determinant when it
/// mirrors.
void apply_display_matrix(const std::int32_t *matrix, ColourDescription &colour) {
    const double turn = matrix ? av_display_rotation_get(matrix) : 0;
    if (!matrix || std::isnan(turn))
        return;
    colour.rotation = (static_cast<int>(std::lround(-turn)) % 360 + 360) % 360;
    colour.mirrored = static_cast<double>(matrix[0]) * matrix[4] < static_cast<double>(matrix[1]) * matrix[3];
}

} // namespace

ColourDescription describe_colour(const AVStream &stream) {
    const AVCodecParameters &coded = *stream.codecpar;
    const auto pixels = static_cast<AVPixelFormat>(coded.format);
    ColourDescription colour;
    colour.range = is_rgb(pixels) ? "full" : range_of(coded.color_range, pixels);
    colour.matrix = is_rgb(pixels) ? "gbr" : specified(av_color_space_name(coded.color_space));
    colour.primaries = specified(av_color_primaries_name(coded.color_primaries));
    colour.transfer = specified(av_color_transfer_name(coded.color_trc));
    colour.chroma_location = specified(av_chroma_location_name(coded.chroma_location));
    colour.sample_aspect_ratio = ratio(coded.sample_aspect_ratio);
    if (!colour.sample_aspect_ratio)
        colour.sample_aspect_ratio = ratio(stream.sample_aspect_ratio);
    colour.field_order = field_order_of(coded.field_order);
    apply_display_matrix(display_matrix(stream), colour);
    return colour;
}

ColourDescription describe_colour(const AVStream &stream, const AVFrame &frame) {
    ColourDescription colour = describe_colour(stream);
    const auto replace = [](std::string &text, std::string better) {
        if (!better.empty())
            text = std::move(better);
    };
    const auto pixels = static_cast<AVPixelFormat>(frame.format);
    replace(colour.range, is_rgb(pixels) ? "full" : range_of(frame.color_range, pixels));
    replace(colour.matrix, is_rgb(pixels) ? "gbr" : specified(av_color_space_name(frame.colorspace)));
    replace(colour.primaries, specified(av_color_primaries_name(frame.color_primaries)));
    replace(colour.transfer, specified(av_color_transfer_name(frame.color_trc)));
    replace(colour.chroma_location, specified(av_chroma_location_name(frame.chroma_location)));
    // As ffmpeg does, the container's ratio is preferred where it has one.
    colour.sample_aspect_ratio = ratio(stream.sample_aspect_ratio);
    if (!colour.sample_aspect_ratio)
        colour.sample_aspect_ratio = ratio(frame.sample_aspect_ratio);
    if (is_interlaced(frame))
        colour.field_order = top_field_first(frame) ? "top field first" : "bottom field first";
    if (const AVFrameSideData *data = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX))
        apply_display_matrix(reinterpret_cast<const std::int32_t *>(data->data), colour);
    return colour;
}

} // namespace isovmaf
