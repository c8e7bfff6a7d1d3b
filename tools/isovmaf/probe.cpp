// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/libav/describe_json.hpp"
#include "input/raw/pipe_group.hpp"
#include "isovmaf/isovmaf.hpp"
#include "report/number_text.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"

namespace isovmaf::tool {

namespace {

/// "limited range, matrix bt709, transfer smpte2084": what the stream specifies.
std::string colour_text(const ColourDescription &colour) {
    std::vector<std::string> parts{colour.range.empty() ? "range unspecified" : colour.range + " range"};
    const auto add = [&parts](std::string_view name, const std::string &value) {
        if (!value.empty())
            parts.push_back(fmt::format("{} {}", name, value));
    };
    add("matrix", colour.matrix);
    add("primaries", colour.primaries);
    add("transfer", colour.transfer);
    add("chroma", colour.chroma_location);
    add("Dolby Vision", colour.dolby_vision);
    if (colour.sample_aspect_ratio)
        add("samples", aspect_text(*colour.sample_aspect_ratio));
    if (colour.rotation != 0 || colour.mirrored)
        add("rotated", rotation_text(colour));
    if (!colour.field_order.empty())
        parts.push_back(colour.interlaced() ? "interlaced, " + colour.field_order : colour.field_order);
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// "25 fps, 10.000 s from 0.000 s, 250 frames": what the stream specifies.
std::string timing_text(const StreamDescription &stream) {
    std::vector<std::string> parts;
    const SourceTiming &timing = stream.timing;
    if (timing.average_rate)
        parts.push_back(fmt::format("{:.6g} fps", timing.average_rate->value()));
    else if (!stream.cover)
        parts.push_back("no rate stated");
    if (timing.average_rate && timing.base_rate && *timing.base_rate != *timing.average_rate)
        parts.push_back(fmt::format("variable, base {:.6g} fps", timing.base_rate->value()));
    if (timing.duration_seconds)
        parts.push_back(fmt::format("{:.3f} s", *timing.duration_seconds));
    if (timing.start_seconds)
        parts.push_back(fmt::format("starts at {:.3f} s", *timing.start_seconds));
    if (stream.frame_count)
        parts.push_back(fmt::format("{} frames", *stream.frame_count));
    return parts.empty() ? "no times" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string stream_text(const StreamDescription &stream) {
    if (!stream.video)
        return fmt::format("  {:<5}{} {}\n", stream.number, stream.kind, stream.codec);
    return fmt::format("  {:<5}{} {}x{} {}{}{}{}\n       {}{}\n       {}\n", fmt::format("v:{}", *stream.video),
                       stream.codec, stream.width, stream.height, stream.pixels, stream.cover ? ", cover" : "",
                       stream.is_default ? ", default" : "", stream.chosen ? ", scored when no stream is named" : "",
                       colour_text(stream.colour), stream.film_grain.value_or(false) ? ", film grain applied" : "",
                       timing_text(stream));
}

/// Descriptions of files as text for people.
std::string probe_text(const std::vector<FileDescription> &files) {
    std::string text;
    for (const FileDescription &file : files) {
        text += fmt::format("{}: {}, {}\n", display_name(file.path), file.container,
                            counted(static_cast<std::int64_t>(file.streams.size()), "stream"));
        for (const StreamDescription &stream : file.streams)
            text += stream_text(stream);
    }
    return text;
}

struct ProbeArguments {
    std::vector<std::string> files;
    bool json = false;
};

/// Describes each file; those that cannot be read are named on standard error.
int run_probe(const ProbeArguments &arguments) {
    std::vector<FileDescription> files;
    NoticeLog notices;
    const auto pipes = std::make_shared<PipeGroup>(arguments.files);
    for (const std::string &path : arguments.files) {
        Result<FileDescription> file = describe_file(path, pipes, notices.sink());
        if (file)
            files.push_back(*std::move(file));
        else
            print_error("isovmaf: error: {}\n", file.error().message);
    }
    write_output(arguments.json ? describe_json(files, version()) : probe_text(files));
    return files.size() == arguments.files.size() ? exit_ok : exit_failed;
}

} // namespace

void add_probe_command(CLI::App &app, int &exit_code) {
    auto arguments = std::make_shared<ProbeArguments>();
    CLI::App *command =
        app.add_subcommand("probe", "List the streams of videos: formats, colours, rates, duration, frames");
    command->set_help_flag("-h,--help", "Print this help and exit");
    command->add_option("files", arguments->files, "Videos; - is standard input")->required()->type_name("FILE");
    command->add_flag("--json", arguments->json, "Print JSON");
    command->callback([arguments, &exit_code] { exit_code = run_probe(*arguments); });
}

} // namespace isovmaf::tool
