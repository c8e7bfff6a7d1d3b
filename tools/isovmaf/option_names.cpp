// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/option_names.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.hpp"
#include "base/try.hpp"
#include "request/option_table.hpp"
#include "tools/isovmaf/describe_command.hpp"

namespace isovmaf::tool {

namespace {

/// Reads arguments in their order, as CLI11 will, and completes the names of long options in them.
class OptionCompleter {
  public:
    explicit OptionCompleter(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {}

    Result<std::vector<std::string>> complete(CLI::App &program) && {
        TRY(complete_options(program));
        if (next_ >= arguments_.size())
            return std::move(arguments_);
        CLI::App *command = TRY(find_command(program, arguments_[next_++]));
        TRY(complete_options(*command));
        while (next_ < arguments_.size() && arguments_[next_] != "--") {
            command = nested_command(*command, arguments_[next_++]); // or an argument that is no option
            TRY(complete_options(*command));
        }
        return std::move(arguments_);
    }

  private:
    /// Completes options up to the next argument that is neither an option nor an option's value.
    Result<void> complete_options(CLI::App &app) {
        for (; next_ < arguments_.size() && arguments_[next_].starts_with('-') && arguments_[next_] != "--"; next_++)
            TRY(arguments_[next_].starts_with("--") ? complete_long(app) : skip_value_of_short(app));
        return {};
    }

    Result<void> complete_long(CLI::App &app) {
        const std::string argument = arguments_[next_].substr(2);
        const std::size_t equals = argument.find('=');
        const std::string given = argument.substr(0, equals);
        const auto [name, option] = TRY(find_long(app, given));
        const std::string value = equals == std::string::npos ? "" : argument.substr(equals);
        if (value == "=") // CLI11 would take the next argument as the value
            return fail(ErrorCode::invalid_argument, fmt::format("--{} has no value after the =", name));
        arguments_[next_] = "--" + name + value;
        if (!takes_value(*option)) {
            bool ignored = false;
            return value.empty() || has_values(*option, name)
                       ? Result<void>()
                       : read_option({.names = "--" + name, .value_name = {}, .help = {}}, value.substr(1), ignored);
        }
        return value.empty() ? skip_value(app, "--" + name, *option) : Result<void>();
    }

    /// "-q" and "-qv" have no value, that of "-ofile" is in the same argument and that of "-o" in the next one.
    Result<void> skip_value_of_short(CLI::App &app) {
        const std::string letters = arguments_[next_].substr(1);
        for (std::size_t i = 0; i < letters.size(); i++) {
            const std::string name = "-" + letters.substr(i, 1);
            CLI::Option *option = app.get_option_no_throw(name);
            if (option == nullptr && i == 0 && std::isdigit(static_cast<unsigned char>(letters[0]))) // -5 is a number
                return {};
            if (option == nullptr)
                return unknown(full_name(app) + " has no option", name, {}, full_name(app) + " --help");
            if (takes_value(*option))
                return i + 1 == letters.size() ? skip_value(app, name, *option) : Result<void>();
        }
        return {};
    }

    /// The value is the next argument.
    Result<void> skip_value(CLI::App &app, const std::string &name, CLI::Option &option) {
        if (++next_ < arguments_.size())
            return {};
        return fail(ErrorCode::invalid_argument, fmt::format("{} needs a value behind it: {} {}; see {} --help", name,
                                                             name, value_name(option), full_name(app)));
    }

    /// Whether a flag stands for a text, such as the 30 of --progress, and takes others that its own check reads.
    static bool has_values(const CLI::Option &flag, const std::string &name) {
        const std::string text = flag.get_flag_value(name, "");
        return !text.empty() && text != "true";
    }

    static bool takes_value(CLI::Option &option) { return option.get_items_expected_min() > 0; }

    using Found = std::pair<std::string, CLI::Option *>; ///< the whole name, and its option

    static Result<Found> find_long(CLI::App &app, const std::string &given) {
        std::vector<std::string> names, starts;
        std::vector<CLI::Option *> options;
        for (CLI::Option *option : app.get_options())
            for (const std::string &name : option->get_lnames()) {
                if (name == given)
                    return Found{name, option};
                names.push_back("--" + name);
                if (!name.starts_with(given))
                    continue;
                starts.push_back(name);
                if (std::ranges::find(options, option) == options.end())
                    options.push_back(option);
            }
        if (options.size() == 1)
            return Found{starts.front(), options.front()};
        if (options.size() > 1)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("--{} is short for several options: --{}", given, fmt::join(starts, ", --")));
        return unknown(full_name(app) + " has no option", "--" + given, names, full_name(app) + " --help");
    }

    static Result<CLI::App *> find_command(CLI::App &program, const std::string &given) {
        std::vector<std::string> names;
        for (CLI::App *command : program.get_subcommands([](const CLI::App *) { return true; })) {
            if (command->get_name() == given)
                return command;
            names.push_back(command->get_name());
        }
        return unknown("there is no command", given, names, full_name(program) + " --help");
    }

    /// The command of this name that `command` has, or `command` itself.
    static CLI::App *nested_command(CLI::App &command, const std::string &name) {
        const auto nested = command.get_subcommands([&](const CLI::App *app) { return app->get_name() == name; });
        return nested.empty() ? &command : nested.front();
    }

    static tl::unexpected<Error> unknown(const std::string &what, const std::string &given,
                                         const std::vector<std::string> &names, const std::string &help) {
        const std::string nearest = nearest_name(given, names);
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} {}{}; {} lists all", what, given,
                                nearest.empty() ? "" : fmt::format(": did you mean {}?", nearest), help));
    }

    std::vector<std::string> arguments_;
    std::size_t next_ = 0;
};

} // namespace

Result<std::vector<std::string>> complete_option_names(CLI::App &app, std::vector<std::string> arguments) {
    return OptionCompleter(std::move(arguments)).complete(app);
}

} // namespace isovmaf::tool
