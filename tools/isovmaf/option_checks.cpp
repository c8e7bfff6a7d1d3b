// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/option_checks.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"

namespace isovmaf::tool {

namespace {

/// A validator that replaces the text by what `read` makes of it, or says that the option takes something else.
template <class Read>
CLI::Validator replacing(std::string wanted, std::string in_help, Read read) {
    return {[wanted = std::move(wanted), read = std::move(read)](std::string &text) -> std::string {
                std::optional<std::string> value = read(text);
                if (!value)
                    return fmt::format("takes {}, not {}", wanted, quote(text));
                text = *std::move(value);
                return {};
            },
            std::move(in_help)};
}

} // namespace

CLI::Validator whole_number(std::int64_t least, std::optional<std::int64_t> most) {
    const std::int64_t limit = most.value_or(std::numeric_limits<int>::max());
    return replacing(fmt::format("a whole number from {} to {}", least, limit),
                     most ? fmt::format("{} to {}", least, limit) : fmt::format("{} or more", least),
                     [=](std::string_view text) -> std::optional<std::string> {
                         const auto number = parse_integer(text.starts_with('+') ? text.substr(1) : text);
                         if (!number || *number < least || *number > limit)
                             return std::nullopt;
                         return std::to_string(*number);
                     });
}

CLI::Validator number_between(double least, double most) {
    return replacing(fmt::format("a number from {} to {}", least, most), fmt::format("{} to {}", least, most),
                     [=](const std::string &text) -> std::optional<std::string> {
                         const auto number = parse_double(text);
                         return number && *number >= least && *number <= most ? std::optional(text) : std::nullopt;
                     });
}

CLI::Validator positive_number() {
    return replacing("a number above 0", "above 0", [](const std::string &text) -> std::optional<std::string> {
        const auto number = parse_double(text);
        return number && *number > 0 ? std::optional(text) : std::nullopt;
    });
}

CLI::Validator one_of(std::vector<std::string> choices) {
    std::string wanted = fmt::format("one of {}", fmt::join(choices, ", "));
    std::string in_help = fmt::format("{{{}}}", fmt::join(choices, ","));
    return replacing(std::move(wanted), std::move(in_help),
                     [choices = std::move(choices)](const std::string &text) -> std::optional<std::string> {
                         return std::ranges::find(choices, text) != choices.end() ? std::optional(text) : std::nullopt;
                     });
}

CLI::Validator seconds_or(std::string word) {
    std::string wanted = fmt::format("a number of seconds from 1 on, or {}", word);
    return replacing(std::move(wanted), "",
                     [word = std::move(word)](const std::string &text) -> std::optional<std::string> {
                         const auto seconds = parse_integer(text);
                         const bool taken = text == word || (seconds && *seconds > 0);
                         return taken ? std::optional(text) : std::nullopt;
                     });
}

CLI::Validator byte_count() {
    return replacing("a number of bytes such as 200GB", "",
                     [size = CLI::AsSizeValue(true)](std::string text) -> std::optional<std::string> {
                         try {
                             return size(text).empty() ? std::optional(text) : std::nullopt;
                         } catch (const CLI::ValidationError &) { // a unit that is none, or too many bytes
                             return std::nullopt;
                         }
                     });
}

} // namespace isovmaf::tool
