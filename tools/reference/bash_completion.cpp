// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
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
                                  : offered_values(*option).empty()
                                      ? ":"
                                      : fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\")",
                                                    fmt::join(offered_values(*option), " "));
        script += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), reply);
    }
}

std::vector<std::string> names_of(const std::vector<CommandText> &commands) {
    std::vector<std::string> names;
    for (const CommandText &command : commands)
        names.push_back(command.name);
    return names;
}

/// The names of the command's options and of the commands that it has.
std::string words_of(const CommandText &command) {
    std::vector<std::string> words;
    for (const OptionText *option : all_options(command))
        words.insert(words.end(), option->names.begin(), option->names.end());
    const std::vector<std::string> commands = names_of(command.commands);
    words.insert(words.end(), commands.begin(), commands.end());
    return fmt::format("{}", fmt::join(words, " "));
}

/// The cases for a command, whose name has those of the commands above it in front, and for those that it has itself.
void append_command(std::string &values, std::string &words, const CommandText &command, const std::string &name) {
    const std::string pattern = replace_all(name, " ", "\\ ");
    append_values(values, command, pattern + ':');
    words +=
        fmt::format("    {}) words='{}'{} ;;\n", pattern, words_of(command), takes_files(command) ? " files=yes" : "");
    for (const CommandText &nested : command.commands)
        append_command(values, words, nested, name + ' ' + nested.name);
}

} // namespace

std::string bash_completion(const ProgramText &program) {
    const CommandText &itself = program.itself;
    std::string script = fmt::format("# Completion of {0} for bash\n_{0}() {{\n", itself.name);
    script +=
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= words files=\n"
        "    COMPREPLY=()\n";
    if (!itself.commands.empty())
        script += "    ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}\n";
    for (const CommandText &command : itself.commands)
        if (!command.commands.empty())
            script += fmt::format(
                "    if [[ $command == {} ]] && ((COMP_CWORD > 2)); then\n        case ${{COMP_WORDS[2]}} in "
                "{}) command+=\" ${{COMP_WORDS[2]}}\" ;; esac\n    fi\n",
                command.name, fmt::join(names_of(command.commands), "|"));
    std::string values, words;
    append_values(values, itself, ":");
    for (const CommandText &command : itself.commands)
        append_command(values, words, command, command.name);
    script += "    case $command:$previous in\n" + values + "    esac\n    case $command in\n" + words;
    script += fmt::format("    *) words='{}' ;;\n    esac\n", words_of(itself));
    script += "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
              "    [[ -z $files ]] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$current\")\n}\n";
    script += fmt::format("complete -o filenames -F _{0} {0}\n", itself.name);
    return script;
}

} // namespace isovmaf::reference
