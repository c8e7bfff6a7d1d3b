// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "tools/isovmaf/batch/batch.hpp"
#include "tools/isovmaf/batch/batch_folders.hpp"
#include "tools/isovmaf/batch/batch_options.hpp"
#include "tools/isovmaf/batch/batch_ranks.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/option_checks.hpp"
#include "tools/isovmaf/request_options.hpp"
#include "tools/isovmaf/score/score_request.hpp"

namespace isovmaf::tool {

namespace {

constexpr const char *row_options_footer =
    "Input, time and scores: options for all rows; a manifest may have columns of the same names.";

constexpr const char *exit_codes_footer =
    "Exit codes: 0 done, 1 the command failed, 2 wrong command line, 65 done, but some rows have no scores, "
    "69 a device cannot be used on this machine, 75 rows failed that may succeed when the command is run again, "
    "130 stopped by a signal: run the same command again to continue. "
    "docs/exit-codes.md (in share/doc/isovmaf) has the exit codes of all commands.";

void add_prepare(CLI::App &batch, int &exit_code) {
    auto arguments = std::make_shared<PrepareArguments>();
    auto defaults = std::make_shared<RequestArguments>(); // read again for rows, with their own options
    CLI::App *command =
        batch.add_subcommand("prepare", "Check a manifest, make its run folder, and cut the work into shards");
    command->set_help_flag("--help", "Print this help and exit");
    declare_preparation(*command, *arguments);
    CLI::Option *const shards =
        command
            ->add_option("--shards", arguments->shards.shards,
                         "Cut the work into N shards of about as many bytes: many more than there are GPUs")
            ->transform(whole_number(1, 100'000))
            ->type_name("N")
            ->group("Batch");
    command
        ->add_option("--at-once", arguments->shards.at_once,
                     "How many shards will be at work at the same time (default: all). Pairs with one reference stay "
                     "in one shard where there are as many references")
        ->transform(whole_number(1, 100'000))
        ->type_name("N")
        ->needs(shards)
        ->group("Batch");
    declare_row_options(*command, *defaults);
    command->footer(row_options_footer);
    command->callback([arguments, defaults, command, &exit_code] {
        if (arguments->manifest.empty() || arguments->run.empty())
            throw CLI::ValidationError("isovmaf batch prepare needs a MANIFEST and --run FOLDER, the folder that it "
                                       "makes; see isovmaf batch prepare --help");
        if (arguments->shards.at_once == 0)
            arguments->shards.at_once = arguments->shards.shards;
        arguments->defaults = given_row_options(*command);
        exit_code = run_batch_prepare(*arguments);
    });
}

void add_merge(CLI::App &batch, int &exit_code) {
    auto arguments = std::make_shared<MergeArguments>();
    CLI::App *command =
        batch.add_subcommand("merge", "Write the results of a run folder; or merge folders of one manifest first");
    command->set_help_flag("-h,--help", "Print this help and exit");
    command->add_option("folders", arguments->folders, "Run folder whose shards are done, or several of one manifest")
        ->required()
        ->type_name("FOLDER");
    command
        ->add_option("--out", arguments->out,
                     "Run folder for the merged work and the results (default: the only folder itself)")
        ->type_name("FOLDER");
    declare_allowed(*command, arguments->allow_failed);
    command->footer("Exit codes: as of isovmaf batch, and 75 when units are not done yet.");
    command->callback([arguments, &exit_code] { exit_code = run_batch_merge(*arguments); });
}

void add_status(CLI::App &batch, int &exit_code) {
    auto arguments = std::make_shared<StatusArguments>();
    CLI::App *command = batch.add_subcommand("status", "Print how much of a run folder is done");
    command->set_help_flag("-h,--help", "Print this help and exit");
    command->add_option("folder", arguments->folder, "Run folder")->required()->type_name("FOLDER");
    CLI::Option *const json = command->add_flag("--json", arguments->json, "Print JSON");
    command
        ->add_flag("--missing", arguments->missing,
                   "Print only the shards that are not done, as a list for sbatch --array; nothing when all are")
        ->excludes(json);
    command->callback([arguments, &exit_code] { exit_code = run_batch_status(*arguments); });
}

void add_export(CLI::App &batch, int &exit_code) {
    auto arguments = std::make_shared<ExportArguments>();
    CLI::App *command = batch.add_subcommand("export", "Write a report for each pair, or metrics, from a run folder");
    command->set_help_flag("-h,--help", "Print this help and exit");
    command->add_option("folder", arguments->folder, "Run folder")->required()->type_name("FOLDER");
    command
        ->add_option(
            "--format", arguments->format,
            "json, xml, csv and sub: a report for each pair, as isovmaf score writes it; openmetrics: one file "
            "for Prometheus")
        ->required()
        ->transform(one_of(export_formats()))
        ->type_name("FORMAT");
    command
        ->add_option("--out", arguments->out,
                     "Folder of the reports (default: reports, in the run folder), or file of the metrics "
                     "(metrics.prom)")
        ->type_name("PATH");
    command->add_option("--precision", arguments->precision, "Precision of the reports, as for isovmaf score")
        ->transform(one_of(precision_names()))
        ->capture_default_str();
    command->callback([arguments, &exit_code] { exit_code = run_batch_export(*arguments); });
}

void add_mpi_check(CLI::App &batch, int &exit_code) {
    auto arguments = std::make_shared<MpiCheckArguments>();
    CLI::App *command = batch.add_subcommand(
        "mpi-check", "Describe the MPI, and check that its reductions and gathers are exact; start it with mpirun");
    command->set_help_flag("-h,--help", "Print this help and exit");
    command->add_option("--max-count", arguments->max_count, "Values of each rank, at most")
        ->transform(whole_number(1, 1 << 27))
        ->type_name("N")
        ->capture_default_str();
    command
        ->add_option("--backend", arguments->backend,
                     "Backend whose devices hold the values, which the ranks of a host share; without it they lie "
                     "in host memory")
        ->type_name("NAME");
    command
        ->add_option("--device-buffers", arguments->device_buffers,
                     "Give the MPI addresses of device memory: auto: where it says that it takes them, on: in any "
                     "case, off: never")
        ->transform(one_of({device_buffer_names.begin(), device_buffer_names.end()}))
        ->type_name("MODE")
        ->capture_default_str();
    declare_backend_folders(*command, arguments->backend_folders);
    command->callback([arguments, &exit_code] { exit_code = run_mpi_check(*arguments); });
}

/// Without a manifest the folder is prepared, and its rows have their options.
void check_without_manifest(const BatchArguments &arguments) {
    if (!arguments.manifest.empty())
        return;
    if (arguments.dry_run)
        throw CLI::ValidationError("--dry-run needs a MANIFEST, whose rows it checks; see isovmaf batch --help");
    const bool asks_for_more = !arguments.defaults.empty() || arguments.segment_frames > 0 || arguments.skip_invalid ||
                               !arguments.pairs.reference.empty();
    if (asks_for_more)
        throw CLI::ValidationError("options of rows, --segment-frames, --skip-invalid and --reference need a MANIFEST: "
                                   "a prepared run folder keeps those that it was made with");
}

} // namespace

void add_batch_command(CLI::App &app, int &exit_code) {
    auto arguments = std::make_shared<BatchArguments>();
    auto defaults = std::make_shared<RequestArguments>(); // read again for rows, with their own options
    CLI::App *command = app.add_subcommand("batch", "Score the pairs of a manifest, restartable, with many processes");
    command->set_help_flag("--help", "Print this help and exit");
    declare_preparation(*command, *arguments);
    declare_batch_run(*command, *arguments);
    declare_batch_execution(*command, *arguments);
    declare_removed_options(*command);
    declare_row_options(*command, *defaults);
    add_prepare(*command, exit_code);
    add_merge(*command, exit_code);
    add_status(*command, exit_code);
    add_mpi_check(*command, exit_code);
    add_export(*command, exit_code);
    command->footer(fmt::format("{}\n{}", row_options_footer,
                                exit_codes_footer)); // after the nested commands, which would take it over
    command->callback([arguments, defaults, command, &exit_code] {
        if (!command->get_subcommands().empty())
            return;
        if (arguments->run.empty() && !arguments->dry_run)
            throw CLI::ValidationError("isovmaf batch needs --run FOLDER, the folder that keeps its work; see isovmaf "
                                       "batch --help");
        arguments->defaults = given_row_options(*command);
        check_without_manifest(*arguments);
        exit_code = run_batch(*arguments);
    });
}

void add_rescore_command(CLI::App &app, int &exit_code) {
    auto arguments = std::make_shared<RescoreArguments>();
    auto scoring = std::make_shared<ScoringArguments>(); // read again for rows, with their other options
    CLI::App *command = app.add_subcommand("rescore", "Score a run folder with other models, without reading a video");
    command->set_help_flag("-h,--help", "Print this help and exit");
    command->add_option("folder", arguments->folder, "Run folder of isovmaf batch")->required()->type_name("FOLDER");
    command->add_option("--out", arguments->out, "Folder of the results (default: rescored, in the run folder)")
        ->type_name("FOLDER");
    declare_allowed(*command, arguments->allow_failed);
    declare_scoring(*command, *scoring, "those of the batch");
    command->footer("Exit codes: as of isovmaf batch, and 75 when units are not done yet.");
    command->callback([arguments, scoring, command, &exit_code] {
        arguments->options = given_row_options(*command);
        exit_code = run_rescore(*arguments);
    });
}

} // namespace isovmaf::tool
