// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace isovmaf {

namespace {

constexpr std::size_t longest_quote = 60;

} // namespace

std::string quote(std::string_view text) {
    const auto printable = [](char c) { return c >= ' ' && c <= '~'; };
    if (text.size() <= longest_quote && std::ranges::all_of(text, printable))
        return fmt::format("\"{}\"", text);
    return fmt::format("a text of {} bytes", text.size());
}

std::string escape_controls(std::string_view name) {
    std::string text;
    for (const char c : name)
        text += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? fmt::format("\\x{:02x}", c) : std::string(1, c);
    return text;
}

std::string quote_for_shell(std::string_view text) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_./+-=:,@%").find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::ranges::all_of(text, plain))
        return std::string(text);
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

std::vector<std::string> split_items(std::string_view text) {
    std::vector<std::string> items(1);
    for (std::size_t i = 0; i < text.size(); i++) {
        if (text[i] == ':') {
            items.emplace_back();
            continue;
        }
        if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ':' || text[i + 1] == '\\'))
            i++;
        items.back() += text[i];
    }
    return items;
}

std::vector<std::string> split_list(std::string_view text, char separator) {
    std::vector<std::string> entries;
    for (;;) {
        const std::size_t end = text.find(separator);
        entries.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return entries;
        text.remove_prefix(end + 1);
    }
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
    if (!from.empty())
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    return text;
}

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
