// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pixel_converter.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

extern "C" {
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
}

#include "input/pixel_format.hpp"

namespace isovmaf {

namespace {

/// Flags of libswscale, and their names for ffmpeg's filter.
constexpr int scaler_flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP | SWS_FULL_CHR_H_INT | SWS_BITEXACT;
constexpr std::string_view scaler_flag_names = "bicubic+accurate_rnd+full_chroma_inp+full_chroma_int+bitexact";

/// Matrices that libswscale computes, by libav's names; the names that ffmpeg's filter knows.
struct Matrix {
    std::string_view name, filter_name;
    int coefficients;
};
constexpr std::array<Matrix, 6> matrices{{{"bt709", "bt709", SWS_CS_ITU709},
                                          {"smpte170m", "bt601", SWS_CS_ITU601},
                                          {"bt470bg", "bt601", SWS_CS_ITU601},
                                          {"fcc", "fcc", SWS_CS_FCC},
                                          {"smpte240m", "smpte240m", SWS_CS_SMPTE240M},
                                          {"bt2020nc", "bt2020", SWS_CS_BT2020}}};

const Matrix *find_matrix(std::string_view name) {
    const auto found = std::ranges::find(matrices, name, &Matrix::name);
    return found == matrices.end() ? nullptr : &*found;
}

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
SwsContext *make_context(const AVFrame &first, bool full_range, const ConversionTarget &target, const Matrix &matrix) {
    SwsContext *context = sws_alloc_context();
    if (!context)
        throw std::bad_alloc();
    const bool target_full = target.range == "full";
    const std::array<std::pair<const char *, std::int64_t>, 9> options{{{"srcw", first.width},
                                                                        {"srch", first.height},
                                                                        {"src_format", first.format},
                                                                        {"src_range", full_range},
                                                                        {"dstw", first.width},
                                                                        {"dsth", first.height},
                                                                        {"dst_format", pixel_format(target.format)},
                                                                        {"dst_range", target_full},
                                                                        {"sws_flags", scaler_flags}}};
    for (const auto &[name, value] : options)
        av_opt_set_int(context, name, value, 0);
    const int *coefficients = sws_getCoefficients(matrix.coefficients);
    constexpr int unchanged = 1 << 16; // contrast and saturation of 1
    if (sws_init_context(context, nullptr, nullptr) < 0) {
        sws_freeContext(context);
        return nullptr;
    }
    sws_setColorspaceDetails(context, coefficients, full_range, coefficients, target_full, 0, unchanged, unchanged);
    return context;
}

std::string describe(const AVFrame &first, const ConversionTarget &target, const Matrix &matrix) {
    const std::string from = pixel_format_name(pixels_of(first)), to = pixel_format_name(pixel_format(target.format));
    if (!is_rgb(pixels_of(first)))
        return fmt::format("{} to {} by libswscale, as ffmpeg -vf scale=flags={},format={}", from, to,
                           scaler_flag_names, to);
    return fmt::format("{} to {}, matrix {}, {} range, by libswscale, as ffmpeg -vf "
                       "scale=out_color_matrix={}:out_range={}:flags={},format={}",
                       from, to, target.matrix, target.range, matrix.filter_name, target.range, scaler_flag_names, to);
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
                            rgb ? "bt709" : ""};
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
                                pixel_format_name(pixels_of(first)), pixel_format_name(pixel_format(target.format)),
                                target.matrix.empty() ? "of the file" : target.matrix));
    std::string description = describe(first, target, *matrix);
    return PixelConverter(target, std::move(scaler), std::move(description), name);
}

PixelConverter::PixelConverter(const ConversionTarget &target, SwsHandle scaler, std::string description,
                               std::string name)
    : target_(target), scaler_(std::move(scaler)), description_(std::move(description)), name_(std::move(name)),
      pool_(padded(target.format)) {}

Result<Frame> PixelConverter::convert(const AVFrame &frame) {
    SwsPicture picture{.height = frame.height};
    std::copy_n(frame.data, picture.data.size(), picture.data.begin());
    std::copy_n(frame.linesize, picture.stride_bytes.size(), picture.stride_bytes.begin());
    return run_swscale(*scaler_, picture, target_.format, pool_, name_);
}

} // namespace isovmaf
