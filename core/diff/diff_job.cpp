// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/diff_job.hpp"

#include <algorithm>
#include <memory>
#include <random>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"
#include "engine/plan/map_request.hpp"
#include "features/registry.hpp"
#include "frame/validate.hpp"
#include "input/convert/pixel_format.hpp"
#include "model/model_choice.hpp"
#include "run/video_facts.hpp"

namespace isovmaf::diff {

namespace {

Result<VideoFormat> parse_size(const std::string &text) {
    const std::size_t x = text.find('x');
    const auto width = parse_integer(text.substr(0, x));
    const auto height = parse_integer(text.substr(x == std::string::npos ? text.size() : x + 1));
    if (!width || !height || *width < 1 || *height < 1 || *width > max_frame_side || *height > max_frame_side)
        return fail(ErrorCode::invalid_argument, fmt::format("\"{}\" is no size: give WIDTHxHEIGHT, as 640x360", text));
    return VideoFormat{.width = static_cast<int>(*width), .height = static_cast<int>(*height)};
}

Result<std::uint32_t> parse_bits(const std::string &text) {
    std::size_t end = 0;
    unsigned long bits = 0;
    try {
        bits = std::stoul(text, &end, 0);
    } catch (const std::exception &) {
        end = 0;
    }
    if (end != text.size() || bits == 0 || bits > 0xffff)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--keep_bits takes a number from 1 to 0xffff, not \"{}\"", text));
    return static_cast<std::uint32_t>(bits);
}

Result<Reduction> parse_reduction(const DiffArguments &arguments) {
    Reduction reduction;
    reduction.skip = arguments.skip;
    reduction.count = arguments.frame_count;
    if (!arguments.crop.empty()) {
        const Crop crop = TRY(parse_crop(arguments.crop));
        reduction.crop = crop;
    }
    if (!arguments.keep_bits.empty()) {
        const std::uint32_t bits = TRY(parse_bits(arguments.keep_bits));
        reduction.keep_bits = bits;
    }
    return reduction;
}

Result<ContentChoice> parse_choice(const DiffArguments &arguments) {
    ContentChoice choice;
    choice.fills = arguments.fills;
    for (const std::string &fill : choice.fills) // for its error, which names the fills that exist
        TRY(make_frame({.fill = fill, .format = {.width = 64, .height = 64}}, 0));
    for (const std::string &text : arguments.sizes) {
        const VideoFormat size = TRY(parse_size(text));
        choice.sizes.push_back(size);
    }
    std::ranges::transform(arguments.chroma, std::back_inserter(choice.chroma), chroma_named);
    choice.bit_depths = arguments.depths;
    choice.frames = arguments.frames;
    return choice;
}

Result<void> check(const DiffArguments &arguments, bool videos) {
    const auto wrong = [](std::string why) { return fail(ErrorCode::invalid_argument, std::move(why)); };
    const bool generated = arguments.fuzz_seconds || !arguments.fills.empty() || !arguments.sizes.empty() ||
                           !arguments.chroma.empty() || !arguments.depths.empty();
    if (videos && (arguments.reference.empty() || arguments.distorted.empty()))
        return wrong("videos come in pairs: give --reference and --distorted");
    if (videos && generated)
        return wrong("give videos or options of generated pictures, not both");
    if (arguments.reference == "-" || arguments.distorted == "-")
        return wrong(
            "pictures are read again when something differs, and standard input cannot be read twice: give files");
    if (!arguments.against.empty() && generated)
        return wrong("--against compares videos, or the pictures that a golden file names: leave out options of "
                     "generated pictures");
    if (arguments.subsample > 1)
        return wrong("isovmaf diff compares every frame: leave out --subsample");
    return {};
}

std::uint32_t seed_of(const DiffArguments &arguments) {
    if (arguments.seed)
        return *arguments.seed;
    return arguments.fuzz_seconds ? std::random_device()() : 1;
}

/// The options that state the same format for both videos, without a rate.
std::string common_format_options(const StatedFormat &stated) {
    std::string text;
    if (stated.width)
        text += fmt::format(" -w {}", *stated.width);
    if (stated.height)
        text += fmt::format(" -h {}", *stated.height);
    if (stated.chroma)
        text += fmt::format(" -p {}", chroma_code(*stated.chroma));
    if (stated.bit_depth)
        text += fmt::format(" -b {}", *stated.bit_depth);
    return text;
}

std::string format_option(std::string_view option, const StatedFormat &stated) {
    return stated.raw_format() ? fmt::format(" {} {}", option, stated_format_text(stated)) : "";
}

