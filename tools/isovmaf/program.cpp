// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/commands.hpp"

#include <algorithm>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "isovmaf/isovmaf.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/option_names.hpp"
#include "tools/reference/program_text.hpp"

namespace isovmaf::tool {

namespace {

/// Descriptions of the option's validators: "{420,422}" of IsMember, "INT in [8 - 16]" of Range.
std::vector<std::string> validator_texts(CLI::Option &option) {
    std::vector<std::string> texts;
    try {
        for (int i = 0;; i++)
            texts.push_back(option.get_validator(i)->get_description());
    } catch (const CLI::OptionNotFound &) { // how CLI11 ends the list
    }
    return texts;
}

std::vector<std::string> split_choices(const std::string &text) {
    std::vector<std::string> choices(1);
    for (const char c : text)
        if (c == ',')
            choices.emplace_back();
        else if (c != '{' && c != '}')
            choices.back() += c;
    return choices;
}

reference::OptionText describe_option(CLI::Option &option) {
    reference::OptionText text;
    for (const std::string &letter : option.get_snames())
        text.names.push_back("-" + letter);
    for (const std::string &name : option.get_lnames())
        text.names.push_back("--" + name);
    text.help = option.get_description();
    if (option.get_items_expected_max() == 0)
        return text;
    text.value = option.get_type_name();
    for (const std::string &validator : validator_texts(option)) {
        if (!validator.empty())
            text.value.resize(text.value.size() - validator.size() - 1); // CLI11 puts it behind a colon
        if (validator.starts_with('{'))
            text.choices = split_choices(validator);
    }
    text.takes_file = text.value == "FILE" || text.value == "FOLDER";
    if (!option.get_default_str().empty())
        text.help += fmt::format(" (default: {})", option.get_default_str());
    return text;
}

reference::CommandText describe_command(CLI::App &command) {
    reference::CommandText text{command.get_name(), command.get_description(), {}, command.get_footer(), {}};
    for (CLI::Option *const option : command.get_options()) {
        const std::string &heading = option->get_group();
        if (heading.empty()) // a hidden option
            continue;
        auto group = std::ranges::find(text.groups, heading, &reference::OptionGroup::heading);
        if (group == text.groups.end())
            group = text.groups.insert(group, {heading, {}});
        group->options.push_back(describe_option(*option));
    }
    for (CLI::App *const nested : command.get_subcommands([](const CLI::App *) { return true; }))
        if (command.get_parent() != nullptr)
            text.commands.push_back(describe_command(*nested));
    return text;
}

/// The commands and options that `app` declares, hidden ones left out.
reference::ProgramText describe_program(CLI::App &app) {
    reference::ProgramText text{std::string(version()), describe_command(app), {}};
    for (CLI::App *const command : app.get_subcommands([](const CLI::App *) { return true; }))
        if (!command->get_group().empty())
            text.commands.push_back(describe_command(*command));
    return text;
}

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
    app.footer(
        "Exit codes: 0 done, 1 failed, 2 wrong command line, 130 interrupted. isovmaf batch and diff have more:\n"
        "docs/exit-codes.md lists those of all commands.\n"
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
