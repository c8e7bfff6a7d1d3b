// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/video_arguments.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "frame/validate.hpp"
#include "input/convert/pixel_format.hpp"

namespace isovmaf {

namespace {

constexpr RequestOption<VideoArguments> reading_table[] = {
    {{"-w,--width", "INT", "Width of raw planar YUV; other files must have this width", NumberRange{1, max_frame_side}},
     &VideoArguments::width},
    {{"-h,--height", "INT", "Height of raw planar YUV", NumberRange{1, max_frame_side}}, &VideoArguments::height},
    {{"-p,--pixel_format", "TEXT", "Chroma of raw planar YUV", {}, pixel_format_names}, &VideoArguments::pixel_format},
    {{"-b,--bitdepth", "INT", "Bit depth of raw planar YUV; above 8: little-endian 16-bit words", NumberRange{8, 16}},
     &VideoArguments::bit_depth},
    {{"--ref-format", "FORMAT",
      "Format of a raw reference, in place of -w -h -p -b: 1920x1080:420p10@24 (depth 8 and rate may be left out; with "
      "raw: in front, the file is read as raw video even if it begins like another format)"},
     &VideoArguments::reference_format},
    {{"--dis-format", "FORMAT", "Format of a raw distorted video, as for --ref-format"},
     &VideoArguments::distorted_format},
    {{"--ref-stream", "STREAM",
      "Stream of the reference: v:1 is its second video stream (default: the one that ffmpeg takes; isovmaf probe "
      "lists "
      "them)"},
     &VideoArguments::reference_stream},
    {{"--dis-stream", "STREAM", "Stream of the distorted video, as for --ref-stream"},
     &VideoArguments::distorted_stream},
    {{"--allow-partial", {}, "A raw file may end inside a frame, which is left out with a warning"},
     &VideoArguments::allow_partial},
    {{"--resize", "SIDE[:FLAGS]",
      "Scale ref or dis to the other's size, after cropping, as ffmpeg -vf scale does; dis:lanczos takes ffmpeg's "
      "names "
      "of flags (default: bicubic), dis:exact and dis:lanczos+exact give the same samples on every processor"},
     &VideoArguments::resize},
    {{"--frame_skip_ref", "N", "Leave out the first N reference frames", NumberRange{0}},
     &VideoArguments::skip_reference},
    {{"--frame_skip_dis,--frame_skip_dist", "N", "Leave out the first N distorted frames", NumberRange{0}},
     &VideoArguments::skip_distorted},
    {{"--frame_cnt", "N", "Score at most N frames", NumberRange{1}}, &VideoArguments::frame_count},
    {{"--convert", "[SIDE:]WHAT",
      "SIDE:range: convert ref or dis to the colour range of the other; SIDE:10: to 10 bit; SIDE:420p8: to this chroma "
      "and depth; SIDE:rotate: turn it as its file says; SIDE:bt709, bt601 or bt2020: R'G'B' with this matrix; 10, "
      "420p8 and rotate without a side: both videos; may be repeated"},
     &VideoArguments::conversions},
    {{"--fit",
      {},
      "Do what else the two videos need to be compared, and say each step: the coarser chroma of both where a feature "
      "reads chroma; black bars that one alone has are cropped where they are clear; the distorted video gets the "
      "reference's range where both state one, and its size (bicubic+exact). Options by hand come first"},
     &VideoArguments::fit},
    {{"--film-grain",
      "WHICH",
      "Film grain of AV1, H.264 and HEVC. on: the decoder adds it, as players do; off: the pictures are compared "
      "without "
      "it, or an error where the decoder cannot leave it out",
      {},
      film_grain_names,
      nullptr,
      "on"},
     &VideoArguments::film_grain},
    {{"--as-is", {}, "Score the samples as they are, whatever the files say about colours, rotation and shape"},
     &VideoArguments::as_is},
    {{"--strict",
      {},
      "Turn warnings about the videos into errors: different lengths, rates or colours, a video that is cut short, "
      "several "
      "video streams"},
     &VideoArguments::strict},
};

constexpr RequestOption<VideoArguments> crop_table[] = {
    {{"--crop", "[SIDE:]PART",
      "Score a part of the pictures, WIDTHxHEIGHT+LEFT+TOP or WIDTH:HEIGHT:LEFT:TOP; with ref: or dis: in front, of "
      "one "
      "video"},
     &VideoArguments::crops},
};

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
        resize.flags = expand_scaler_flags(given.what);
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

/// A conversion that both videos can have; false for all others.
bool convert_alike(const std::string &what, VideoSide &side) {
    const auto bits = parse_integer(what);
    const auto format = parse_sample_format(what);
    if (bits && *bits >= 8 && *bits <= 16)
        side.convert_bit_depth = static_cast<int>(*bits);
    else if (format)
        side.convert_format = *format;
    else if (what == "rotate")
        side.rotate = true;
    else
        return false;
    return true;
}

/// A conversion that depends on the other video; false for all others.
bool convert_one(const std::string &what, VideoSide &side) {
    const Matrix *const matrix = find_filter_matrix(what);
    if (what == "range")
        side.convert_range = true;
    else if (matrix)
        side.convert_matrix = matrix->name;
    return what == "range" || matrix;
}

Result<void> apply_conversion(const std::string &text, VideoRequest &request) {
    const auto [side, what] = split_side(text, request);
    if (side ? convert_alike(what, *side) || convert_one(what, *side)
             : convert_alike(what, request.reference) && convert_alike(what, request.distorted))
        return {};
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("--convert takes a bit depth from 8 to 16, a chroma and depth such as 420p8, or rotate: alone "
                    "for both videos, behind ref: or dis: for one of them; and behind ref: or dis: range, or a "
                    "matrix for R'G'B' ({}): not \"{}\"",
                    fmt::join(filter_matrix_names(), ", "), text));
}

} // namespace