std::string conversion_options(std::string_view name, const VideoSide &side) {
    std::string text;
    if (side.convert_format)
        text += fmt::format(" --convert {}:{}", name, sample_format_text(*side.convert_format));
    if (side.rotate)
        text += fmt::format(" --convert {}:rotate", name);
    if (side.convert_range)
        text += fmt::format(" --convert {}:range", name);
    if (side.convert_bit_depth)
        text += fmt::format(" --convert {}:{}", name, *side.convert_bit_depth);
    if (!side.convert_matrix.empty())
        text += fmt::format(" --convert {}:{}", name, find_matrix(side.convert_matrix)->filter_name);
    return text;
}

/// The options of `isovmaf diff` that read these videos.
std::string command_of(const VideoRequest &request) {
    std::string text =
        fmt::format("-r {} -d {}", quote_for_shell(request.reference.path), quote_for_shell(request.distorted.path));
    const StatedFormat &stated = request.reference.stated;
    if (stated == request.distorted.stated && !stated.frame_rate && !stated.headerless) {
        text += common_format_options(stated);
    } else {
        text += format_option("--ref-format", request.reference.stated);
        text += format_option("--dis-format", request.distorted.stated);
    }
    if (request.reference.stream)
        text += " --ref-stream " + stream_choice_text(*request.reference.stream);
    if (request.distorted.stream)
        text += " --dis-stream " + stream_choice_text(*request.distorted.stream);
    text += conversion_options("ref", request.reference) + conversion_options("dis", request.distorted);
    if (request.colours == ColourPolicy::accept)
        text += " --as-is";
    if (request.allow_partial)
        text += " --allow-partial";
    if (const auto &resize = request.resize)
        text += fmt::format(" --resize {}:{}", resize->reference ? "ref" : "dis", resize->flags);
    if (request.pair.skip_reference > 0)
        text += fmt::format(" --frame_skip_ref {}", request.pair.skip_reference);
    if (request.pair.skip_distorted > 0)
        text += fmt::format(" --frame_skip_dis {}", request.pair.skip_distorted);
    return text;
}

} // namespace

Result<DiffJob> parse_arguments(const DiffArguments &arguments) {
    DiffJob job;
    const bool videos = !arguments.reference.empty() || !arguments.distorted.empty();
    TRY(check(arguments, videos));
    job.sides = {arguments.backends, arguments.devices == "all", arguments.frames_in_flight,
                 arguments.streams,  arguments.required,         arguments.backend_folders};
    job.semantics = semantics_named(arguments.compat);
    if (!arguments.nothing_asked()) {
        ScoringOptions scoring = TRY(parse_scoring(arguments));
        if (const Result<RequestedScores> requested =
                load_requested(scoring, most_rows_of_hd)) // an error shows when sides open
            TRY(refuse_maps(requested->features, "the sides would write to the same files: leave the option out"));
        job.scoring = std::move(scoring);
    }
    if (videos) {
        job.videos = TRY(parse_videos(arguments));
        job.videos->pair.frame_count.reset(); // --frame_cnt counts after --skip, as for generated pictures
    }
    ContentChoice choice = TRY(parse_choice(arguments));
    job.choice = std::move(choice);
    Reduction reduction = TRY(parse_reduction(arguments));
    job.reduction = reduction;
    job.seed = seed_of(arguments);
    return job;
}

ExecutionOptions common_execution(const DiffArguments &arguments) {
    return {.backend_folders = arguments.backend_folders, .threads = arguments.threads};
}

Result<Pictures> video_pictures(const VideoRequest &request) {
    const OpenedVideos opened = TRY(open_videos(request, {})); // for its format
    Pictures pictures;
    pictures.format = opened.pairs->format();
    pictures.title = fmt::format("{} and {}", request.reference.path, request.distorted.path);
    pictures.command = command_of(request);
    pictures.facts = facts_of(opened);
    pictures.open = [request]() -> Result<PairStream> {
        OpenedVideos again = TRY(open_videos(request, {}));
        return [pairs = std::shared_ptr<PairSource>(std::move(again.pairs))] { return pairs->read(); };
    };
    return pictures;
}

Pictures content_pictures(const Content &content) {
    Pictures pictures;
    pictures.format = content.format;
    pictures.title = describe(content);
    pictures.command =
        fmt::format("--generate {} --size {}x{} --chroma {} --depth {} --seed {} --frames {}", content.fill,
                    content.format.width, content.format.height, chroma_code(content.format.chroma),
                    content.format.bit_depth, content.seed, content.frames);
    pictures.open = [content]() -> Result<PairStream> {
        return [content, index = 0]() mutable -> Result<std::optional<FramePair>> {
            if (index == content.frames)
                return std::nullopt;
            return TRY(make_frame(content, index++));
        };
    };
    return pictures;
}

} // namespace isovmaf::diff
