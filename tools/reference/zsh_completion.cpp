// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/reference/program_text.hpp"

namespace isovmaf::reference {

namespace {

/// Text inside single quotes, in which _arguments gives a meaning to brackets and colons.
std::string escape_for_zsh(const std::string &text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\')
            out += '\\';
        out += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return out;
}

/// One argument of _arguments: '*'{-r,--reference}'[help]:FILE:_files'.
std::string specification(const OptionText &option) {
    const std::string names =
        option.names.size() == 1 ? option.names.front() : fmt::format("'{{{}}}'", fmt::join(option.names, ","));
    std::string value;
    if (!option.value.empty())
        value = fmt::format(":{}:{}", escape_for_zsh(option.value),
                            option.takes_file        ? "_files"
                            : option.choices.empty() ? ""
                                                     : fmt::format("({})", fmt::join(option.choices, " ")));
    return fmt::format("'*{}[{}]{}'", names, escape_for_zsh(option.help), value);
}

std::string arguments_of(const CommandText &command, const char *indent) {
    std::string text = "_arguments";
    for (const OptionText *option : all_options(command))
        text += fmt::format(" \\\n{}    {}", indent, specification(*option));
    if (takes_files(command))
        text += fmt::format(" \\\n{}    '*:file:_files'", indent);
    return text;
}

} // namespace

std::string zsh_completion(const ProgramText &program) {
    const CommandText &itself = program.itself;
    std::string script = fmt::format("#compdef {0}\n# Completion of {0} for zsh\n_{0}() {{\n", itself.name);
    if (program.itself.commands.empty())
        return script + fmt::format("    {}\n}}\n_{} \"$@\"\n", arguments_of(itself, "    "), itself.name);

    std::string commands, cases;
    for (const CommandText &command : program.itself.commands) {
        commands += fmt::format(" \\\n            '{}:{}'", command.name, escape_for_zsh(command.summary));
        cases += fmt::format("        {}) {} ;;\n", command.name, arguments_of(command, "        "));
    }
    script += "    local state line\n    typeset -A opt_args\n";
    script += fmt::format("    {} \\\n        '1:command:->command' '*::argument:->argument'\n",
                          arguments_of(itself, "    "));
    script += fmt::format("    case $state in\n    command)\n        local -a commands=({}\n        )\n"
                          "        _describe command commands ;;\n    argument)\n        case $words[1] in\n{}"
                          "        esac ;;\n    esac\n}}\n_{} \"$@\"\n",
                          commands, cases, itself.name);
    return script;
}

} // namespace isovmaf::reference
