// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "features/registry.hpp"
#include "model/model_choice.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/option_checks.hpp"
#include "tools/isovmaf/progress.hpp"
#include "tools/isovmaf/request_options.hpp"
#include "tools/isovmaf/score/score_request.hpp"

namespace isovmaf::tool {

namespace {

void declare_execution(CLI::App &command, ScoreArguments &arguments) {
    const OptionHeading heading(command, "Execution");
    declare_backend_name(command, arguments.backend);
    command
        .add_option("--device", arguments.device,
                    "Number of the backend's device (default: the first that works). Several numbers such as 0,1, or "
                    "all: the videos are cut into parts, which these devices score side by side, or their frames are "
                    "dealt to the devices where they cannot be cut, as those of a pipe; of more distorted videos than "
                    "devices each device scores some; never changes a score")
        ->type_name("N");
    command
        .add_option("--decoders", arguments.decoders,
                    "How many parts of the videos each device, or the CPU, scores side by side, each with decoders of "
                    "its own; 0: chosen, which is up to 4 with --hwaccel, else 1; several are of use to long raw "
                    "videos on a GPU, too; never changes a score")
        ->transform(whole_number(0, 64))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--part-frames", arguments.part_frames,
                    "Frames of a part of the videos, 0: chosen, up to 1024; fewer let several --device or --decoders "
                    "share short videos, and lose less when interrupted; never changes a score")
        ->transform(whole_number(0))
        ->type_name("N")
        ->capture_default_str();
    declare_backend_folders(command, arguments.backend_folders);
    command
        .add_option("--frames_in_flight", arguments.frames_in_flight,
                    "Frames that are computed at the same time, 0: as many as are useful and fit into memory; never "
                    "changes a score")
        ->transform(whole_number(0, 1024))
        ->type_name("N")
        ->capture_default_str();
    declare_hwaccel(command, arguments.hwaccel);
    declare_cpu_level(command, arguments.cpu_level);
    declare_threads(command, arguments.threads);
    command
        .add_option("--cpumask", arguments.cpu_mask,
                    "libvmaf's mask of instruction sets; has no effect, because instruction sets change no score here")
        ->type_name("MASK");
    command.add_option("--gpumask", arguments.gpu_mask, "With another value than 0, --backend auto takes no GPU")
        ->type_name("MASK");
}

void declare_output(CLI::App &command, ScoreArguments &arguments) {
    const OptionHeading heading(command, "Output");
    command
        .add_option("-o,--output", arguments.output,
                    "Report file; - is standard output. Its format: the flag below, else the file's extension, else "
                    "XML. A format without --output: the report goes to standard output. {stem}, {name} and {dir} "
                    "stand for parts of the distorted video's name")
        ->type_name("FILE");
    command.add_flag("--json", arguments.json, "JSON");
    command.add_flag("--xml", arguments.xml, "XML");
    command.add_flag("--csv", arguments.csv, "CSV");
    command.add_flag("--sub", arguments.sub, "MicroDVD subtitles");
    command
        .add_option("--html", arguments.html,
                    "HTML report, beside the report above: scores over time, worst frames with pictures, distributions")
        ->type_name("FILE");
    command.add_flag(
        "--force", arguments.force,
        "Let reports replace any file but an input; without --force they replace only reports and empty files");
    command
        .add_option("--precision", arguments.precision,
                    "legacy: libvmaf's decimals; max: reads back to the same bits; hex: C99 hexadecimal")
        ->transform(one_of(precision_names()))
        ->capture_default_str();
    command
        .add_option("--per", arguments.per,
                    "Also list the scores of each shot, which begins where the motion score peaks, or of each second")
        ->transform(one_of(span_kind_names()));
    command
        .add_option("--table", arguments.table,
                    "Pooled scores of all videos, or of the pieces that --per names, as a table: CSV or JSON, as the "
                    "file's extension says; with size, bit rate, codec and resolution of each video")
        ->type_name("FILE");
    command.add_flag("--timing", arguments.timing,
                     "Put frames per second and device times into the report; they differ from run to run");
    command.add_flag(
        "--stats", arguments.stats,
        "Say at the end, on standard error and in a JSON report, where the time went and what to make faster");
    command.add_option("--worst", arguments.worst, "List the N frames with the lowest scores, with their times")
        ->transform(whole_number(1))
        ->type_name("N");
    command
        .add_flag(fmt::format("--progress{{{}}}", log_interval.count()), arguments.progress,
                  fmt::format("A line every {} seconds on standard error, also with --quiet and on a terminal; "
                              "--progress=SECONDS: another time, --progress={}: a line for each frame. Without it a "
                              "terminal has one line that is rewritten, and a log a line every {} seconds",
                              log_interval.count(), progress_of_frames, log_interval.count()))
        ->transform(seconds_or(progress_of_frames));
    command.add_flag("-v,--verbose", arguments.verbose, "Say where the scores were computed, on standard error");
    command.add_flag("-q,--quiet", arguments.quiet, "No progress, no table; only the score, as a plain number");
}

void declare_limits(CLI::App &command, ScoreArguments &arguments) {
    for (std::size_t i = 0; i < limit_options.size(); i++)
        command
            .add_option(limit_options[i].name, arguments.limits[i],
                        i == 0 ? fmt::format("End with exit code {} when the {} is below NUMBER: that of the model's "
                                             "score, or of SCORE, such as psnr_y=40, or of one number for the "
                                             "whole video, such as apsnr_y=40. May be repeated, as all these options",
                                             static_cast<int>(exit_below_limit), limit_options[i].statistic)
                               : fmt::format("The same for the {}", limit_options[i].statistic))
            ->type_name("[SCORE=]NUMBER")
            ->allow_extra_args(false)
            ->group("Limits");
    command
        .add_option(
            baseline_option, arguments.not_below,
            fmt::format("End with exit code {} when the mean, the 1 % or the 5 % percentile of a score is more "
                        "than LOSS below that of REPORT, an earlier report in JSON, XML or CSV: of SCORE, or of "
                        "the models and of each --feature of which a lower value is a loss. {{stem}}, {{name}} "
                        "and {{dir}} stand for parts of the distorted video's name. May be repeated",
                        static_cast<int>(exit_below_limit)))
        ->type_name("REPORT:[SCORE=]LOSS")
        ->allow_extra_args(false)
        ->group("Limits");
    command.add_option("--junit", arguments.junit, "JUnit XML with a test for each limit, for continuous integration")
        ->type_name("FILE")
        ->group("Limits");
}

/// The option that took a video as one more of its values; null when none did.
const CLI::Option *option_with_video(const CLI::App &command) {
    for (const CLI::Option *option : command.get_options())
        if (option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll && !option->get_positional() &&
            std::ranges::any_of(option->results(), [](const std::string &value) {
                std::error_code error;
                return std::filesystem::is_regular_file(value, error);
            }))
            return option;
    return nullptr;
}

/// Makes arguments that are no options the videos, and checks that a reference and a distorted one are there.
void place_videos(const CLI::App &command, ScoreArguments &arguments) {
    std::vector<std::string> &distorted = arguments.distorted_videos;
    const bool named = !arguments.reference.empty() || !distorted.empty();
    if (named && !arguments.videos.empty())
        throw CLI::ValidationError(fmt::format("{} is one video too many beside those of -r and -d: leave it out",
                                               quote(arguments.videos.front())));
    if (arguments.videos.size() > 1) {
        arguments.reference = arguments.videos.front();
        distorted.assign(arguments.videos.begin() + 1, arguments.videos.end());
    }
    if (!arguments.reference.empty() && !distorted.empty())
        return;
    if (named)
        throw CLI::ValidationError(fmt::format("isovmaf score needs {} too; see isovmaf score --help",
                                               arguments.reference.empty() ? "-r REF" : "-d DIS"));
    if (const CLI::Option *const option = option_with_video(command))
        throw CLI::ValidationError(fmt::format("{0} took a video as its value: put the videos in front of {0}, or use "
                                               "-r and -d",
                                               option->get_name()));
    throw CLI::ValidationError(fmt::format("isovmaf score needs two videos{}: isovmaf score REF DIS; see isovmaf score "
                                           "--help",
                                           arguments.videos.empty() ? "" : ", and got one"));
}

/// The videos, and how they are read.
void declare_score_videos(CLI::App &command, ScoreArguments &arguments) {
    const OptionHeading heading(command, "Input");
    command
        .add_option("videos", arguments.videos, "The reference and one or more distorted videos, in place of -r and -d")
        ->type_name("REF DIS");
    declare_reference(command, arguments.reference);
    command
        .add_option("-d,--distorted", arguments.distorted_videos,
                    "Distorted video, in the same formats; several are scored side by side, and compared in one table")
        ->type_name("FILE");
    declare_reading(command, arguments);
}

std::string score_footer() {
    std::vector<std::string> features;
    for (const FeatureDescriptor *feature : all_features())
        features.push_back(fmt::format(
            "  {0:<14} {1}\n{2:17}{3}\n{2:17}runs on {4}{5}", feature->name, feature->summary, "", needs_text(*feature),
            has_kernels(*feature) ? "the CPU and on GPUs" : "the CPU",
            feature->origin.empty() ? "" : fmt::format("\n{:17}has the scores of {}", "", feature->origin)));
    std::vector<std::string> models;
    for (const ModelPurpose &model : model_purposes())
        models.push_back(fmt::format("  {:<26} {}", model.version, model.purpose));
    return fmt::format("Features:\n{}\nModels built in, and the screens that they are for:\n{}\n"
                       "Exit codes: 0 done, 1 failed, 2 wrong command line, 4 below a limit, 130 interrupted (the "
                       "report says so).",
                       fmt::join(features, "\n"), fmt::join(models, "\n"));
}

void declare_options(CLI::App &command, ScoreArguments &arguments) {
    command.set_help_flag("--help", "Print this help and exit");
    declare_score_videos(command, arguments);
    declare_crop(command, arguments);
    declare_sync(command, arguments);
    declare_scoring(command, arguments, "version=" + ModelRequest{}.version);
    declare_execution(command, arguments);
    declare_output(command, arguments);
    declare_limits(command, arguments);
    command.footer(score_footer());
}

} // namespace

void add_score_command(CLI::App &app, int &exit_code, const std::string &command_line) {
    auto arguments = std::make_shared<ScoreArguments>();
    arguments->command = command_line;
    CLI::App *command = app.add_subcommand("score", "Score distorted videos against their reference");
    declare_options(*command, *arguments);
    command->callback([arguments, command, &exit_code] {
        place_videos(*command, *arguments);
        exit_code = run_score(*arguments);
    });
}

} // namespace isovmaf::tool
