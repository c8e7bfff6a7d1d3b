// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_request.hpp"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/processors.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"
#include "execution/execution.hpp"
#include "request/option_table.hpp"

namespace isovmaf::tool {

namespace {

ReportFormat report_format(const ScoreArguments &arguments) {
    if (arguments.json)
        return ReportFormat::json;
    if (arguments.csv)
        return ReportFormat::csv;
    if (arguments.sub)
        return ReportFormat::sub;
    if (arguments.xml)
        return ReportFormat::xml;
    const std::string extension = std::filesystem::path(arguments.output.value_or("")).extension();
    if (extension == ".json")
        return ReportFormat::json;
    if (extension == ".csv")
        return ReportFormat::csv;
    return extension == ".sub" ? ReportFormat::sub : ReportFormat::xml;
}

bool format_given(const ScoreArguments &arguments) {
    return arguments.json || arguments.xml || arguments.csv || arguments.sub;
}

/// libvmaf's masks: that of CPUs is only checked, and that of GPUs limits `auto`.
Result<std::string> chosen_backend(const ScoreArguments &arguments) {
    TRY(parse_bit_mask("--cpumask", arguments.cpu_mask));
    const bool no_gpu = TRY(parse_bit_mask("--gpumask", arguments.gpu_mask)) != 0;
    return no_gpu && arguments.backend == "auto" ? "cpu" : arguments.backend;
}

/// The name of a video's report: placeholders stand for parts of the video's own name.
std::string fill_in(const std::string &text, const std::string &video) {
    const std::filesystem::path path(video);
    const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
    return replace_all(
        replace_all(replace_all(text, "{stem}", path.stem().string()), "{name}", path.filename().string()), "{dir}",
        folder);
}

/// Refuses options that are about one distorted video.
Result<void> check_several(const ScoreArguments &arguments) {
    const auto refuse = [](std::string sentence) { return fail(ErrorCode::invalid_argument, std::move(sentence)); };
    for (const auto &[name, given] :
         std::initializer_list<std::pair<const char *, bool>>{{"--align", arguments.align},
                                                              {"--timing", arguments.timing},
                                                              {"--stats", arguments.stats},
                                                              {"--decoders", arguments.decoders > 1}})
        if (given)
            return refuse(
                fmt::format("{} is about one distorted video: leave it out, or score the videos one by one", name));
    if (std::ranges::count(arguments.distorted_videos, "-") > 1)
        return refuse("standard input is one video: give - once");
    const std::string output = arguments.output.value_or("");
    if (names_standard_output(output) || (!arguments.output && format_given(arguments)))
        return refuse("a report on standard output is about one distorted video: for several, name a report for each, "
                      "such as -o '{stem}.json'");
    if (arguments.output && fill_in(output, "a/b.c") == output)
        return refuse(
            "--output has to name a report for each of several videos: put {stem} or {name} of the video into "
            "it, such as -o '{stem}.json'");
    return {};
}

Result<ExecutionOptions> parse_execution(const ScoreArguments &arguments) {
    ExecutionOptions execution{.backend = TRY(chosen_backend(arguments)),
                               .backend_folders = arguments.backend_folders,
                               .threads = arguments.threads,
                               .cpu_level = arguments.cpu_level,
                               .frames_in_flight = arguments.frames_in_flight,
                               .device_timing = arguments.timing || arguments.verbose || arguments.stats};
    TRY(read_devices("--device", arguments.device, execution));
    return execution;
}

Result<TableFormat> table_format(const std::string &path) {
    const std::string extension = std::filesystem::path(path).extension();
    if (extension == ".csv")
        return TableFormat::csv;
    if (extension == ".json")
        return TableFormat::json;
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("--table writes CSV or JSON, as the name says, but {} ends with neither: name it NAME.csv or "
                    "NAME.json",
                    quote(path)));
}

/// What --per asks for, where it can be had.
Result<std::optional<SpanKind>> parse_per(const ScoreArguments &arguments, bool prints_table) {
    if (arguments.per.empty())
        return std::optional<SpanKind>();
    if (!prints_table && !arguments.table)
        return fail(ErrorCode::invalid_argument,
                    "--per prints a table, but with --quiet, or with the report on standard output, nothing else is "
                    "printed: leave one of them out, or add --table FILE");
    const SpanKind kind = span_kind_of(arguments.per);
    if (kind == SpanKind::shot && arguments.subsample > 1)
        return fail(ErrorCode::invalid_argument,
                    "--per shot finds shots by comparing each frame with the one before, but --subsample leaves frames "
                    "out: give --per second, or leave out --subsample");
    return std::optional(kind);
}

Result<ScoreRequest> parse_arguments(const ScoreArguments &arguments) {
    if (arguments.json + arguments.xml + arguments.csv + arguments.sub > 1)
        return fail(ErrorCode::invalid_argument, "a report has one format: give one of --json, --xml, --csv and --sub");
    if (arguments.output && arguments.output->empty())
        return fail(ErrorCode::invalid_argument, "--output \"\" names no file: give a name, or - for standard output");
    const std::optional<std::string> output =
        arguments.output || !format_given(arguments) ? arguments.output : std::optional<std::string>("-");
    if (arguments.output && !format_given(arguments) && std::filesystem::path(*arguments.output).extension() == ".html")
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--output writes JSON, XML, CSV or SUB; for a page, give --html {}",
                                quote_for_shell(*arguments.output)));
    if (arguments.html && arguments.html->empty())
        return fail(ErrorCode::invalid_argument, "--html \"\" names no file: give a name, or - for standard output");
    if (arguments.junit && arguments.junit->empty())
        return fail(ErrorCode::invalid_argument, "--junit \"\" names no file: give a name, or - for standard output");
    const bool printed = std::ranges::any_of(std::initializer_list{output, arguments.html, arguments.junit},
                                             [](const auto &path) { return path && names_standard_output(*path); });
    if (arguments.worst > 0 && (arguments.quiet || printed))
        return fail(ErrorCode::invalid_argument,
                    "--worst prints a list, but with --quiet, or with the report on standard output, nothing else is "
                    "printed: leave one of them out");
    ScoreRequest job{TRY(parse_request(arguments)),
                     output,
                     report_format(arguments),
                     precision_of(arguments.precision),
                     TRY(parse_limits(arguments.limits)),
                     TRY(read_baselines(arguments.not_below))};
    if (arguments.junit && job.limits.empty() && job.baselines.empty())
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--junit has a test for each limit, and there is none: give one, such as --min-mean 93 "
                                "or {} base.json:0.5",
                                baseline_option));
    job.per = TRY(parse_per(arguments, !arguments.quiet && !printed));
    if (arguments.table)
        job.table_format = TRY(table_format(*arguments.table));
    job.videos.hwaccel = hardware_decoding_named(arguments.hwaccel);
    job.execution = TRY(parse_execution(arguments));
    return job;
}

} // namespace

