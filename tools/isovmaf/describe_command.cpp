// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/describe_command.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isovmaf/isovmaf.hpp"
#include "tools/isovmaf/manual.hpp"
#include "tools/isovmaf/suggested_values.hpp"

namespace isovmaf::tool {

namespace {

/// Descriptions of the option's checks: see option_checks.hpp.
std::vector<std::string> check_texts(CLI::Option &option) {
    std::vector<std::string> texts;
    try {
        for (int i = 0;; i++)
            if (const std::string text = option.get_validator(i)->get_description(); !text.empty())
                texts.push_back(text);
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

/// The names of other options, which CLI11 keeps in the order of their addresses.
std::vector<std::string> names_of(const std::set<CLI::Option *> &options) {
    std::vector<std::string> names;
    for (const CLI::Option *option : options)
        names.push_back(option->get_name());
    std::ranges::sort(names);
    return names;
}

/// What stands in brackets behind the help: what the value may be, and options that belong to this one or do not.
std::vector<std::string> describe_rules(CLI::Option &option) {
    std::vector<std::string> rules;
    for (const std::string &text : check_texts(option))
        if (!text.starts_with('{'))
            rules.push_back(text);
    if (!option.get_default_str().empty())
        rules.push_back("default: " + option.get_default_str());
    for (const std::string &name : names_of(option.get_needs()))
        rules.push_back("with " + name);
    for (const std::string &name : names_of(option.get_excludes()))
        rules.push_back("not with " + name);
    return rules;
}

reference::OptionText describe_option(CLI::Option &option) {
    reference::OptionText text;
    for (const std::string &letter : option.get_snames())
        text.names.push_back("-" + letter);
    for (const std::string &name : option.get_lnames())
        text.names.push_back("--" + name);
    text.help = option.get_description();
    if (const std::vector<std::string> rules = describe_rules(option); !rules.empty())
        text.help += fmt::format(" ({})", fmt::join(rules, "; "));
    if (option.get_items_expected_max() == 0)
        return text;
    text.value = value_name(option);
    for (const std::string &check : check_texts(option))
        if (check.starts_with('{'))
            text.choices = split_choices(check);
    if (!option.get_lnames().empty())
        text.suggestions = suggested_values(option.get_lnames().front());
    text.takes_file = text.value == "FILE" || text.value == "FOLDER";
    return text;
}

/// "isovmaf batch merge [OPTION]... FOLDER..."
std::string usage_of(CLI::App &command) {
    std::string text = full_name(command);
    if (command.get_require_subcommand_min() > 0)
        return text + " COMMAND [OPTION]...";
    text += " [OPTION]...";
    for (CLI::Option *const option : command.get_options())
        if (option->get_positional()) {
            const bool several = option->get_items_expected_max() > 1;
            const std::string form = value_name(*option) + (several ? "..." : "");
            text += option->get_required() ? ' ' + form : fmt::format(" [{}]", form);
        }
    return text;
}

} // namespace

std::string full_name(const CLI::App &command) {
    return command.get_parent() == nullptr ? command.get_name()
                                           : full_name(*command.get_parent()) + " " + command.get_name();
}

CLI::App &asked_command(CLI::App &app) {
    const std::vector<CLI::App *> nested = app.get_subcommands();
    return nested.empty() ? app : asked_command(*nested.back());
}

std::string value_name(CLI::Option &option) {
    std::string name = option.get_type_name();
    for (const std::string &check : check_texts(option)) // which CLI11 puts behind the name and a colon
        name.resize(name.size() - check.size() - 1);
    return name;
}

reference::CommandText describe_command(CLI::App &command) {
    reference::CommandText text{
        command.get_name(), command.get_description(), usage_of(command), {}, command.get_footer(), {}};
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
        if (!nested->get_group().empty())
            text.commands.push_back(describe_command(*nested));
    return text;
}

reference::ProgramText describe_program(CLI::App &app) {
    return {std::string(version()), describe_command(app), manual_sections()};
}

} // namespace isovmaf::tool
