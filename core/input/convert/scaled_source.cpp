// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/scaled_source.hpp"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/try.hpp"
#include "frame/validate.hpp"
#include "input/convert/converted_source.hpp"
#include "input/convert/per_frame_source.hpp"
#include "input/convert/pixel_format.hpp"
#include "input/convert/swscale.hpp"
#include "input/libav/libav_functions.hpp"

namespace isovmaf {

namespace {

/// The names of this libswscale's flags.
std::vector<std::string> known_scaler_flags() {
    const AVClass *options = sws_get_class();
    const AVOption *const flags = av_opt_find(&options, "sws_flags", nullptr, 0, AV_OPT_SEARCH_FAKE_OBJ);
    std::vector<std::string> names;
    for (const AVOption *option = nullptr; flags && (option = av_opt_next(&options, option));)
        if (option->type == AV_OPT_TYPE_CONST && std::string_view(option->unit) == flags->unit)
            names.emplace_back(option->name);
    return names;
}

std::vector<std::string> split_flags(const std::string &flags) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= flags.size();) {
        const std::size_t end = std::min(flags.find('+', begin), flags.size());
        names.push_back(flags.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

/// ffmpeg's filter sets the vertical position of the chroma of this one format, in 1/256 of a luma row.
std::int64_t vertical_chroma_position(AVPixelFormat format) {
    constexpr std::int64_t between_rows = 128, unspecified = -513;
    return format == AV_PIX_FMT_YUV420P ? between_rows : unspecified;
}

/// Of conversions that keep the size.
constexpr const char *format_flags = "bicubic+accurate_rnd+full_chroma_inp+full_chroma_int+bitexact";

SwsHandle open_scaler(const VideoFormat &from, const VideoFormat &to, const std::string &flags) {
    const AVPixelFormat from_pixels = pixel_format(from), to_pixels = pixel_format(to);
    if (from_pixels == AV_PIX_FMT_NONE || to_pixels == AV_PIX_FMT_NONE)
        return nullptr;
    return open_swscale({.flags = flags.c_str(),
                         .numbers = {{"srcw", from.width},
                                     {"srch", from.height},
                                     {"src_format", from_pixels},
                                     {"dstw", to.width},
                                     {"dsth", to.height},
                                     {"dst_format", to_pixels},
                                     {"src_v_chr_pos", vertical_chroma_position(from_pixels)},
                                     {"dst_v_chr_pos", vertical_chroma_position(to_pixels)}}});
}

class ScaledSource final : public PerFrameSource {
  public:
    ScaledSource(std::unique_ptr<FrameSource> source, SourceInfo info, SwsHandle scaler)
        : PerFrameSource(std::move(source), std::move(info)), scaler_(std::move(scaler)),
          pool_(this->info().format, ChromaEdge::present) {}

  private:
    /// libswscale reads chroma whose size is rounded up.
    Result<Frame> make(const Frame &frame) override {
        SwsPicture picture{.height = frame.format().height};
        for (int p = 0; p < frame.format().plane_count(); p++) {
            const auto i = static_cast<std::size_t>(p);
            const Plane plane = frame.stored_plane(p);
            assert(plane.width == stored_width(frame.format(), p) && plane.height == stored_height(frame.format(), p));
            picture.data[i] = plane.row<std::uint8_t>(0);
            picture.stride_bytes[i] = static_cast<int>(plane.stride_bytes);
        }
        return run_swscale(*scaler_, picture, pool_, info().name);
    }

    SwsHandle scaler_;
    FramePool pool_;
};

std::unique_ptr<FrameSource> scale_frames(std::unique_ptr<FrameSource> source, const VideoFormat &format,
                                          SwsHandle scaler, Conversion conversion) {
    SourceInfo info = source->info();
    info.format = format;
    info.conversions.push_back(std::move(conversion));
    return std::make_unique<ScaledSource>(std::move(source), std::move(info), std::move(scaler));
}

} // namespace

Result<void> check_scaler_flags(const std::string &flags) {
    TRY(load_libav());
    const std::vector<std::string> known = known_scaler_flags();
    for (const std::string &name : split_flags(flags))
        if (std::ranges::find(known, name) == known.end())
            return fail(ErrorCode::invalid_argument,
                        fmt::format("\"{}\" is no flag of libswscale; it has {}, to be joined by +", name,
                                    fmt::join(known, ", ")));
    return {};
}

std::string expand_scaler_flags(const std::string &flags) {
    if (flags == exact_scaler_flag)
        return fmt::format("{}+accurate_rnd+bitexact", default_scaler_flags);
    std::vector<std::string> names = split_flags(flags);
    for (std::string &name : names)
        if (name == exact_scaler_flag)
            name = "accurate_rnd+bitexact";
    return fmt::to_string(fmt::join(names, "+"));
}

bool scales_alike_everywhere(const std::string &flags) {
    const std::vector<std::string> names = split_flags(flags);
    return std::ranges::find(names, "accurate_rnd") != names.end() &&
           std::ranges::find(names, "bitexact") != names.end();
}

Result<std::unique_ptr<FrameSource>> make_scaled_source(std::unique_ptr<FrameSource> source, int width, int height,
                                                        const std::string &flags) {
    const VideoFormat from = source->info().format;
    VideoFormat to = from;
    to.width = width;
    to.height = height;
    if (const auto valid = validate_format(to); !valid)
        return fail(valid.error().code, fmt::format("cannot scale {}: {}", source->info().name, valid.error().message));
    if (from.plane_count() > 1 &&
        std::min({from.plane_width(1), from.plane_height(1), to.plane_width(1), to.plane_height(1)}) < 1)
        return fail(ErrorCode::unsupported,
                    fmt::format("cannot scale {} from {} to {}x{}: one of them is too small to have chroma",
                                source->info().name, format_text(from), width, height));
    TRY(load_libav());
    SwsHandle scaler = open_scaler(from, to, flags);
    if (!scaler)
        return fail(ErrorCode::unsupported, fmt::format("libswscale cannot scale {} from {} to {}x{} with flags {}",
                                                        source->info().name, format_text(from), width, height, flags));
    Conversion conversion{fmt::format("scaled from {}x{} to {}x{} by libswscale with flags {}", from.width, from.height,
                                      width, height, flags),
                          fmt::format("scale={}:{}:flags={}", width, height, flags)};
    return scale_frames(std::move(source), to, std::move(scaler), std::move(conversion));
}

namespace {

/// The same size with other chroma or fewer bits, by libswscale. Both formats have chroma: libswscale takes grey
/// samples for full range.
Result<std::unique_ptr<FrameSource>> convert_samples(std::unique_ptr<FrameSource> source, const SampleFormat &format) {
    const VideoFormat from = source->info().format;
    const VideoFormat to{from.width, from.height, format.chroma, format.bit_depth};
    if (from == to)
        return source;
    TRY(load_libav());
    SwsHandle scaler = open_scaler(from, to, format_flags);
    if (!scaler)
        return fail(ErrorCode::unsupported,
                    fmt::format("libswscale cannot convert {} from {} to {}", display_name(source->info().name),
                                format_text(from), sample_format_text(format)));
    Conversion conversion{fmt::format("{} to {} by libswscale", sample_format_text({from.chroma, from.bit_depth}),
                                      sample_format_text(format)),
                          fmt::format("scale=flags={},format={}", format_flags, planar_format_name(to))};
    return scale_frames(std::move(source), to, std::move(scaler), std::move(conversion));
}

} // namespace

Result<std::unique_ptr<FrameSource>> make_format_source(std::unique_ptr<FrameSource> source,
                                                        const SampleFormat &format) {
    const VideoFormat from = source->info().format;
    if (from.chroma == Chroma::k400 && (format.chroma != Chroma::k400 || format.bit_depth < from.bit_depth))
        return fail(ErrorCode::unsupported,
                    fmt::format("cannot convert {} to {}: it has luma alone (4:0:0), which gets no chroma and loses no "
                                "bits; convert the other video instead",
                                display_name(source->info().name), sample_format_text(format)));
    if (format.bit_depth > from.bit_depth)
        source = TRY(make_deeper_source(std::move(source), format.bit_depth));
    const bool luma_alone = format.chroma == Chroma::k400 && from.chroma != Chroma::k400;
    source = TRY(convert_samples(std::move(source), {luma_alone ? from.chroma : format.chroma, format.bit_depth}));
    return luma_alone ? make_luma_source(std::move(source)) : std::move(source);
}

} // namespace isovmaf
