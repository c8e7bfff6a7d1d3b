// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <sstream>

#include "base/text.hpp"
#include "isovmaf/isovmaf.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/reference/program_text.hpp"
#include "tools/vmaf/options.hpp"

namespace isovmaf::vmaf {

namespace {

reference::OptionText describe_option(const CommandOption &option) {
    reference::OptionText text;
    if (option.letter)
        text.names.push_back(std::string("-") + option.letter);
    text.names.push_back(std::string("--") + option.name);
    text.value = option.value ? option.value : "";
    text.help = option.help;
    text.takes_file = text.value == path_value;
    std::istringstream choices(option.choices);
    for (std::string choice; choices >> choice;)
        text.choices.push_back(choice);
    return text;
}

/// The options of the program, for its manual page and completions.
reference::ProgramText describe_program() {
    reference::OptionGroup group;
    for (const CommandOption &option : command_options())
        group.options.push_back(describe_option(option));
    return {std::string(version()), {"vmaf", program_summary, "vmaf [OPTION]...", {group}, exit_codes_text, {}}};
}

/// Exit codes of libvmaf's program.
enum ExitCode : int {
    exit_done = 0,
    exit_usage = 1,         ///< the command line is wrong
    exit_failed = 255,      ///< an input, model, feature or output failed
    exit_interrupted = 130, ///< what a shell reports of libvmaf's program after Ctrl-C
};

int report_failure(const std::string &sentence, ExitCode code) {
    tool::print_error("vmaf: error: {}\n", sentence);
    return code;
}

int print(const std::string &text) {
    tool::write_output(text);
    const Result<void> written = tool::output_written();
    return written ? exit_done : report_failure(written.error().message, exit_failed);
}

int print_reference(const std::string &kind) {
    const Result<std::string> text = reference::generate(kind, describe_program());
    return text ? print(*text) : report_failure(text.error().message, exit_usage);
}

int run_command(const std::vector<std::string> &arguments) {
    if (arguments.size() == 2 && arguments[0] == "--generate") // for the build: not in the table, and not in the help
        return print_reference(arguments[1]);
    const Result<Options> options = parse_command_line(arguments);
    if (!options)
        return report_failure(options.error().message, exit_usage);
    if (options->show_version) { // where libvmaf's program prints it
        tool::print_error("{}\n", version_text());
        return exit_done;
    }
    if (options->show_help)
        return print(help_text());
    for (const std::string &argument : options->ignored)
        tool::print_error("vmaf: warning: {} is no option and is ignored\n", quote(argument));
    const Result<ExecutionHandle> execution = start_opening(*options);
    if (!execution)
        return report_failure(execution.error().message, exit_failed);
    const Result<bool> interrupted = run(*options, *execution);
    if (!interrupted) {
        report_failure(interrupted.error().message, exit_failed);
        tool::leave(exit_failed, *execution);
    }
    return *interrupted ? exit_interrupted : exit_done;
}

} // namespace

} // namespace isovmaf::vmaf

int main(int argc, char **argv) {
    isovmaf::tool::prepare_standard_streams();
    return isovmaf::tool::run_guarded("vmaf", [&] {
        return isovmaf::vmaf::run_command({argv + (argc > 0 ? 1 : 0), argv + argc});
    });
}
