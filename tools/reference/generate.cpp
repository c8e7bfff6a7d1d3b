// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "tools/reference/program_text.hpp"

namespace isovmaf::reference {

namespace {

using Writer = std::string (*)(const ProgramText &);

constexpr std::pair<const char *, Writer> writers[] = {
    {"man", man_page}, {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

} // namespace

std::vector<const OptionText *> all_options(const CommandText &command) {
    std::vector<const OptionText *> options;
    for (const OptionGroup &group : command.groups)
        for (const OptionText &option : group.options)
            if (!option.names.empty())
                options.push_back(&option);
    return options;
}

bool takes_files(const CommandText &command) {
    return std::ranges::any_of(command.groups, [](const OptionGroup &group) {
        return std::ranges::any_of(group.options, [](const OptionText &option) { return option.names.empty(); });
    });
}

const std::vector<std::string> &offered_values(const OptionText &option) {
    return option.choices.empty() ? option.suggestions : option.choices;
}

Result<std::string> generate(const std::string &kind, const ProgramText &program) {
    for (const auto &[name, write] : writers)
        if (name == kind)
            return write(program);
    return fail(ErrorCode::invalid_argument,
                fmt::format("--generate takes man, bash, zsh or fish, not {}", quote(kind)));
}

} // namespace isovmaf::reference
