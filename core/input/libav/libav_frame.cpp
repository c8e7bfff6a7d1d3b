// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/libav_frame.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "frame/validate.hpp"
#include "input/convert/pixel_format.hpp"
#include "input/libav/libav_functions.hpp"

namespace isovmaf {

namespace {

AVPixelFormat format_of(const AVFrame &frame) { return static_cast<AVPixelFormat>(frame.format); }

/// Copies one component to a plane of its own. Samples are read with memcpy, because they may be unaligned.
template <class Sample>
void unpack_component(const AVFrame &frame, const ComponentLayout &from, int shift, const Plane &shape, std::byte *to) {
    for (int y = 0; y < shape.height; y++) {
        const std::uint8_t *in = frame.data[from.plane] + std::ptrdiff_t{y} * frame.linesize[from.plane];
        in += from.offset_bytes;
        auto *out = reinterpret_cast<Sample *>(to + y * shape.stride_bytes);
        for (int x = 0; x < shape.width; x++, in += from.step_bytes) {
            std::memcpy(&out[x], in, sizeof(Sample));
            out[x] = static_cast<Sample>(out[x] >> shift);
        }
    }
}

} // namespace

std::string shape_text(const AVFrame &frame) {
    return fmt::format("{}x{} {}", frame.width, frame.height, pixel_format_name(format_of(frame)));
}

Result<LibavFrameConverter> LibavFrameConverter::create(const AVFrame &first, const std::string &name) {
    const auto layout = pixel_layout(format_of(first));
    if (!layout)
        return fail(ErrorCode::unsupported,
                    fmt::format("{} has pixel format {}, which has no one conversion to Y'CbCr of 8 to 16 bit; "
                                "convert it first as it should look, for example with ffmpeg -pix_fmt yuv444p12",
                                name, pixel_format_name(format_of(first))));
    const VideoFormat format{first.width, first.height, layout->chroma, layout->bit_depth};
    if (const auto valid = validate_format(format); !valid)
        return fail(valid.error().code, fmt::format("cannot score {}: {}", name, valid.error().message));
    return LibavFrameConverter(format, *layout);
}

bool LibavFrameConverter::accepts(const AVFrame &frame) const {
    // Formats such as yuv420p and yuvj420p differ only in what the values mean: they have the same layout.
    return frame.width == format_.width && frame.height == format_.height && pixel_layout(format_of(frame)) == layout_;
}

Frame LibavFrameConverter::convert(AvFrame frame) {
    return is_usable_in_place(*frame) ? share(std::move(frame)) : unpack(*frame);
}

bool LibavFrameConverter::is_usable_in_place(const AVFrame &frame) const {
    if (!layout_.is_planar())
        return false;
    for (int p = 0; p < format_.plane_count(); p++) {
        const auto address = reinterpret_cast<std::uintptr_t>(frame.data[p]);
        if (format_.bytes_per_sample() == 2 && (address % 2 != 0 || frame.linesize[p] % 2 != 0))
            return false;
    }
    return true;
}

Frame LibavFrameConverter::share(AvFrame frame) const {
    std::array<const void *, 3> data{};
    std::array<std::ptrdiff_t, 3> stride_bytes{};
    for (int p = 0; p < format_.plane_count(); p++) {
        data[static_cast<std::size_t>(p)] = reinterpret_cast<const std::byte *>(frame->data[p]);
        stride_bytes[static_cast<std::size_t>(p)] = frame->linesize[p];
    }
    return {format_, std::shared_ptr<const AVFrame>(std::move(frame)), data, stride_bytes, ChromaEdge::present};
}

Frame LibavFrameConverter::unpack(const AVFrame &frame) {
    if (!pool_)
        pool_.emplace(format_, ChromaEdge::present);
    const WritableFrame copy = pool_->take();
    for (int p = 0; p < format_.plane_count(); p++) {
        const auto i = static_cast<std::size_t>(p);
        const ComponentLayout &from = layout_.components[i];
        const Plane shape = copy.frame.stored_plane(p);
        if (format_.bytes_per_sample() == 1)
            unpack_component<std::uint8_t>(frame, from, layout_.shift, shape, copy.data[i]);
        else
            unpack_component<std::uint16_t>(frame, from, layout_.shift, shape, copy.data[i]);
    }
    return copy.frame;
}

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

bool top_field_first(const AVFrame &frame) {
#ifdef AV_FRAME_FLAG_TOP_FIELD_FIRST
    return (frame.flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
    return frame.top_field_first != 0;
#endif
}

/// Side data of the stream; null when there is none of this type.
const std::uint8_t *side_data(const AVStream &stream, AVPacketSideDataType type) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *data =
        av_packet_side_data_get(stream.codecpar->coded_side_data, stream.codecpar->nb_coded_side_data, type);
    return data ? data->data : nullptr;
#else
    return av_stream_get_side_data(&stream, type, nullptr);
#endif
}

/// The container's display matrix; null when there is none.
const std::int32_t *display_matrix(const AVStream &stream) {
    return reinterpret_cast<const std::int32_t *>(side_data(stream, AV_PKT_DATA_DISPLAYMATRIX));
}

/// "profile 8.4" of video whose base layer is HDR; empty for others. The digit behind the dot says which signal the
/// base layer is compatible with: 1 and 6 PQ, 4 HLG, 2 SDR, and 0 none, which is PQ in a colour space of its own.
std::string dolby_vision_of(const AVStream &stream) {
    const auto *const found =
        reinterpret_cast<const AVDOVIDecoderConfigurationRecord *>(side_data(stream, AV_PKT_DATA_DOVI_CONF));
    if (!found)
        return "";
    const int profile = found->dv_profile, compatible = found->dv_bl_signal_compatibility_id;
    const bool none = profile == 5 || (compatible == 0 && !found->el_present_flag);
    if (!none && compatible != 1 && compatible != 4 && compatible != 6)
        return "";
    return compatible == 0 ? fmt::format("profile {}", profile) : fmt::format("profile {}.{}", profile, compatible);
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

bool is_interlaced(const AVFrame &frame) {
#ifdef AV_FRAME_FLAG_INTERLACED
    return (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame.interlaced_frame != 0;
#endif
}

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
    colour.dolby_vision = dolby_vision_of(stream);
    colour.field_order = field_order_of(coded.field_order);
    apply_display_matrix(display_matrix(stream), colour);
    return colour;
}

ColourDescription describe_colour(const AVStream &stream, const AVFrame &frame) {
    return describe_colour(stream, frame, describe_colour(stream));
}

ColourDescription describe_colour(const AVStream &stream, const AVFrame &frame, const ColourDescription &began) {
    ColourDescription colour = began;
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
    for (const AVRational &stated : {stream.sample_aspect_ratio, frame.sample_aspect_ratio})
        if (const auto shape = ratio(stated)) {
            colour.sample_aspect_ratio = shape;
            break;
        }
    if (is_interlaced(frame))
        colour.field_order = top_field_first(frame) ? "top field first" : "bottom field first";
    if (const AVFrameSideData *data = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX))
        apply_display_matrix(reinterpret_cast<const std::int32_t *>(data->data), colour);
    return colour;
}

} // namespace isovmaf
