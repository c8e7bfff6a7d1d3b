// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

#include "isovmaf/result.hpp"

/// Manual pages and shell completions, generated from what the programs declare.
namespace isovmaf::reference {

struct OptionText {
    std::vector<std::string> names; ///< with dashes: "-r", "--reference"; none for an argument that is no option
    std::string value;              ///< what its value is called; empty for a flag
    std::vector<std::string> choices;
    bool takes_file = false;
    std::string help;
};

/// Options under one heading.
struct OptionGroup {
    std::string heading;
    std::vector<OptionText> options;
};

struct CommandText {
    std::string name;
    std::string summary;
    std::vector<OptionGroup> groups;
    std::string footer;                ///< lines that stay as they are
    std::vector<CommandText> commands; ///< of a command; only the manual page has them
};

struct ProgramText {
    std::string version;
    CommandText itself;                ///< the program without a command
    std::vector<CommandText> commands; ///< none for a program that has options only
};

/// The command's options without their groups, and without arguments that are no options.
[[nodiscard]] std::vector<const OptionText *> all_options(const CommandText &command);

/// Whether the command takes arguments that are no options. They are files.
[[nodiscard]] bool takes_files(const CommandText &command);

[[nodiscard]] std::string man_page(const ProgramText &program);
[[nodiscard]] std::string bash_completion(const ProgramText &program);
[[nodiscard]] std::string zsh_completion(const ProgramText &program);
[[nodiscard]] std::string fish_completion(const ProgramText &program);

/// One of the four, by the name of its kind: man, bash, zsh or fish.
[[nodiscard]] Result<std::string> generate(const std::string &kind, const ProgramText &program);

} // namespace isovmaf::reference
