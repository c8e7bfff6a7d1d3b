// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
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
        value =
            fmt::format(":{}:{}", escape_for_zsh(option.value),
                        option.takes_file                ? "_files"
                        : offered_values(option).empty() ? ""
                                                         : fmt::format("({})", fmt::join(offered_values(option), " ")));
    return fmt::format("'*{}[{}]{}'", names, escape_for_zsh(option.help), value);
}

/// A call of _arguments for the command's options, and for its files or the commands that it has.
std::string arguments_of(const CommandText &command, const std::string &indent) {
    std::string text = "_arguments";
    for (const OptionText *option : all_options(command))
        text += fmt::format(" \\\n{}    {}", indent, specification(*option));
    if (!command.commands.empty())
        text += fmt::format(" \\\n{}    '1:command:_{}_commands'", indent, replace_all(command.name, "-", "_"));
    if (takes_files(command))
        text += fmt::format(" \\\n{}    '*:file:_files'", indent);
    return text;
}

/// What completes the commands of `command` for _arguments.
void append_list(std::string &script, const CommandText &command) {
    if (command.commands.empty())
        return;
    script += fmt::format("_{}_commands() {{\n    local -a commands=(", replace_all(command.name, "-", "_"));
    for (const CommandText &nested : command.commands)
        script += fmt::format(" \\\n        '{}:{}'", nested.name, escape_for_zsh(nested.summary));
    script += "\n    )\n    _describe command commands\n";
    script += takes_files(command) ? "    _files\n}\n" : "}\n";
    for (const CommandText &nested : command.commands)
        append_list(script, nested);
}

/// Completes the arguments of a command: $words begins with its name.
void append_cases(std::string &script, const CommandText &command, const std::string &indent) {
    if (command.commands.empty()) {
        script += indent + arguments_of(command, indent) + '\n';
        return;
    }
    script += fmt::format("{0}case $words[2] in\n", indent);
    for (const CommandText &nested : command.commands) {
        script +=
            fmt::format("{0}{1})\n{0}    if ((CURRENT > 2)); then\n{0}        shift words\n{0}        ((CURRENT--))\n",
                        indent, nested.name);
        append_cases(script, nested, indent + "        ");
        script += fmt::format("{0}        return\n{0}    fi ;;\n", indent);
    }
    script += indent + "esac\n" + indent + arguments_of(command, indent) + '\n';
}

} // namespace

std::string zsh_completion(const ProgramText &program) {
    const CommandText &itself = program.itself;
    std::string script = fmt::format("#compdef {0}\n# Completion of {0} for zsh\n", itself.name);
    append_list(script, itself);
    script += fmt::format("_{}() {{\n", itself.name);
    append_cases(script, itself, "    ");
    return script + fmt::format("}}\n_{} \"$@\"\n", itself.name);
}

} // namespace isovmaf::reference
