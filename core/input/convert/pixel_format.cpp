// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/pixel_format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include <fmt/format.h>

#include "input/libav/libav_functions.hpp"

namespace isovmaf {

namespace {

/// Bit depths of libav's planar formats.
constexpr std::array known_depths{8, 9, 10, 12, 14, 16};

constexpr bool host_is_big_endian = std::endian::native == std::endian::big;

/// Number of components without alpha, which comes last.
int colour_components(const AVPixFmtDescriptor &format) {
    return format.nb_components - ((format.flags & AV_PIX_FMT_FLAG_ALPHA) != 0 ? 1 : 0);
}

/// Formats that isovmaf cannot read. XYZ has the layout of 4:4:4, and older releases of libav have no flag for it.
bool is_foreign(const AVPixFmtDescriptor &format) {
    constexpr std::uint64_t foreign = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL |
                                      AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
    return (format.flags & foreign) != 0 || std::string_view(format.name).starts_with("xyz") ||
           (colour_components(format) != 1 && colour_components(format) != 3);
}

std::optional<Chroma> chroma_of(const AVPixFmtDescriptor &format) {
    if (colour_components(format) == 1)
        return Chroma::k400;
    if (format.log2_chroma_w == 0 && format.log2_chroma_h == 0)
        return Chroma::k444;
    if (format.log2_chroma_w == 1 && format.log2_chroma_h <= 1)
        return format.log2_chroma_h == 0 ? Chroma::k422 : Chroma::k420;
    return std::nullopt;
}

} // namespace

bool PixelLayout::is_planar() const {
    const int count = chroma == Chroma::k400 ? 1 : 3;
    for (int c = 0; c < count; c++) {
        const ComponentLayout &component = components[static_cast<std::size_t>(c)];
        if (component.plane != c || component.offset_bytes != 0 || component.step_bytes != word_bytes())
            return false;
    }
    return shift == 0;
}

std::optional<PixelLayout> pixel_layout(AVPixelFormat format) {
    const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(format);
    if (!descriptor || is_foreign(*descriptor))
        return std::nullopt;
    const auto chroma = chroma_of(*descriptor);
    if (!chroma)
        return std::nullopt;

    PixelLayout layout{*chroma, descriptor->comp[0].depth, descriptor->comp[0].shift, {}};
    if (layout.bit_depth < 8 || layout.bit_depth + layout.shift > 8 * layout.word_bytes())
        return std::nullopt;
    if (layout.word_bytes() == 2 && ((descriptor->flags & AV_PIX_FMT_FLAG_BE) != 0) != host_is_big_endian)
        return std::nullopt;
    for (int c = 0; c < colour_components(*descriptor); c++) {
        const AVComponentDescriptor &component = descriptor->comp[c];
        if (component.depth != layout.bit_depth || component.shift != layout.shift ||
            component.offset % layout.word_bytes() != 0 || component.step % layout.word_bytes() != 0)
            return std::nullopt;
        layout.components[static_cast<std::size_t>(c)] = {component.plane, component.offset, component.step};
    }
    return layout;
}

bool is_rgb(AVPixelFormat format) {
    const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(format);
    return descriptor && (descriptor->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0;
}

std::string planar_format_name(const VideoFormat &format) {
    if (std::ranges::find(known_depths, format.bit_depth) == known_depths.end())
        return "";
    std::string name;
    switch (format.chroma) {
    case Chroma::k400:
        name = "gray";
        break;
    case Chroma::k420:
        name = "yuv420p";
        break;
    case Chroma::k422:
        name = "yuv422p";
        break;
    case Chroma::k444:
        name = "yuv444p";
        break;
    }
    return format.bit_depth == 8 ? name
                                 : fmt::format("{}{}{}", name, format.bit_depth, host_is_big_endian ? "be" : "le");
}

AVPixelFormat pixel_format(const VideoFormat &format) { return av_get_pix_fmt(planar_format_name(format).c_str()); }

std::string pixel_format_name(AVPixelFormat format) {
    const char *name = av_get_pix_fmt_name(format);
    return name ? name : "unknown";
}

namespace {

constexpr std::array<Matrix, 6> matrices{{{"bt709", "bt709", SWS_CS_ITU709},
                                          {"smpte170m", "bt601", SWS_CS_ITU601},
                                          {"bt470bg", "bt601", SWS_CS_ITU601},
                                          {"bt2020nc", "bt2020", SWS_CS_BT2020},
                                          {"fcc", "fcc", SWS_CS_FCC},
                                          {"smpte240m", "smpte240m", SWS_CS_SMPTE240M}}};

const Matrix *find(std::string_view Matrix::*key, std::string_view name) {
    const auto found = std::ranges::find(matrices, name, key);
    return found == matrices.end() ? nullptr : &*found;
}

} // namespace

const Matrix *find_matrix(std::string_view name) { return find(&Matrix::name, name); }
const Matrix *find_filter_matrix(std::string_view filter_name) { return find(&Matrix::filter_name, filter_name); }

std::vector<std::string_view> filter_matrix_names() {
    std::vector<std::string_view> names;
    for (const Matrix &matrix : matrices)
        if (find_filter_matrix(matrix.filter_name) == &matrix)
            names.push_back(matrix.filter_name);
    return names;
}

} // namespace isovmaf
