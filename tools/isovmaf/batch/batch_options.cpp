// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/batch/batch_options.hpp"

#include <array>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "device/device_list.hpp"
#include "tools/isovmaf/option_checks.hpp"
#include "tools/isovmaf/request_options.hpp"

namespace isovmaf::tool {

namespace {

void declare_pattern(CLI::App &command, batch::PairRule &rule) {
    const OptionHeading heading(command, "Pattern");
    CLI::Option *const reference =
        command
            .add_option(
                "--reference", rule.reference,
                "MANIFEST is a pattern of distorted files, such as 'encodes/*.mkv', and this is the reference of "
                "each: a path with {stem}, {name}, {dir} of the distorted file, and {1} to {9} from --match")
            ->type_name("RULE");
    command
        .add_option("--match", rule.match,
                    "Regular expression of the whole name of each distorted file, whose groups are {1} to {9}")
        ->type_name("REGEX")
        ->needs(reference);
    command.add_option("--label", rule.label, "The label of each pair; takes the same placeholders as --reference")
        ->type_name("RULE")
        ->needs(reference);
    command.add_option("--bit-rate", rule.bit_rate, "The bit rate of each pair, such as {3}")
        ->type_name("RULE")
        ->needs(reference);
}

} // namespace

void declare_allowed(CLI::App &command, std::size_t &allowed) {
    command
        .add_option("--allow-failed", allowed,
                    "Exit with 0 although up to N rows have no scores, because they failed or are invalid")
        ->transform(whole_number(0))
        ->type_name("N")
        ->capture_default_str();
}

void declare_preparation(CLI::App &command, PrepareArguments &arguments) {
    const OptionHeading heading(command, "Batch");
    command
        .add_option("manifest", arguments.manifest,
                    "Manifest: CSV or JSON Lines with the columns reference,distorted; with --reference a "
                    "pattern of files")
        ->type_name("MANIFEST");
    declare_pattern(command, arguments.pairs);
    command
        .add_option("--run", arguments.run,
                    "Run folder, which is made or resumed; processes of one host may share it, and shards of any")
        ->type_name("FOLDER");
    command.add_flag("--skip-invalid", arguments.skip_invalid, "Leave out rows that cannot be scored");
    command
        .add_option("--segment-frames", arguments.segment_frames,
                    "Cut longer videos into units of N frames, which several workers can compute; changes no score")
        ->transform(whole_number(1, 1'000'000'000))
        ->type_name("N");
}

void declare_batch_run(CLI::App &command, BatchArguments &arguments) {
    const OptionHeading heading(command, "Batch");
    CLI::Option *const dry_run =
        command.add_flag("--dry-run", arguments.dry_run, "Only check the manifest, and print how much there is to do");
    command
        .add_option("--rate", arguments.rate,
                    "Frames per second of all workers together, from which --dry-run computes the time")
        ->transform(positive_number())
        ->type_name("FPS")
        ->needs(dry_run);
    declare_allowed(command, arguments.allow_failed);
    command
        .add_option(
            "--workers", arguments.workers,
            "Units that this process works on at the same time on each device; 0: one on the CPU, and up to two on a "
            "GPU, for each of which two threads are there")
        ->transform(whole_number(0, 1024))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--group", arguments.group,
                    "Extract up to N encodes of one reference side by side, and decode the reference once for them; "
                    "changes no score")
        ->transform(whole_number(1, 64))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--shard", arguments.shard,
                    "Do shard I (0 to N - 1) of a folder that batch prepare has cut into N shards: for the tasks of an "
                    "array job. With a manifest: the same part of it, in a folder of its own")
        ->type_name("I/N");
    command
        .add_option("--engine", arguments.engine,
                    "How processes share the batch: those of one host or of shards through the run folder alone, or "
                    "ranks of an MPI job; auto: mpi where mpirun or srun started several ranks")
        ->transform(one_of({engine_names.begin(), engine_names.end()}))
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--retries", arguments.retries,
                    "How often a unit is tried again after a failure that may be temporary")
        ->transform(whole_number(0, 100))
        ->type_name("N")
        ->capture_default_str();
    command.add_flag("--retry-failed", arguments.retry_failed,
                     "Try every failed unit again, also those that would fail again, or were tried often enough");
    command
        .add_flag("--take-over", arguments.take_over,
                  "Work on the folder though another host says that it does: that host is gone")
        ->excludes("--shard");
    command.add_flag("--fast-keys", arguments.fast_keys,
                     "Tell files apart by size, time and sampled blocks, not by their whole content");
    CLI::Option *const stage =
        command
            .add_option("--stage", arguments.stage,
                        "Folder on a disk of this node: inputs are copied there before they are read, each once")
            ->type_name("FOLDER");
    command
        .add_option("--stage-bytes", arguments.stage_bytes,
                    "Most bytes that the copies of this process may take at a time, such as 200GB (default: 80 % of "
                    "the free space)")
        ->transform(byte_count())
        ->type_name("N")
        ->needs(stage);
    command
        .add_option("--progress", arguments.progress,
                    "How progress is shown on standard error: text, or json, an object on a line each second")
        ->transform(one_of({"text", "json"}))
        ->type_name("text|json")
        ->capture_default_str();
    command.add_flag("-q,--quiet", arguments.quiet, "No progress, no summary")->excludes("--progress");
}

void declare_removed_options(CLI::App &command) {
    constexpr std::array<std::pair<const char *, const char *>, 2> removed{
        {{"--time-left", "let the signal SIGTERM end the job in time: sbatch --signal=B:TERM@60"},
         {"--lease-seconds", "the units of a process that died are free at once"}}};
    for (const auto &[name, instead] : removed)
        command
            .add_option_function<std::string>(name,
                                              [name = name, instead = instead](const std::string &) {
                                                  throw CLI::ValidationError(
                                                      fmt::format("{} is no option any more: {}", name, instead));
                                              })
            ->group("");
}

void declare_batch_execution(CLI::App &command, BatchExecution &execution) {
    const OptionHeading heading(command, "Execution");
    declare_backend(command, execution.backend, execution.device);
    command
        .add_option("--devices", execution.device_list,
                    "Compute on several devices at once: all (every GPU of the first backend that has one, else the "
                    "CPU), or a list such as hip:0,hip:1 or cuda:*,cpu; changes no score")
        ->excludes("--backend", "--device")
        ->check([](const std::string &list) {
            const auto wishes = parse_device_list(list);
            return wishes ? std::string() : wishes.error().message;
        })
        ->type_name("LIST");
    command
        .add_option("--bind", execution.bind,
                    "With --devices: device binds the threads of a GPU's workers to the processors near it, which is "
                    "the default of programs that were built with hwloc; none leaves them alone")
        ->transform(one_of({"none", "device"}))
        ->needs("--devices")
        ->type_name("none|device");
    declare_backend_folders(command, execution.backend_folders);
    declare_hwaccel(command, execution.hwaccel);
    declare_cpu_level(command, execution.cpu_level);
    declare_threads(command, execution.threads);
}

} // namespace isovmaf::tool
