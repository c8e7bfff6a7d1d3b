// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cstdint>
#include <limits>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diff/content.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/diff/diff.hpp"
#include "tools/isovmaf/option_checks.hpp"
#include "tools/isovmaf/request_options.hpp"

namespace isovmaf::tool {

namespace {

void declare_sides(CLI::App &command, DiffArguments &arguments) {
    const OptionHeading heading(command, "Sides");
    command
        .add_option("--backends", arguments.backends,
                    "What is compared, the first with all others: cpu-ref; cpu, cpu:LEVEL or cpu:all (a side for "
                    "each level of the processor: scalar, sse4, avx2, avx512, ...); a plugin's name with or without "
                    ":DEVICE, or with :DEVICE+DEVICE, such as hip:0+1, for one run whose frames these devices share; "
                    "available: every plugin that has a device")
        ->type_name("LIST")
        ->capture_default_str();
    command
        .add_option("--devices", arguments.devices,
                    "Which devices of a backend are compared when --backends names it without :DEVICE")
        ->transform(one_of({"first", "all"}))
        ->capture_default_str();
    command
        .add_option("--inflight", arguments.frames_in_flight,
                    "Frames that a device computes at the same time; with several numbers, each is compared as a side "
                    "of its own")
        ->delimiter(',')
        ->transform(whole_number(1, 1024))
        ->type_name("N[,N]...");
    command
        .add_option("--streams", arguments.streams,
                    "Queues that kernels run on; with several numbers, each is compared as a side of its own")
        ->delimiter(',')
        ->transform(whole_number(1, 64))
        ->type_name("N[,N]...");
    command
        .add_option("--require", arguments.required,
                    "Fail unless these backends can be used, even if --backends does not name them")
        ->delimiter(',')
        ->type_name("NAME[,NAME]...");
    declare_backend_folders(command, arguments.backend_folders);
    command.add_option("--repeat", arguments.repeat, "Compare everything N times, to see whether all runs are equal")
        ->transform(whole_number(1, 1'000'000))
        ->type_name("N")
        ->capture_default_str();
    declare_threads(command, arguments.threads);
}

void declare_generated(CLI::App &command, DiffArguments &arguments) {
    const OptionHeading heading(command,
                                "Generated pictures (without videos; by default a short sweep over all of them)");
    command
        .add_option("--fuzz", arguments.fuzz_seconds,
                    "Compare random pictures for this time; the seed is printed, and --seed repeats the same pictures")
        ->transform(number_between(0.01, 1e7))
        ->type_name("SECONDS");
    command.add_option("--seed", arguments.seed, "Seed of the generated pictures (default: 1; with --fuzz a new one)")
        ->transform(whole_number(0, std::numeric_limits<std::uint32_t>::max()))
        ->type_name("N");
    command.add_option("--generate", arguments.fills, "Only these fills")->delimiter(',')->type_name("FILL[,FILL]...");
    command.add_option("--size", arguments.sizes, "Only these sizes")->delimiter(',')->type_name("WxH[,WxH]...");
    command.add_option("--chroma", arguments.chroma, "Only these chroma formats")
        ->delimiter(',')
        ->transform(one_of(pixel_format_names()));
    command.add_option("--depth", arguments.depths, "Only these bit depths (default: 8, 10, 12, 16)")
        ->delimiter(',')
        ->transform(whole_number(8, 16))
        ->type_name("N[,N]...");
    command.add_option("--frames", arguments.frames, "Most frames that each kind of picture has")
        ->transform(whole_number(1, 100'000))
        ->type_name("N")
        ->capture_default_str();
}

void declare_reduction(CLI::App &command, DiffArguments &arguments) {
    const OptionHeading heading(command, "A part of the pictures");
    command.add_option("--skip", arguments.skip, "Leave out the first N pairs")
        ->transform(whole_number(0))
        ->type_name("N");
    command.add_option("--crop", arguments.crop, "Only this part, in luma samples")->type_name("WxH+LEFT+TOP");
    command.add_option("--keep_bits", arguments.keep_bits, "Only these bits of every sample, as 0xf0")
        ->type_name("MASK");
}

void declare_stored(CLI::App &command, DiffArguments &arguments) {
    const OptionHeading heading(command, "Stored scores");
    command
        .add_option("--against", arguments.against,
                    "Compare all sides with a stored report of isovmaf or libvmaf about the videos (JSON, XML, CSV), "
                    "to the number of digits in the report, or with a golden file, which names its own pictures")
        ->type_name("FILE");
    command
        .add_option("--clips", arguments.clips_folder,
                    "Folder with the clips of a golden file (default: clips beside the file's folder)")
        ->type_name("FOLDER");
}

void declare_output(CLI::App &command, DiffArguments &arguments) {
    const OptionHeading heading(command, "Output");
    const auto file = [&](const char *name, std::optional<std::string> &path, const char *what) {
        command.add_option(name, path, what)->type_name("FILE");
    };
    file("--json", arguments.json, "All results, for programs; - is standard output");
    file("--junit", arguments.junit, "JUnit XML, for continuous integration");
    file("--markdown", arguments.markdown, "A summary, for a comment on a change");
    file("--html", arguments.html, "One page with histograms, strips and heat maps that needs no network");
    command.add_flag(
        "--force", arguments.force,
        "Let reports replace any file but an input; without --force they replace only reports and empty files");
    command.add_flag("--no_locate", arguments.no_locate, "Do not search for the stage and the sample that differ");
    command.add_flag("-q,--quiet", arguments.quiet, "No progress, no table; errors only");
}

std::string diff_footer() {
    std::vector<std::string> fills;
    for (const std::string_view name : diff::content_names())
        fills.push_back(fmt::format("  {:<24} {}", name, diff::content_summary(name)));
    return fmt::format("Fills:\n{}\n"
                       "Exit codes: 0 equal, 1 something differs, 2 it could not run or the command line is wrong, "
                       "3 a side did not execute on its device, 130 interrupted.",
                       fmt::join(fills, "\n"));
}

} // namespace

void add_diff_command(CLI::App &app, int &exit_code, const std::string &command_line) {
    auto arguments = std::make_shared<DiffArguments>();
    arguments->command = command_line;
    CLI::App *command = app.add_subcommand("diff", "Compare backends to the last bit, and find the first difference");
    command->set_help_flag("--help", "Print this help and exit");
    declare_sides(*command, *arguments);
    declare_videos(*command, *arguments);
    declare_generated(*command, *arguments);
    declare_reduction(*command, *arguments);
    declare_stored(*command, *arguments);
    declare_scoring(*command, *arguments,
                    "all features, several options, two models; beside a GPU those that have kernels");
    declare_output(*command, *arguments);
    command->footer(diff_footer());
    command->callback([arguments, &exit_code] { exit_code = run_diff(*arguments); });
}

} // namespace isovmaf::tool
