// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/stored_value.hpp"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "features/option.hpp"

namespace isovmaf {

namespace {

std::string_view without_white_space(std::string_view text) {
    constexpr std::string_view white_space = " \t\n\v\f\r";
    const std::size_t begin = text.find_first_not_of(white_space);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(white_space) + 1 - begin);
}

/// A hexadecimal number such as "0x10" or "-0x1.8p1".
std::optional<double> parse_hexadecimal(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+'))
        text.remove_prefix(1);
    if (!text.starts_with("0x") && !text.starts_with("0X"))
        return std::nullopt;
    text.remove_prefix(2);
    double magnitude = 0;
    const char *const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, magnitude, std::chars_format::hex);
    if (error != std::errc{} || stop != end || text.starts_with('-'))
        return std::nullopt;
    return negative ? -magnitude : magnitude;
}

} // namespace

std::string stored_value(std::string_view text) {
    const std::string_view word = without_white_space(text);
    if (const std::optional<double> number = parse_hexadecimal(word))
        return normalise_option_text(fmt::format("{}", *number));
    return parse_double(word) ? normalise_option_text(word) : std::string(text);
}

} // namespace isovmaf
