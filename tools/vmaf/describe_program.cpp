// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/vmaf/describe_program.hpp"

#include <sstream>

#include "isovmaf/isovmaf.hpp"
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

} // namespace

reference::ProgramText describe_program() {
    reference::OptionGroup group;
    for (const CommandOption &option : command_options())
        group.options.push_back(describe_option(option));
    return {std::string(version()), {"vmaf", program_summary, {group}, exit_codes_text, {}}, {}};
}

} // namespace isovmaf::vmaf
