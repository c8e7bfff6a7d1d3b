// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/pixel_converter.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "input/convert/pixel_format.hpp"
#include "input/libav/libav_functions.hpp"

namespace isovmaf {

namespace {

/// Flags of libswscale by the names that ffmpeg's filter takes.
constexpr const char *scaler_flag_names = "bicubic+accurate_rnd+full_chroma_inp+full_chroma_int+bitexact";

AVPixelFormat pixels_of(const AVFrame &frame) { return static_cast<AVPixelFormat>(frame.format); }

/// Chroma of at least the resolution of the format's; nothing where VideoFormat has none.
std::optional<Chroma> chroma_for(const AVPixFmtDescriptor &format) {
    if (is_rgb(av_pix_fmt_desc_get_id(&format)))
        return Chroma::k444;
    if (format.nb_components < 3) // grey, perhaps with alpha
        return Chroma::k400;
    if (format.log2_chroma_w == 0)
        return Chroma::k444;
    return format.log2_chroma_h == 0 ? Chroma::k422 : Chroma::k420;
}

/// A bit depth that both libswscale and features know.
int depth_for(const AVPixFmtDescriptor &format) {
    const int depth = format.comp[0].depth;
    for (const int known : {8, 9, 10, 12, 14})
        if (depth <= known)
            return known;
    return 16;
}

/// A context from `from` to the target; null when libswscale cannot do it. The ranges are set before the context is
/// initialised, because they decide which of its routines libswscale takes.
SwsHandle make_context(const AVFrame &first, bool full_range, const ConversionTarget &target, const Matrix &matrix) {
    const bool target_full = target.range == "full";
    SwsHandle context = open_swscale({.flags = scaler_flag_names,
                                      .numbers = {{"srcw", first.width},
                                                  {"srch", first.height},
                                                  {"src_format", first.format},
                                                  {"src_range", full_range},
                                                  {"dstw", first.width},
                                                  {"dsth", first.height},
                                                  {"dst_format", pixel_format(target.format)},
                                                  {"dst_range", target_full}}});
    if (!context)
        return nullptr;
    const int *coefficients = sws_getCoefficients(matrix.coefficients);
    constexpr int unchanged = 1 << 16; // contrast and saturation of 1
    sws_setColorspaceDetails(context.get(), coefficients, full_range, coefficients, target_full, 0, unchanged,
                             unchanged);
    return context;
}

Conversion describe(const AVFrame &first, const ConversionTarget &target, const Matrix &matrix) {
    const std::string from = pixel_format_name(pixels_of(first)), to = planar_format_name(target.format);
    if (!is_rgb(pixels_of(first)))
        return {fmt::format("{} to {} by libswscale", from, to),
                fmt::format("scale=flags={},format={}", scaler_flag_names, to)};
    return {fmt::format("{} to {}, matrix {}, {} range, by libswscale", from, to, target.matrix, target.range),
            fmt::format("scale=out_color_matrix={}:out_range={}:flags={},format={}", matrix.filter_name, target.range,
                        scaler_flag_names, to)};
}

} // namespace

std::optional<ConversionTarget> PixelConverter::default_target(const AVFrame &first, const std::string &range) {
    const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(pixels_of(first));
    constexpr std::uint64_t unknown = AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
    if (!descriptor || (descriptor->flags & unknown) != 0 || std::string_view(descriptor->name).starts_with("xyz") ||
        sws_isSupportedInput(pixels_of(first)) == 0)
        return std::nullopt;
    const auto chroma = chroma_for(*descriptor);
    const bool rgb = is_rgb(pixels_of(first));
    return ConversionTarget{{first.width, first.height, *chroma, depth_for(*descriptor)},
                            rgb || range.empty() ? "limited" : range,
                            rgb ? "bt709" : "",
                            rgb};
}

Result<PixelConverter> PixelConverter::create(const AVFrame &first, const std::string &range,
                                              const ConversionTarget &target, const std::string &name) {
    const Matrix *matrix = find_matrix(target.matrix.empty() ? "bt709" : target.matrix);
    const bool full_range = is_rgb(pixels_of(first)) || range == "full";
    SwsHandle scaler(matrix && pixel_format(target.format) != AV_PIX_FMT_NONE
                         ? make_context(first, full_range, target, *matrix)
                         : nullptr);
    if (!scaler)
        return fail(ErrorCode::unsupported,
                    fmt::format("libswscale cannot convert {} from {} to {} with the matrix {}", name,
                                pixel_format_name(pixels_of(first)), planar_format_name(target.format),
                                target.matrix.empty() ? "of the file" : target.matrix));
    Conversion conversion = describe(first, target, *matrix);
    return PixelConverter(target, std::move(scaler), std::move(conversion), name);
}

PixelConverter::PixelConverter(const ConversionTarget &target, SwsHandle scaler, Conversion conversion,
                               std::string name)
    : target_(target), scaler_(std::move(scaler)), conversion_(std::move(conversion)), name_(std::move(name)),
      pool_(target.format, ChromaEdge::present) {}

Result<Frame> PixelConverter::convert(const AVFrame &frame) {
    SwsPicture picture{.height = frame.height};
    std::copy_n(frame.data, picture.data.size(), picture.data.begin());
    std::copy_n(frame.linesize, picture.stride_bytes.size(), picture.stride_bytes.begin());
    return run_swscale(*scaler_, picture, pool_, name_);
}

} // namespace isovmaf
