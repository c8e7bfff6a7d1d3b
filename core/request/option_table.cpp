// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/option_table.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.hpp"
#include "base/text.hpp"

namespace isovmaf {

namespace {

/// `hint` stands at the end of the sentence.
tl::unexpected<Error> wrong_value(const OptionRule &rule, std::string_view wanted, const std::string &text,
                                  std::string_view hint = {}) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--{} takes {}, not {}{}", rule.name(), wanted, quote(text), hint));
}

/// "a whole number from 8 to 16"
std::string describe_number(std::string_view kind, const NumberRange &range) {
    return range.most ? fmt::format("{} from {:.0f} to {:.0f}", kind, range.least, *range.most)
                      : fmt::format("{} of {:.0f} or more", kind, range.least);
}

bool holds(const NumberRange &range, double number) {
    return number >= range.least && number <= range.most.value_or(number);
}

/// `or_word`: what else the option takes.
template <class Integer>
Result<void> read_integer(const OptionRule &rule, const std::string &text, Integer &value,
                          std::string_view or_word = "") {
    const std::optional<std::int64_t> number =
        parse_integer(text.starts_with('+') ? std::string_view(text).substr(1) : text);
    if (!number || !std::in_range<Integer>(*number) || !holds(*rule.range, static_cast<double>(*number)))
        return wrong_value(rule, describe_number(fmt::format("{}a whole number", or_word), *rule.range), text);
    value = static_cast<Integer>(*number);
    return {};
}

constexpr std::string_view true_words[] = {"true", "t", "yes", "y", "on", "enable", "1", "+"};
constexpr std::string_view false_words[] = {"false", "f", "no", "n", "off", "disable", "0", "-"};

} // namespace

std::string_view OptionRule::name() const {
    const std::size_t start = names.find("--") + 2;
    return names.substr(start, names.find(',', start) - start);
}

Result<void> read_option(const OptionRule &rule, const std::string &text, bool &value) {
    std::string word = text;
    for (char &c : word)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    value = std::ranges::find(true_words, word) != std::end(true_words);
    if (!value && std::ranges::find(false_words, word) == std::end(false_words))
        return wrong_value(rule, "true or false", text);
    return {};
}

Result<void> read_option(const OptionRule &rule, const std::string &text, int &value) {
    return read_integer(rule, text, value);
}

Result<void> read_option(const OptionRule &rule, const std::string &text, std::int64_t &value) {
    return read_integer(rule, text, value);
}

Result<void> read_option(const OptionRule &rule, const std::string &text, NumberOrAuto &value) {
    value = {.is_auto = text == "auto"};
    return value.is_auto ? Result<void>() : read_integer(rule, text, value.number, "auto, or ");
}

Result<void> read_option(const OptionRule &rule, const std::string &text, double &value) {
    const std::optional<double> number = parse_double(text);
    if (!number || !holds(*rule.range, *number))
        return wrong_value(rule, describe_number("a number", *rule.range), text);
    value = *number;
    return {};
}

Result<void> read_option(const OptionRule &rule, const std::string &text, std::string &value) {
    if (rule.choices != nullptr)
        if (const std::vector<std::string> choices = rule.choices(); std::ranges::find(choices, text) == choices.end())
            return wrong_value(rule, fmt::format("one of {}", fmt::join(choices, ", ")), text,
                               did_you_mean(text, choices));
    value = text;
    return {};
}

Result<std::uint64_t> parse_bit_mask(std::string_view option, std::string_view text) {
    const bool negative = text.starts_with('-');
    std::string_view digits = text.substr(negative ? 1 : 0);
    const bool hexadecimal = digits.starts_with("0x");
    digits.remove_prefix(hexadecimal ? 2 : 0);
    std::uint64_t value = 0;
    const char *const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, hexadecimal ? 16 : 10);
    if (error != std::errc() || stop != end)
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{} takes a bit mask such as 63, 0x3f or -1, not {}", option, quote(text)));
    return negative ? 0 - value : value;
}

} // namespace isovmaf
