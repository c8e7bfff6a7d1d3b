// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/video_arguments.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/try.hpp"

namespace isovmaf::tool {

namespace {

const std::map<std::string, Chroma> pixel_formats{
    {"400", Chroma::k400}, {"420", Chroma::k420}, {"422", Chroma::k422}, {"444", Chroma::k444}};
const std::map<std::string, ScaleFilter> scale_filters{
    {"bilinear", ScaleFilter::bilinear}, {"bicubic", ScaleFilter::bicubic}, {"lanczos", ScaleFilter::lanczos}};

template <class Value>
std::vector<std::string> keys(const std::map<std::string, Value> &choices) {
    std::vector<std::string> names;
    for (const auto &[name, value] : choices)
        names.push_back(name);
    return names;
}

Result<std::optional<VideoFormat>> raw_format(const VideoArguments &arguments) {
    std::vector<std::string_view> given, missing;
    const auto sort_in = [&](bool is_given, std::string_view name) { (is_given ? given : missing).push_back(name); };
    sort_in(arguments.width.has_value(), "--width");
    sort_in(arguments.height.has_value(), "--height");
    sort_in(arguments.pixel_format.has_value(), "--pixel_format");
    sort_in(arguments.bit_depth.has_value(), "--bitdepth");
    if (given.empty())
        return std::nullopt;
    if (!missing.empty())
        return fail(ErrorCode::invalid_argument, fmt::format("raw video needs all of its format: {} given, {} missing",
                                                             fmt::join(given, ", "), fmt::join(missing, ", ")));
    return VideoFormat{*arguments.width, *arguments.height, pixel_formats.at(*arguments.pixel_format),
                       *arguments.bit_depth};
}

Result<std::optional<Resize>> resize(const std::string &text) {
    if (text.empty())
        return std::nullopt;
    const std::size_t colon = text.find(':');
    const std::string side = text.substr(0, colon);
    const auto filter = scale_filters.find(colon == std::string::npos ? "bicubic" : text.substr(colon + 1));
    if ((side != "ref" && side != "dis") || filter == scale_filters.end())
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--resize takes ref or dis, a colon and one of {}: not \"{}\"",
                                fmt::join(keys(scale_filters), ", "), text));
    return Resize{side == "ref", filter->second};
}

} // namespace

std::vector<std::string> pixel_format_names() { return keys(pixel_formats); }
Chroma chroma_named(const std::string &name) { return pixel_formats.at(name); }
std::string pixel_format_name(Chroma chroma) {
    return std::ranges::find(pixel_formats, chroma, &decltype(pixel_formats)::value_type::second)->first;
}

Result<VideoRequest> parse_videos(const VideoArguments &arguments) {
    if (arguments.reference == "-" && arguments.distorted == "-")
        return fail(ErrorCode::invalid_argument, "only one of the two videos can come from standard input");
    std::optional<VideoFormat> raw = TRY(raw_format(arguments));
    std::optional<Resize> scaling = TRY(resize(arguments.resize));
    VideoRequest request;
    request.reference = arguments.reference;
    request.distorted = arguments.distorted;
    request.raw_format = raw;
    request.pair.resize = scaling;
    request.pair.skip_reference = arguments.skip_reference;
    request.pair.skip_distorted = arguments.skip_distorted;
    request.pair.frame_count = arguments.frame_count;
    request.pair.strict = arguments.strict;
    return request;
}

} // namespace isovmaf::tool
