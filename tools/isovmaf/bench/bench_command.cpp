// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <memory>

#include <CLI/CLI.hpp>

#include "tools/isovmaf/bench/bench.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/option_checks.hpp"
#include "tools/isovmaf/request_options.hpp"

namespace isovmaf::tool {

namespace {

int run_and_print(const BenchArguments &arguments) {
    const auto opened = [&](const std::vector<BenchRun> &runs) {
        for (const BenchRun &run : runs)
            for (const std::string &notice : run.execution.notices)
                print_error("isovmaf: warning: {}: {}\n", run.backend, notice);
        if (!arguments.json)
            write_output(bench_heading(arguments, runs));
    };
    const auto measured = [&](const std::vector<BenchRun> &runs) {
        if (!arguments.json)
            write_output(bench_row(runs));
    };
    const auto left_out = [](const std::string &why) { print_error("isovmaf: not measured: {}\n", why); };
    const Result<std::vector<BenchRun>> runs = run_bench(arguments, {opened, measured, left_out});
    if (!runs) {
        print_error("isovmaf: error: {}\n", runs.error().message);
        return exit_failed;
    }
    write_output(arguments.json ? bench_json(arguments, *runs) : bench_device_times(arguments, *runs));
    return exit_ok;
}

} // namespace

void add_bench_command(CLI::App &app, int &exit_code) {
    auto arguments = std::make_shared<BenchArguments>();
    CLI::App *command = app.add_subcommand("bench", "Time every feature alone and a model, on generated frames");
    command->set_help_flag("--help", "Print this help and exit");
    command->add_option("-w,--width", arguments->format.width, "Luma width")
        ->transform(whole_number(1))
        ->capture_default_str();
    command->add_option("-h,--height", arguments->format.height, "Luma height")
        ->transform(whole_number(1))
        ->capture_default_str();
    command->add_option("-b,--bitdepth", arguments->format.bit_depth, "Bits per sample")
        ->transform(whole_number(8, 16))
        ->capture_default_str();
    command->add_option("--frames", arguments->frames, "Frames per measurement")
        ->transform(whole_number(1))
        ->capture_default_str();
    declare_cpu_level(*command, arguments->cpu_level);
    declare_threads(*command, arguments->threads);
    const auto list = [&](const char *name, std::vector<std::string> &texts, const char *help) {
        return command->add_option(name, texts, help)
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    };
    list("--backend", arguments->backends,
         "Where to compute, as for score; may be repeated, to compare backends in one table (default: cpu)")
        ->type_name("BACKEND");
    command
        ->add_option("--device", arguments->device,
                     "Number of the backend's device (default: the first that works); several numbers such as 0,1, or "
                     "all, share the frames")
        ->type_name("N");
    declare_backend_folders(*command, arguments->backend_folders);
    command
        ->add_option(
            "--frames_in_flight", arguments->frames_in_flight,
            "Frames that are computed at the same time, as for score; with 1, frames are timed one after the other")
        ->transform(whole_number(0, 1024))
        ->capture_default_str();
    const auto place = [&](const char *name, FramesIn where, const char *help) {
        return command->add_flag_callback(
            name, [arguments, where] { arguments->frames_in = where; }, help);
    };
    place("--pinned_frames", FramesIn::pinned_memory,
          "Frames lie in memory that the session gave (Session::frame_memory), from which the device copies by itself, "
          "as those of raw files do")
        ->excludes(
            place("--device_frames", FramesIn::device_memory, "Frames lie in device memory before they are scored"));
    list("-m,--model", arguments->models,
         "Model to time as a whole; may be repeated: then all are timed together, too, in one session (default: "
         "vmaf_v0.6.1)")
        ->type_name("MODEL");
    list("--feature", arguments->features,
         "Feature to time in place of all, as for score; may be repeated: features and models are timed together, too")
        ->type_name("FEATURE");
    command->add_flag("--json", arguments->json, "Print JSON");
    command->callback([arguments, &exit_code] { exit_code = run_and_print(*arguments); });
}

} // namespace isovmaf::tool
