// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/conversions.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "input/convert/converted_source.hpp"
#include "input/convert/pixel_format.hpp"
#include "input/convert/turned_source.hpp"
#include "input/libav/numbered_pictures.hpp"
#include "input/libav/url_file.hpp"

namespace isovmaf {

namespace {

using Source = std::unique_ptr<FrameSource>;

void set_matrix(ConversionTarget &target, const std::string &matrix) {
    target.matrix = matrix;
    target.matrix_assumed = false;
}

/// What to convert to so that the result is like the other video, whose samples are read as they are.
ConversionTarget adapted(ConversionTarget target, const SourceInfo &other) {
    if (target.format.chroma != Chroma::k400 || other.format.chroma == Chroma::k400)
        target.format.chroma = other.format.chroma;
    const bool rgb = !target.matrix.empty();
    if (rgb)
        target.format.bit_depth = other.format.bit_depth;
    if (rgb && !other.colour.range.empty())
        target.range = other.colour.range;
    if (rgb && !other.colour.matrix.empty())
        set_matrix(target, other.colour.matrix);
    return target;
}

/// A format that two videos fit whose samples are converted in any case.
ConversionTarget fitted(ConversionTarget target, const ConversionTarget &other) {
    target.format.bit_depth = std::max(target.format.bit_depth, other.format.bit_depth);
    target.format.chroma = std::max(target.format.chroma, other.format.chroma);
    return target;
}

/// The matrix that `matrix` asks for is that of an R'G'B' video.
Result<void> check_matrix(const std::string &matrix, std::string_view side, const FrameSource &source) {
    const auto target = source.conversion();
    if (matrix.empty() || (target && !target->matrix.empty()))
        return {};
    const std::string_view name = find_matrix(matrix)->filter_name;
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("--convert {}:{} chooses the matrix with which R'G'B' becomes Y'CbCr, but {} is not R'G'B': "
                    "convert it first, for example with ffmpeg -vf colorspace, or leave the option out",
                    side, name, display_name(source.info().name)));
}

/// Chooses what `source` is converted to, unless its samples are read as they are: the format of the other video, and
/// the matrix that is asked for, which two R'G'B' videos share.
Result<void> choose_conversion(FrameSource &source, const VideoSide &side, const FrameSource &other,
                               const VideoSide &other_side) {
    const auto target = source.conversion();
    if (!target)
        return {};
    const auto other_target = other.conversion();
    ConversionTarget chosen = other_target ? fitted(*target, *other_target) : adapted(*target, other.info());
    const std::string &matrix = side.convert_matrix.empty() ? other_side.convert_matrix : side.convert_matrix;
    if (!chosen.matrix.empty() && !matrix.empty())
        set_matrix(chosen, matrix);
    return chosen == *target ? Result<void>{} : source.convert_to(chosen);
}

/// Whether the samples of a side, which gets more bits, are those of full range. Where the two files contradict each
/// other and the request accepts that, nobody knows, and samples are shifted as those of limited range.
bool is_full_range(const VideoSide &side, const SourceInfo &own, const VideoSide &other_side, const SourceInfo &other,
                   ColourPolicy policy) {
    const std::string &range = own.colour.range, &other_range = other.colour.range;
    if (range == "full")
        return policy != ColourPolicy::accept || other_range != "limited";
    // The pictures tell: where they do not have the same range, the pair is an error.
    return range.empty() && other_range == "full" && !side.convert_range && !other_side.convert_range;
}

/// What a side is converted to besides what the request says.
struct AddedBits {
    int bit_depth = 8; ///< of both sides in the end
    bool full_range = false;
};

/// Bits are added before the range changes: the other way round they would be lost.
Result<Source> convert_side(Source source, const VideoSide &side, const SourceInfo &other,
                            const std::optional<AddedBits> &added) {
    if (side.convert_format)
        source = TRY(make_format_source(std::move(source), *side.convert_format));
    if (side.rotate)
        source = TRY(make_turned_source(std::move(source)));
    if (side.crop)
        source = TRY(make_cropped_source(std::move(source), *side.crop));
    if (side.convert_bit_depth)
        source = TRY(make_deeper_source(std::move(source), *side.convert_bit_depth));
    if (added)
        source = added->full_range ? make_deeper_full_source(std::move(source), added->bit_depth)
                                   : TRY(make_deeper_source(std::move(source), added->bit_depth));
    if (side.convert_range)
        source = make_range_source(std::move(source), other.colour.range.empty() ? "limited" : other.colour.range);
    return source;
}

} // namespace

