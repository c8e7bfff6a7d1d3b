// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/reference/program_text.hpp"

namespace isovmaf::reference {

namespace {

/// The cases for the value of an option: `prefix` is the command and a colon.
void append_values(std::string &script, const CommandText &command, const std::string &prefix) {
    for (const OptionText *option : all_options(command)) {
        if (option->value.empty())
            continue;
        std::vector<std::string> patterns;
        for (const std::string &name : option->names)
            patterns.push_back(prefix + name);
        const std::string reply = option->takes_file ? "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
                                  : option->choices.empty()
                                      ? ":"
                                      : fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\")",
                                                    fmt::join(option->choices, " "));
        script += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), reply);
    }
}

std::string option_names(const CommandText &command) {
    std::vector<std::string> names;
    for (const OptionText *option : all_options(command))
        names.insert(names.end(), option->names.begin(), option->names.end());
    return fmt::format("{}", fmt::join(names, " "));
}

} // namespace

std::string bash_completion(const ProgramText &program) {
    const CommandText &itself = program.itself;
    std::string commands;
    for (const CommandText &command : program.itself.commands)
        commands += ' ' + command.name;

    std::string script = fmt::format("# Completion of {0} for bash\n_{0}() {{\n", itself.name);
    script +=
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= words files=\n"
        "    COMPREPLY=()\n";
    if (!program.itself.commands.empty())
        script += "    ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}\n";
    script += "    case $command:$previous in\n";
    append_values(script, itself, ":");
    for (const CommandText &command : program.itself.commands)
        append_values(script, command, command.name + ':');
    script += "    esac\n    case $command in\n";
    for (const CommandText &command : program.itself.commands)
        script += fmt::format("    {}) words='{}'{} ;;\n", command.name, option_names(command),
                              takes_files(command) ? " files=yes" : "");
    script += fmt::format("    *) words='{}{}' ;;\n    esac\n", option_names(itself), commands);
    script += "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
              "    [[ -z $files ]] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$current\")\n}\n";
    script += fmt::format("complete -o filenames -F _{0} {0}\n", itself.name);
    return script;
}

} // namespace isovmaf::reference
