// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/video_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number.hpp"
#include "base/try.hpp"
#include "frame/validate.hpp"
#include "input/convert/matrix.hpp"

namespace isovmaf {

namespace {

/// "ref:WHAT" or "dis:WHAT"; without a side both are null.
struct SideText {
    VideoSide *side = nullptr;
    std::string what;
};

SideText split_side(const std::string &text, VideoRequest &request) {
    const std::string side = text.substr(0, text.find(':'));
    if (side != "ref" && side != "dis")
        return {nullptr, text};
    return {side == "ref" ? &request.reference : &request.distorted,
            side.size() == text.size() ? "" : text.substr(side.size() + 1)};
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

Result<void> apply_resize(const std::string &text, VideoRequest &request) {
    if (text.empty())
        return {};
    const SideText given = split_side(text, request);
    if (!given.side)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--resize takes ref or dis, and after a colon flags of ffmpeg's scaler, for example "
                                "dis:lanczos: not \"{}\"",
                                text));
    Resize resize{.reference = given.side == &request.reference};
    if (text.find(':') != std::string::npos)
        resize.flags = given.what;
    if (const auto valid = check_scaler_flags(resize.flags); !valid)
        return fail(valid.error().code, "--resize: " + valid.error().message);
    request.resize = std::move(resize);
    return {};
}

Result<void> apply_crop(const std::string &text, VideoRequest &request) {
    const SideText given = split_side(text, request);
    const Result<Crop> crop = parse_crop(given.what);
    if (!crop)
        return fail(crop.error().code, "--crop: " + crop.error().message);
    for (VideoSide *side : {&request.reference, &request.distorted}) {
        if (given.side && given.side != side)
            continue;
        if (side->crop)
            return fail(ErrorCode::invalid_argument,
                        "--crop is given twice for the same video: give it once, or once each for ref and dis");
        side->crop = *crop;
    }
    return {};
}

Result<void> apply_conversion(const std::string &text, VideoRequest &request) {
    const auto [side, what] = split_side(text, request);
    const auto bits = parse_integer(what);
    const Matrix *const matrix = find_filter_matrix(what);
    if (side && what == "range")
        side->convert_range = true;
    else if (side && bits && *bits >= 8 && *bits <= 16)
        side->convert_bit_depth = static_cast<int>(*bits);
    else if (side && matrix)
        side->convert_matrix = matrix->name;
    else
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--convert takes ref or dis, a colon, and range, a bit depth from 8 to 16, or a matrix "
                                "for R'G'B' ({}): not \"{}\"",
                                fmt::join(filter_matrix_names(), ", "), text));
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
    VideoRequest request;
    request.reference = {arguments.reference, TRY(stated_format(arguments, arguments.reference_format)),
                         TRY(stream_choice(arguments.reference_stream))};
    request.distorted = {arguments.distorted, TRY(stated_format(arguments, arguments.distorted_format)),
                         TRY(stream_choice(arguments.distorted_stream))};
    request.allow_partial = arguments.allow_partial;
    request.pair.skip_reference = arguments.skip_reference;
    request.pair.skip_distorted = arguments.skip_distorted;
    request.pair.frame_count = arguments.frame_count;
    request.pair.strict = arguments.strict;
    request.colours = arguments.as_is ? ColourPolicy::accept : ColourPolicy::refuse;
    TRY(apply_resize(arguments.resize, request));
    for (const std::string &text : arguments.crops)
        TRY(apply_crop(text, request));
    for (const std::string &text : arguments.conversions)
        TRY(apply_conversion(text, request));
    if (request.reference.convert_range && request.distorted.convert_range)
        return fail(ErrorCode::invalid_argument,
                    "--convert ref:range and --convert dis:range would exchange the ranges: give one of them");
    return request;
}

} // namespace isovmaf
