// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/commands.hpp"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.hpp"
#include "base/text.hpp"
#include "isovmaf/isovmaf.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/describe_command.hpp"
#include "tools/isovmaf/option_names.hpp"
#include "tools/reference/program_text.hpp"

namespace isovmaf::tool {

namespace {

/// "--output FILE", or "FOLDER" for an argument that is no option.
std::string form_of(CLI::Option &option) {
    if (option.get_positional())
        return value_name(option);
    return option.get_items_expected_max() == 0 ? option.get_name()
                                                : fmt::format("{} {}", option.get_name(), value_name(option));
}

std::string missing(CLI::App &command) {
    if (command.get_require_subcommand_min() > 0)
        return fmt::format("there is no command; {} --help lists them", full_name(command));
    std::vector<std::string> forms;
    for (CLI::Option *const option : command.get_options())
        if (option->get_required() && option->count() == 0)
            forms.push_back(form_of(*option));
    return fmt::format("{0} needs {1}; see {0} --help", full_name(command), fmt::join(forms, " and "));
}

/// "isovmaf batch status" where the command took an argument that was probably meant as the name of that command.
std::string meant_command(CLI::App &command) {
    std::vector<std::string> names;
    for (const CLI::App *nested : command.get_subcommands([](const CLI::App *) { return true; }))
        names.push_back(nested->get_name());
    for (CLI::Option *const option : command.get_options())
        if (option->get_positional() && option->count() > 0)
            if (const std::string name = nearest_name(option->results().front(), names); !name.empty())
                return full_name(command) + " " + name;
    return {};
}

std::string unexpected(CLI::App &command) {
    if (const std::string meant = meant_command(command); !meant.empty())
        return fmt::format("{0} takes one argument: did you mean {1}?; see {0} --help", full_name(command), meant);
    const std::vector<std::string> rest = command.remaining();
    return fmt::format("{0} has no use for the argument {1}; see {0} --help", full_name(command),
                       rest.empty() ? "" : quote(rest.front()));
}

/// An option that is given more often than it may be.
std::string repeated(CLI::App &command) {
    for (CLI::Option *const option : command.get_options())
        if (option->count() > static_cast<std::size_t>(option->get_items_expected_max()) &&
            option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw)
            return fmt::format("{} is given {} times, but takes one value: leave the others out", option->get_name(),
                               option->count());
    return {};
}

using OptionSet = std::set<CLI::Option *>;

/// Calls `sentence` with the first given option, and the first one of `others_of` it, that `wrong` is true for.
std::string about_two(CLI::App &command, OptionSet (CLI::Option::*others_of)() const,
                      const std::function<bool(const CLI::Option &)> &wrong, const char *sentence) {
    for (CLI::Option *const option : command.get_options())
        if (option->count() > 0)
            for (CLI::Option *const other : (option->*others_of)())
                if (wrong(*other))
                    return fmt::format(fmt::runtime(sentence), option->get_name(), form_of(*other), other->get_name());
    return {};
}

/// CLI11 puts the option's name and a colon in front of what a check returns.
std::string checked(const std::string &text) {
    const std::size_t takes = text.find(": takes ");
    return takes == std::string::npos ? text : text.substr(0, takes) + text.substr(takes + 1);
}

/// A sentence about a command line that CLI11 refused: what is wrong, and what to do. `app` is the program as CLI11
/// left it, which knows what was given.
std::string usage_error(CLI::App &app, const CLI::ParseError &error) {
    CLI::App &command = asked_command(app);
    std::string sentence;
    if (dynamic_cast<const CLI::RequiredError *>(&error) != nullptr)
        sentence = missing(command);
    else if (dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr)
        sentence = unexpected(command);
    else if (dynamic_cast<const CLI::ArgumentMismatch *>(&error) != nullptr)
        sentence = repeated(command);
    else if (dynamic_cast<const CLI::RequiresError *>(&error) != nullptr)
        sentence = about_two(
            command, &CLI::Option::get_needs, [](const CLI::Option &other) { return other.count() == 0; },
            "{0} has a meaning only with {1}: give both, or leave {0} out");
    else if (dynamic_cast<const CLI::ExcludesError *>(&error) != nullptr)
        sentence = about_two(
            command, &CLI::Option::get_excludes, [](const CLI::Option &other) { return other.count() > 0; },
            "{0} and {2} exclude each other: leave one of them out");
    return sentence.empty() ? checked(error.what()) : sentence;
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
