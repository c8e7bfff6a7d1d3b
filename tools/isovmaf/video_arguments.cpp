// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/video_arguments.hpp"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number.hpp"
#include "base/try.hpp"
#include "frame/validate.hpp"

namespace isovmaf::tool {

namespace {

const std::map<std::string, ScaleFilter> scale_filters{
    {"bilinear", ScaleFilter::bilinear}, {"bicubic", ScaleFilter::bicubic}, {"lanczos", ScaleFilter::lanczos}};

template <class Value>
std::vector<std::string> keys(const std::map<std::string, Value> &choices) {
    std::vector<std::string> names;
    for (const auto &[name, value] : choices)
        names.push_back(name);
    return names;
}

/// What the options say about one side; `text` is the side's own option.
Result<StatedFormat> stated_format(const VideoArguments &arguments, const std::string &text) {
    if (!text.empty())
        return parse_stated_format(text);
    StatedFormat stated;
    stated.width = arguments.width;
    stated.height = arguments.height;
    if (arguments.pixel_format)
        stated.chroma = chroma_named(*arguments.pixel_format);
    stated.bit_depth = arguments.bit_depth;
    return stated;
}

Result<std::optional<StreamChoice>> stream_choice(const std::string &text) {
    if (text.empty())
        return std::nullopt;
    return TRY(parse_stream_choice(text));
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

Result<void> apply_conversion(const std::string &text, VideoRequest &request) {
    const std::size_t colon = text.find(':');
    const std::string side = text.substr(0, colon), what = colon == std::string::npos ? "" : text.substr(colon + 1);
    const auto bits = parse_integer(what);
    const bool is_depth = bits && *bits >= 8 && *bits <= 16;
    if ((side != "ref" && side != "dis") || (what != "range" && !is_depth))
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--convert takes ref or dis, a colon, and range or a bit depth from 8 to 16: not "
                                "\"{}\"",
                                text));
    VideoSide &converted = side == "ref" ? request.reference : request.distorted;
    if (is_depth)
        converted.convert_bit_depth = static_cast<int>(*bits);
    else
        converted.convert_range = true;
    return {};
}

} // namespace

std::vector<std::string> input_files(const VideoArguments &arguments, const std::vector<ModelRequest> &models) {
    std::vector<std::string> files{arguments.reference, arguments.distorted};
    for (const ModelRequest &model : models)
        if (!model.path.empty())
            files.push_back(model.path);
    return files;
}

std::vector<std::string> pixel_format_names() {
    std::vector<std::string> names;
    for (const Chroma chroma : all_chromas)
        names.emplace_back(chroma_code(chroma));
    return names;
}
Chroma chroma_named(const std::string &name) { return find_chroma(name).value(); }

Result<VideoRequest> parse_videos(const VideoArguments &arguments) {
    if (arguments.reference == "-" && arguments.distorted == "-")
        return fail(ErrorCode::invalid_argument, "only one of the two videos can come from standard input");
    if (arguments.allow_partial && arguments.strict)
        return fail(ErrorCode::invalid_argument, "--strict accepts whole videos only: give it without --allow-partial");
    std::optional<Resize> scaling = TRY(resize(arguments.resize));
    VideoRequest request;
    request.reference = {arguments.reference, TRY(stated_format(arguments, arguments.reference_format)),
                         TRY(stream_choice(arguments.reference_stream))};
    request.distorted = {arguments.distorted, TRY(stated_format(arguments, arguments.distorted_format)),
                         TRY(stream_choice(arguments.distorted_stream))};
    request.allow_partial = arguments.allow_partial;
    request.pair.resize = scaling;
    request.pair.skip_reference = arguments.skip_reference;
    request.pair.skip_distorted = arguments.skip_distorted;
    request.pair.frame_count = arguments.frame_count;
    request.pair.strict = arguments.strict;
    request.colours = arguments.as_is ? ColourPolicy::accept : ColourPolicy::refuse;
    for (const std::string &text : arguments.conversions)
        TRY(apply_conversion(text, request));
    if (request.reference.convert_range && request.distorted.convert_range)
        return fail(ErrorCode::invalid_argument,
                    "--convert ref:range and --convert dis:range would exchange the ranges: give one of them");
    return request;
}

} // namespace isovmaf::tool
