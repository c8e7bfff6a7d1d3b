// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/ffmpeg_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "input/convert/pixel_format.hpp"
#include "input/libav/numbered_pictures.hpp"

namespace isovmaf {

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
    return fmt::format("-f rawvideo -pixel_format {} -video_size {}x{}", pixel_format_name(pixel_format(video.format)),
                       video.format.width, video.format.height);
}

} // namespace

std::string ffmpeg_command(const SourceInfo &stored, const SourceInfo &converted) {
    const auto filters = filters_of(converted);
    if (converted.conversions.empty() || !filters || filters->empty() || pixel_format(stored.format) == AV_PIX_FMT_NONE)
        return "";
    return fmt::format("ffmpeg {} -i {} -map 0:v:{} -vf {} -fps_mode passthrough -f rawvideo -", input_options(stored),
                       quote_for_shell(stored.name), stored.stream,
                       quote_for_shell(fmt::to_string(fmt::join(*filters, ","))));
}

} // namespace isovmaf
