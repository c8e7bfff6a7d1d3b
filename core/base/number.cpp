// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/number.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace isovmaf {

namespace {

template <class T>
std::optional<T> parse_whole(std::string_view text) {
    T value{};
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end)
        return std::nullopt;
    return value;
}

} // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) { return parse_whole<std::int64_t>(text); }

std::optional<double> parse_double(std::string_view text) {
    if (!text.empty() && text.front() == '+')
        text.remove_prefix(1);
    const std::optional<double> value = parse_whole<double>(text);
    if (!value || !std::isfinite(*value))
        return std::nullopt;
    return value;
}

std::string format_g(double value) { return fmt::format("{:g}", value); }

} // namespace isovmaf