Result<void> choose_conversions(const VideoRequest &request, FrameSource &reference, FrameSource &distorted) {
    TRY(check_matrix(request.reference.convert_matrix, "ref", reference));
    TRY(check_matrix(request.distorted.convert_matrix, "dis", distorted));
    TRY(choose_conversion(reference, request.reference, distorted, request.distorted));
    return choose_conversion(distorted, request.distorted, reference, request.reference);
}

int requested_depth(const VideoSide &side, const VideoFormat &stored) {
    if (side.convert_bit_depth)
        return *side.convert_bit_depth;
    return side.convert_format ? side.convert_format->bit_depth : stored.bit_depth;
}

Result<void> convert_sides(const VideoRequest &request, std::unique_ptr<FrameSource> &reference,
                           std::unique_ptr<FrameSource> &distorted) {
    const SourceInfo stored_reference = reference->info(), stored_distorted = distorted->info();
    const int depth = std::max(requested_depth(request.reference, stored_reference.format),
                               requested_depth(request.distorted, stored_distorted.format));
    const auto added = [&](const VideoSide &side, const SourceInfo &own, const VideoSide &other_side,
                           const SourceInfo &other) -> std::optional<AddedBits> {
        if (request.bits_added == BitsAdded::by_shift)
            return AddedBits{depth};
        if (request.pair.strict || requested_depth(side, own.format) >= depth)
            return std::nullopt;
        return AddedBits{depth, is_full_range(side, own, other_side, other, request.colours)};
    };
    reference = TRY(convert_side(std::move(reference), request.reference, stored_distorted,
                                 added(request.reference, stored_reference, request.distorted, stored_distorted)));
    distorted = TRY(convert_side(std::move(distorted), request.distorted, stored_reference,
                                 added(request.distorted, stored_distorted, request.reference, stored_reference)));
    return {};
}

Result<std::vector<std::string>> apply_resize(const Resize &resize, std::unique_ptr<FrameSource> &reference,
                                              std::unique_ptr<FrameSource> &distorted) {
    auto &scaled = resize.reference ? reference : distorted;
    const VideoFormat have = scaled->info().format;
    const VideoFormat want = (resize.reference ? distorted : reference)->info().format;
    if (have.width == want.width && have.height == want.height)
        return {};
    scaled = TRY(make_scaled_source(std::move(scaled), want.width, want.height, resize.flags));
    if (scales_alike_everywhere(resize.flags))
        return {};
    return std::vector{fmt::format("the samples of {} after scaling may depend on the processor, as those of ffmpeg "
                                   "do; --resize {}:{}+exact gives the same samples on every processor",
                                   display_name(scaled->info().name), resize.reference ? "ref" : "dis", resize.flags)};
}

namespace {

/// The filters of all conversions, in order; nothing when ffmpeg lacks one.
std::optional<std::vector<std::string>> filters_of(const SourceInfo &video) {
    std::vector<std::string> filters;
    const auto add = [&filters](const std::string &filter) {
        if (!filter.empty())
            filters.push_back(filter);
    };
    add(video.planar_filter);
    for (const Conversion &conversion : video.conversions) {
        if (!conversion.filter)
            return std::nullopt;
        add(*conversion.filter);
    }
    return filters;
}

/// Options in front of -i. ffmpeg turns pictures as their file says unless an option forbids it, and looks for numbered
/// pictures that begin with a number from 0 to 4.
std::string input_options(const SourceInfo &video) {
    if (video.container == "image2" && is_picture_pattern(video.name))
        if (const auto first = first_picture(video.name))
            return fmt::format("-noautorotate -start_number {}", *first);
    if (video.container != "raw")
        return "-noautorotate";
    return fmt::format("-f rawvideo -pixel_format {} -video_size {}x{}", planar_format_name(video.format),
                       video.format.width, video.format.height);
}

/// The name of a file as ffmpeg takes it. Without a prefix ffmpeg would take a colon or comma behind the first letters
/// for the end of a protocol's name, and a dash in front for the start of an option.
std::string name_for_ffmpeg(const std::string &name) {
    const std::size_t start = name.find_first_of(":,/");
    const bool misread = name.starts_with('-') || (start != std::string::npos && name[start] != '/');
    return misread && name != "-" && !is_url(name) ? "file:" + name : name;
}

} // namespace

std::string ffmpeg_command(const SourceInfo &stored, const SourceInfo &converted) {
    const auto filters = filters_of(converted);
    if (converted.conversions.empty() || !filters || filters->empty() || planar_format_name(stored.format).empty())
        return "";
    return fmt::format("ffmpeg {} -i {} -map 0:v:{} -vf {} -fps_mode passthrough -f rawvideo -", input_options(stored),
                       quote_for_shell(name_for_ffmpeg(stored.name)), stored.stream,
                       quote_for_shell(fmt::to_string(fmt::join(*filters, ","))));
}

} // namespace isovmaf
