// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "isovmaf/result.hpp"

/// Help, manual pages and shell completions, generated from what the programs declare.
namespace isovmaf::reference {

struct OptionText {
    std::vector<std::string> names;       ///< with dashes: "-r", "--reference"; none for an argument that is no option
    std::string value;                    ///< what its value is called; empty for a flag
    std::vector<std::string> choices;     ///< the only values
    std::vector<std::string> suggestions; ///< values that completions offer beside others that the option takes
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
    std::string usage; ///< "isovmaf probe [OPTION]... FILE..."
    std::vector<OptionGroup> groups;
    std::string footer; ///< a paragraph a line; a line with two spaces in front is a name, and what the name means
    std::vector<CommandText> commands;
};

/// A section of the manual page that is a list of names, and of what they mean.
struct ManualSection {
    struct Entry {
        std::string name, text;
    };

    std::string heading; ///< "EXIT STATUS"
    std::vector<Entry> entries;
};

struct ProgramText {
    std::string version;
    CommandText itself;                       ///< the program without a command, and its commands
    std::vector<ManualSection> sections = {}; ///< of the manual page, behind the commands
};

/// The command's options without their groups, and without arguments that are no options.
[[nodiscard]] std::vector<const OptionText *> all_options(const CommandText &command);

/// Whether the command takes arguments that are no options. They are files.
[[nodiscard]] bool takes_files(const CommandText &command);

/// The values that completions offer for the option.
[[nodiscard]] const std::vector<std::string> &offered_values(const OptionText &option);

/// What --help prints, in lines of at most `columns` characters.
[[nodiscard]] std::string help_text(const CommandText &command, std::size_t columns);

[[nodiscard]] std::string man_page(const ProgramText &program);
[[nodiscard]] std::string bash_completion(const ProgramText &program);
[[nodiscard]] std::string zsh_completion(const ProgramText &program);
[[nodiscard]] std::string fish_completion(const ProgramText &program);

/// One of the four, by the name of its kind: man, bash, zsh or fish.
[[nodiscard]] Result<std::string> generate(const std::string &kind, const ProgramText &program);

} // namespace isovmaf::reference