ProgressStyle progress_style(const ScoreArguments &arguments) {
    if (!arguments.progress.empty())
        return arguments.progress == progress_of_frames ? ProgressStyle::per_frame : ProgressStyle::lines;
    if (arguments.quiet)
        return ProgressStyle::none;
    return isatty(STDERR_FILENO) == 1 ? ProgressStyle::line : ProgressStyle::lines;
}

std::chrono::seconds progress_interval(const ScoreArguments &arguments) {
    return std::chrono::seconds(parse_integer(arguments.progress).value_or(log_interval.count()));
}

Result<std::vector<ScoreTask>> parse_tasks(const ScoreArguments &arguments) {
    if (arguments.distorted_videos.size() > 1)
        TRY(check_several(arguments));
    std::vector<ScoreTask> tasks;
    for (const std::string &video : arguments.distorted_videos) {
        ScoreTask task{arguments, {}};
        task.arguments.distorted = video;
        if (arguments.output)
            task.arguments.output = fill_in(*arguments.output, video);
        for (std::string &text : task.arguments.not_below)
            text = fill_in(text, video);
        task.job = TRY(parse_arguments(task.arguments));
        if (arguments.distorted_videos.size() > 1)
            TRY(refuse_maps(task.job.scoring, "the maps of several videos would have the same files: score the videos "
                                              "one by one"));
        tasks.push_back(std::move(task));
    }
    return tasks;
}

std::vector<std::string> input_files(const ScoreTask &task) {
    std::vector<std::string> files = isovmaf::input_files(task.arguments, task.job.scoring.models);
    for (const Baseline &baseline : task.job.baselines)
        files.push_back(baseline.path);
    return files;
}

} // namespace isovmaf::tool
