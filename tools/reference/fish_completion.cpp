// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/reference/program_text.hpp"

namespace isovmaf::reference {

namespace {

std::string quoted(const std::string &text) {
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    return out + '\'';
}

void append_options(std::string &script, const std::string &program, const CommandText &command,
                    const std::string &condition) {
    for (const OptionText *option : all_options(command)) {
        script += fmt::format("complete -c {}{}", program, condition);
        for (const std::string &name : option->names)
            script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        if (option->takes_file)
            script += " -r -F";
        else if (!offered_values(*option).empty())
            script += fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(offered_values(*option), " "))));
        else if (!option->value.empty())
            script += " -x";
        script += fmt::format(" -d {}\n", quoted(option->help));
    }
    if (takes_files(command))
        script += fmt::format("complete -c {}{} -F\n", program, condition);
}

/// The commands that `command` has, while `condition` holds.
void append_commands(std::string &script, const std::string &program, const CommandText &command,
                     const std::string &condition) {
    std::string names;
    for (const CommandText &nested : command.commands)
        names += ' ' + nested.name;
    const std::string none =
        condition.empty() ? "__fish_use_subcommand" : condition + "; and not __fish_seen_subcommand_from" + names;
    for (const CommandText &nested : command.commands) {
        const std::string seen =
            (condition.empty() ? "" : condition + "; and ") + "__fish_seen_subcommand_from " + nested.name;
        script += fmt::format("complete -c {} -n {} -a {} -d {}\n", program, quoted(none), nested.name,
                              quoted(nested.summary));
        append_options(script, program, nested, fmt::format(" -n {}", quoted(seen)));
        append_commands(script, program, nested, seen);
    }
}

} // namespace

std::string fish_completion(const ProgramText &program) {
    const std::string &name = program.itself.name;
    std::string script = fmt::format("# Completion of {0} for fish\ncomplete -c {0} -f\n", name);
    append_options(script, name, program.itself, program.itself.commands.empty() ? "" : " -n __fish_use_subcommand");
    append_commands(script, name, program.itself, "");
    return script;
}

} // namespace isovmaf::reference