std::vector<std::string> input_files(const VideoArguments &arguments, const std::vector<ModelRequest> &models) {
    std::vector<std::string> files{arguments.reference, arguments.distorted};
    for (const ModelRequest &model : models)
        if (!model.path.empty())
            files.push_back(model.path);
    return files;
}

std::span<const RequestOption<VideoArguments>> reading_options() { return reading_table; }
std::span<const RequestOption<VideoArguments>> crop_options() { return crop_table; }

std::vector<std::string> pixel_format_names() {
    std::vector<std::string> names;
    for (const Chroma chroma : all_chromas)
        names.emplace_back(chroma_code(chroma));
    return names;
}
Chroma chroma_named(const std::string &name) { return find_chroma(name).value(); }

std::vector<std::string> film_grain_names() { return {"on", "off"}; }

Result<VideoRequest> parse_videos(const VideoArguments &arguments) {
    if (arguments.reference == "-" && arguments.distorted == "-")
        return fail(ErrorCode::invalid_argument, "only one of the two videos can come from standard input");
    if (arguments.allow_partial && arguments.strict)
        return fail(ErrorCode::invalid_argument, "--strict accepts whole videos only: give it without --allow-partial");
    VideoRequest request;
    request.reference.path = arguments.reference;
    request.reference.stated = TRY(stated_format(arguments, arguments.reference_format));
    request.reference.stream = TRY(stream_choice(arguments.reference_stream));
    request.distorted.path = arguments.distorted;
    request.distorted.stated = TRY(stated_format(arguments, arguments.distorted_format));
    request.distorted.stream = TRY(stream_choice(arguments.distorted_stream));
    request.allow_partial = arguments.allow_partial;
    request.pair.skip_reference = arguments.skip_reference;
    request.pair.skip_distorted = arguments.skip_distorted;
    request.pair.frame_count = arguments.frame_count;
    request.pair.strict = arguments.strict;
    request.colours = arguments.as_is ? ColourPolicy::accept : ColourPolicy::refuse;
    request.film_grain = arguments.film_grain != "off";
    request.fit = arguments.fit;
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

namespace {

constexpr RequestOption<SyncArguments> pairing_table[] = {
    {{"--sync",
      "MODE",
      "Which frames are a pair. index: frame n and frame n; pts: frames with the same presentation time, from the "
      "first frame of each video; pts-absolute: the same with the times that the files state; auto: pts when the frame "
      "rates differ and neither video is the other one retimed, such as 24 to 25, else index",
      {},
      sync_mode_names},
     &SyncArguments::sync},
    {{"--sync-tolerance", "SECONDS",
      "Largest difference between the presentation times of a pair (default: half the duration of the shorter frame, "
      "and 1 ms)",
      NumberRange{0, 3600}},
     &SyncArguments::sync_tolerance},
    {{"--offset", "N",
      "Pair reference frame n with distorted frame n + N: the distorted video is N frames late; N may be negative; "
      "auto: what small pictures of the first 1,500 pairs clearly show, or an error",
      NumberRange{-1'000'000'000, 1'000'000'000}},
     &SyncArguments::offset},
};

} // namespace

std::vector<std::string> sync_mode_names() {
    std::vector<std::string> names;
    for (const auto &[name, mode] : sync_modes)
        names.emplace_back(name);
    return names;
}

std::span<const RequestOption<SyncArguments>> pairing_options() { return pairing_table; }

Result<void> apply_sync(const SyncArguments &arguments, VideoRequest &request) {
    PairOptions &options = request.pair;
    options.sync = {
        std::ranges::find(sync_modes, arguments.sync, &std::pair<std::string_view, SyncMode>::first)->second,
        arguments.sync_tolerance};
    if (arguments.sync_tolerance && options.sync.mode == SyncMode::index)
        return fail(ErrorCode::invalid_argument,
                    "--sync index pairs by number: give --sync-tolerance with --sync pts or pts-absolute");
    if (arguments.offset.is_auto && options.sync.mode == SyncMode::pts_absolute)
        return fail(ErrorCode::invalid_argument,
                    "--sync pts-absolute pairs by the times that the files state, which no offset changes: give "
                    "--offset auto with another --sync");
    options.add_offset(arguments.offset.number);
    if (arguments.offset.is_auto)
        request.find_offset = arguments.align_range;
    return {};
}

} // namespace isovmaf
