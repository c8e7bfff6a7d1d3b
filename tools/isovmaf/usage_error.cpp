// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/usage_error.hpp"

#include <functional>
#include <set>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "tools/isovmaf/describe_command.hpp"
#include "tools/isovmaf/option_names.hpp"

namespace isovmaf::tool {

namespace {

/// "--output FILE", or "FOLDER" for an argument that is no option.
std::string form_of(CLI::Option &option) {
    if (option.get_positional())
        return value_name(option);
    return option.get_items_expected_max() == 0 ? option.get_name()
                                                : fmt::format("{} {}", option.get_name(), value_name(option));
}

std::string missing(CLI::App &command) {
    if (command.get_require_subcommand_min() > 0)
        return fmt::format("there is no command; {} --help lists them", full_name(command));
    std::vector<std::string> forms;
    for (CLI::Option *const option : command.get_options())
        if (option->get_required() && option->count() == 0)
            forms.push_back(form_of(*option));
    return fmt::format("{0} needs {1}; see {0} --help", full_name(command), fmt::join(forms, " and "));
}

/// "isovmaf batch status" where the command took an argument that was probably meant as the name of that command.
std::string meant_command(CLI::App &command) {
    std::vector<std::string> names;
    for (const CLI::App *nested : command.get_subcommands([](const CLI::App *) { return true; }))
        names.push_back(nested->get_name());
    for (CLI::Option *const option : command.get_options())
        if (option->get_positional() && option->count() > 0)
            if (const std::string name = nearest_name(option->results().front(), names); !name.empty())
                return full_name(command) + " " + name;
    return {};
}

std::string unexpected(CLI::App &command) {
    if (const std::string meant = meant_command(command); !meant.empty())
        return fmt::format("{0} takes one argument: did you mean {1}?; see {0} --help", full_name(command), meant);
    const std::vector<std::string> rest = command.remaining();
    return fmt::format("{0} has no use for the argument {1}; see {0} --help", full_name(command),
                       rest.empty() ? "" : quote(rest.front()));
}

/// An option that is given more often than it may be.
std::string repeated(CLI::App &command) {
    for (CLI::Option *const option : command.get_options())
        if (option->count() > static_cast<std::size_t>(option->get_items_expected_max()) &&
            option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw)
            return fmt::format("{} is given {} times, but takes one value: leave the others out", option->get_name(),
                               option->count());
    return {};
}

using OptionSet = std::set<CLI::Option *>;

/// Calls `sentence` with the first given option, and the first one of `others_of` it, that `wrong` is true for.
std::string about_two(CLI::App &command, OptionSet (CLI::Option::*others_of)() const,
                      const std::function<bool(const CLI::Option &)> &wrong, const char *sentence) {
    for (CLI::Option *const option : command.get_options())
        if (option->count() > 0)
            for (CLI::Option *const other : (option->*others_of)())
                if (wrong(*other))
                    return fmt::format(fmt::runtime(sentence), option->get_name(), form_of(*other), other->get_name());
    return {};
}

/// CLI11 puts the option's name and a colon in front of what a check returns.
std::string checked(const std::string &text) {
    const std::size_t takes = text.find(": takes ");
    return takes == std::string::npos ? text : text.substr(0, takes) + text.substr(takes + 1);
}

} // namespace

std::string usage_error(CLI::App &app, const CLI::ParseError &error) {
    CLI::App &command = asked_command(app);
    std::string sentence;
    if (dynamic_cast<const CLI::RequiredError *>(&error) != nullptr)
        sentence = missing(command);
    else if (dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr)
        sentence = unexpected(command);
    else if (dynamic_cast<const CLI::ArgumentMismatch *>(&error) != nullptr)
        sentence = repeated(command);
    else if (dynamic_cast<const CLI::RequiresError *>(&error) != nullptr)
        sentence = about_two(
            command, &CLI::Option::get_needs, [](const CLI::Option &other) { return other.count() == 0; },
            "{0} has a meaning only with {1}: give both, or leave {0} out");
    else if (dynamic_cast<const CLI::ExcludesError *>(&error) != nullptr)
        sentence = about_two(
            command, &CLI::Option::get_excludes, [](const CLI::Option &other) { return other.count() > 0; },
            "{0} and {2} exclude each other: leave one of them out");
    return sentence.empty() ? checked(error.what()) : sentence;
}

} // namespace isovmaf::tool
