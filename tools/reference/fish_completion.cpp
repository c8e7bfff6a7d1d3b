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
        else if (!option->choices.empty())
            script += fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(option->choices, " "))));
        else if (!option->value.empty())
            script += " -x";
        script += fmt::format(" -d {}\n", quoted(option->help));
    }
    if (takes_files(command))
        script += fmt::format("complete -c {}{} -F\n", program, condition);
}

} // namespace

std::string fish_completion(const ProgramText &program) {
    const std::string &name = program.itself.name;
    std::string script = fmt::format("# Completion of {0} for fish\ncomplete -c {0} -f\n", name);
    append_options(script, name, program.itself, program.itself.commands.empty() ? "" : " -n __fish_use_subcommand");
    for (const CommandText &command : program.itself.commands) {
        script += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", name, command.name,
                              quoted(command.summary));
        append_options(script, name, command,
                       fmt::format(" -n {}", quoted("__fish_seen_subcommand_from " + command.name)));
    }
    return script;
}

} // namespace isovmaf::reference
