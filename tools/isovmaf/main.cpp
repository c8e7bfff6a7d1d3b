// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <CLI/CLI.hpp>

#include "base/text.hpp"
#include "isovmaf/isovmaf.hpp"
#include "tools/isovmaf/commands.hpp"
#include "tools/isovmaf/exit_code.hpp"

namespace {

std::string command_line(int argc, char **argv) {
    std::string text = "isovmaf";
    for (int i = 1; i < argc; i++)
        text += " " + isovmaf::quote_for_shell(argv[i]);
    return text;
}

} // namespace

int main(int argc, char **argv) {
    using namespace isovmaf::tool;
    CLI::App app("isovmaf: VMAF and its features, the same number on every backend, to the last bit.", "isovmaf");
    app.set_help_flag("--help", "Print this help and exit");
    app.set_version_flag("-v,--version", std::string(isovmaf::version()), "Print the version and exit");
    app.require_subcommand(1);
    app.get_formatter()->column_width(36);
    app.footer("Exit codes: 0 done, 1 failed, 2 wrong command line, 130 interrupted.\n"
               "`isovmaf COMMAND --help` explains a command.");
    int exit_code = exit_ok;
    add_score_command(app, exit_code);
    add_bench_command(app, exit_code);
    add_diff_command(app, exit_code, command_line(argc, argv));
    add_backends_command(app, exit_code);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? exit_ok : exit_usage;
    }
    return exit_code;
}
