// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <memory>

#include <CLI/CLI.hpp>

#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/exit_code.hpp"
#include "tools/isovmaf/probe_report.hpp"

namespace isovmaf::tool {

namespace {

struct ProbeArguments {
    std::vector<std::string> files;
    bool json = false;
};

/// Describes each file; those that cannot be read are named on standard error.
int run_probe(const ProbeArguments &arguments) {
    std::vector<FileDescription> files;
    for (const std::string &path : arguments.files) {
        Result<FileDescription> file = describe_file(path);
        if (file)
            files.push_back(*std::move(file));
        else
            print_error("isovmaf: error: {}\n", file.error().message);
    }
    write_output(arguments.json ? probe_json(files) : probe_text(files));
    return files.size() == arguments.files.size() ? exit_ok : exit_failed;
}

} // namespace

void add_probe_command(CLI::App &app, int &exit_code) {
    auto arguments = std::make_shared<ProbeArguments>();
    CLI::App *command =
        app.add_subcommand("probe", "List the streams of videos: formats, colours, rates, duration, frames");
    command->set_help_flag("--help", "Print this help and exit");
    command->add_option("files", arguments->files, "Videos; - is standard input")->required()->type_name("FILE");
    command->add_flag("--json", arguments->json, "Print JSON");
    command->callback([arguments, &exit_code] { exit_code = run_probe(*arguments); });
}

} // namespace isovmaf::tool
