// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/describe_program.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "isovmaf/isovmaf.hpp"
#include "tools/isovmaf/console.hpp"
#include "tools/isovmaf/exit_code.hpp"

namespace isovmaf::tool {

namespace {

/// Descriptions of the option's validators: "{420,422}" of IsMember, "INT in [8 - 16]" of Range.
std::vector<std::string> validator_texts(CLI::Option &option) {
    std::vector<std::string> texts;
    try {
        for (int i = 0;; i++)
            texts.push_back(option.get_validator(i)->get_description());
    } catch (const CLI::OptionNotFound &) { // how CLI11 ends the list
    }
    return texts;
}

std::vector<std::string> split_choices(const std::string &text) {
    std::vector<std::string> choices(1);
    for (const char c : text)
        if (c == ',')
            choices.emplace_back();
        else if (c != '{' && c != '}')
            choices.back() += c;
    return choices;
}

reference::OptionText describe_option(CLI::Option &option) {
    reference::OptionText text;
    for (const std::string &letter : option.get_snames())
        text.names.push_back("-" + letter);
    for (const std::string &name : option.get_lnames())
        text.names.push_back("--" + name);
    text.help = option.get_description();
    if (option.get_items_expected_max() == 0)
        return text;
    text.value = option.get_type_name();
    for (const std::string &validator : validator_texts(option)) {
        if (!validator.empty())
            text.value.resize(text.value.size() - validator.size() - 1); // CLI11 puts it behind a colon
        if (validator.starts_with('{'))
            text.choices = split_choices(validator);
    }
    text.takes_file = text.value == "FILE" || text.value == "FOLDER";
    if (!option.get_default_str().empty())
        text.help += fmt::format(" (default: {})", option.get_default_str());
    return text;
}

reference::CommandText describe_command(CLI::App &command) {
    reference::CommandText text{command.get_name(), command.get_description(), {}, command.get_footer(), {}};
    for (CLI::Option *const option : command.get_options()) {
        const std::string &heading = option->get_group();
        if (heading.empty()) // a hidden option
            continue;
        auto group = std::ranges::find(text.groups, heading, &reference::OptionGroup::heading);
        if (group == text.groups.end())
            group = text.groups.insert(group, {heading, {}});
        group->options.push_back(describe_option(*option));
    }
    for (CLI::App *const nested : command.get_subcommands([](const CLI::App *) { return true; }))
        if (command.get_parent() != nullptr)
            text.commands.push_back(describe_command(*nested));
    return text;
}

} // namespace

reference::ProgramText describe_program(CLI::App &app) {
    reference::ProgramText text{std::string(version()), describe_command(app), {}};
    for (CLI::App *const command : app.get_subcommands([](const CLI::App *) { return true; }))
        if (!command->get_group().empty())
            text.commands.push_back(describe_command(*command));
    return text;
}

int print_reference(const std::string &kind, CLI::App &app) {
    const Result<std::string> text = reference::generate(kind, describe_program(app));
    if (!text) {
        print_error("isovmaf: error: {}\n", text.error().message);
        return exit_usage;
    }
    write_output(*text);
    return exit_ok;
}

} // namespace isovmaf::tool
