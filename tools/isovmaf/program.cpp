// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/commands.hpp"

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "isovmaf/isovmaf.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/describe_command.hpp"
#include "tools/isovmaf/option_names.hpp"
#include "tools/isovmaf/usage_error.hpp"
#include "tools/reference/program_text.hpp"

namespace isovmaf::tool {

namespace {

/// Prints the manual page or the completion of a shell on standard output; returns an ExitCode.
int print_reference(const std::string &kind, CLI::App &app) {
    const Result<std::string> text = reference::generate(kind, describe_program(app));
    if (!text) {
        print_error("isovmaf: error: {}\n", text.error().message);
        return exit_usage;
    }
    write_output(*text);
    return exit_ok;
}

std::string command_line(int argc, char **argv) {
    std::string text = "isovmaf";
    for (int i = 1; i < argc; i++)
        text.append(1, ' ').append(quote_for_shell(argv[i]));
    return text;
}

/// Prints the help, the version, or what is wrong with the command line.
int explain(CLI::App &app, const CLI::ParseError &error) {
    if (error.get_exit_code() != 0) {
        print_error("isovmaf: error: {}\n", usage_error(app, error));
        return exit_usage;
    }
    if (dynamic_cast<const CLI::CallForHelp *>(&error) != nullptr)
        write_output(reference::help_text(describe_command(asked_command(app)), output_columns()));
    else
        print_output("{}\n", version());
    return exit_ok;
}

/// Turns `help COMMAND` into `COMMAND --help`.
std::vector<std::string> with_help_option(std::vector<std::string> arguments) {
    if (!arguments.empty() && arguments.front() == "help") {
        arguments.erase(arguments.begin());
        arguments.emplace_back("--help");
    }
    return arguments;
}

/// Runs the command that is asked for, which sets `exit_code`.
void parse_and_run(CLI::App &app, std::vector<std::string> arguments, int &exit_code) {
    Result<std::vector<std::string>> completed = complete_option_names(app, std::move(arguments));
    if (!completed) {
        print_error("isovmaf: error: {}\n", completed.error().message);
        exit_code = exit_usage;
        return;
    }
    try {
        app.parse(std::vector<std::string>(completed->rbegin(), completed->rend())); // CLI11 takes them in reverse
    } catch (const CLI::ParseError &error) {
        exit_code = explain(app, error);
    }
}

} // namespace

int run_program(int argc, char **argv) {
    prepare_standard_streams();
    CLI::App app("VMAF and its features, the same number on every backend, to the last bit", "isovmaf");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.set_version_flag("-v,--version", std::string(version()), "Print the version and exit");
    app.require_subcommand(1);
    int exit_code = exit_ok;
    add_score_command(app, exit_code, command_line(argc, argv));
    add_bench_command(app, exit_code);
    add_batch_command(app, exit_code);
    add_rescore_command(app, exit_code);
    add_diff_command(app, exit_code, command_line(argc, argv));
    add_backends_command(app, exit_code);
    add_probe_command(app, exit_code);
    app.footer( // after the commands, which would take it over
        "`isovmaf COMMAND --help` or `isovmaf help COMMAND` explains a command.\n"
        "Long options may be shortened as long as they stay unique: --out for --output.\n"
        "Exit codes: 0 done, 1 failed, 2 wrong command line, 130 interrupted. isovmaf batch and diff have more: "
        "docs/exit-codes.md (in share/doc/isovmaf) lists those of all commands.");
    if (argc == 3 && std::string_view(argv[1]) == "--generate") // for the build: not in the help
        exit_code = print_reference(argv[2], app);
    else
        parse_and_run(app, with_help_option({argv + 1, argv + argc}), exit_code);
    const Result<void> written = output_written();
    if (!written)
        print_error("isovmaf: error: {}\n", written.error().message);
    return written || exit_code != exit_ok ? exit_code : exit_failed;
}

} // namespace isovmaf::tool
