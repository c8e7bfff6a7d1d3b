// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/program.hpp"

#include <sstream>

#include <CLI/CLI.hpp>

#include "base/text.hpp"
#include "isovmaf/isovmaf.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/describe_program.hpp"
#include "tools/isovmaf/exit_code.hpp"
#include "tools/isovmaf/option_names.hpp"

namespace isovmaf::tool {

namespace {

std::string command_line(int argc, char **argv) {
    std::string text = "isovmaf";
    for (int i = 1; i < argc; i++)
        text.append(1, ' ').append(quote_for_shell(argv[i]));
    return text;
}

/// Prints the help, the version, or what is wrong with the command line.
int explain(const CLI::App &app, const CLI::ParseError &error) {
    std::ostringstream output, errors;
    const int code = app.exit(error, output, errors);
    write_output(output.str());
    write_error(errors.str());
    return code == 0 ? exit_ok : exit_usage;
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
    CLI::App app("isovmaf: VMAF and its features, the same number on every backend, to the last bit.", "isovmaf");
    app.set_help_flag("--help", "Print this help and exit");
    app.set_version_flag("-v,--version", std::string(version()), "Print the version and exit");
    app.require_subcommand(1);
    app.get_formatter()->column_width(36);
    app.footer("Exit codes: 0 done, 1 failed, 2 wrong command line, 130 interrupted.\n"
               "Long options may be shortened as long as they stay unique: --out for --output.\n"
               "`isovmaf COMMAND --help` explains a command.");
    int exit_code = exit_ok;
    add_score_command(app, exit_code, command_line(argc, argv));
    add_bench_command(app, exit_code);
    add_batch_command(app, exit_code);
    add_rescore_command(app, exit_code);
    add_diff_command(app, exit_code, command_line(argc, argv));
    add_backends_command(app, exit_code);
    add_probe_command(app, exit_code);
    if (argc == 3 && std::string_view(argv[1]) == "--generate") // for the build: not in the help
        exit_code = print_reference(argv[2], app);
    else
        parse_and_run(app, {argv + 1, argv + argc}, exit_code);
    const Result<void> written = output_written();
    if (!written)
        print_error("isovmaf: error: {}\n", written.error().message);
    return written || exit_code != exit_ok ? exit_code : exit_failed;
}

} // namespace isovmaf::tool
