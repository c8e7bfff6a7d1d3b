// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace isovmaf {

namespace {

/// scores.md §6: six digits, but sixteen where these would show an integer although the value is not one.
/// From 2^31 on the reference cannot take the fraction and stays with six.
int legacy_digits(double value) {
    const double magnitude = std::abs(value);
    const double fraction = magnitude - std::floor(magnitude);
    return magnitude < 0x1p31 && fraction > 0 && fraction < 1e-6 ? 16 : 6;
}

/// std::to_chars rounds as printf does, ties to even included; fmt leaves that open.
void append_legacy(std::string &out, double value) {
    std::array<char, 352> text; // 309 digits, point, 16 digits, sign
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, legacy_digits(value));
    out.append(text.data(), end);
}

/// Whole numbers keep a ".0": they stay floating point, and -0 negative, in readers that tell integers apart.
void append_max(std::string &out, double value) {
    const std::size_t start = out.size();
    fmt::format_to(std::back_inserter(out), "{}", value);
    if (out.find_first_of(".e", start) == std::string::npos)
        out += ".0";
}

void append_hex(std::string &out, double value) {
    std::array<char, 32> text;
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), std::abs(value), std::chars_format::hex);
    out += std::signbit(value) ? "-0x" : "0x";
    out.append(text.data(), end);
}

} // namespace

void append_number(std::string &out, double value, Precision precision) {
    if (std::isnan(value))
        out += "nan";
    else if (std::isinf(value))
        out += value < 0 ? "-inf" : "inf";
    else if (precision == Precision::legacy)
        append_legacy(out, value);
    else if (precision == Precision::max)
        append_max(out, value);
    else
        append_hex(out, value);
}

void append_json_number(std::string &out, double value, Precision precision) {
    if (!std::isfinite(value)) {
        out += "null";
        return;
    }
    const std::string_view quote = precision == Precision::hex ? "\"" : "";
    out += quote;
    append_number(out, value, precision);
    out += quote;
}

std::string count_text(std::int64_t count) {
    const std::string digits = std::to_string(count);
    std::string out;
    for (std::size_t i = 0; i < digits.size(); i++) {
        if (i > 0 && digits[i - 1] != '-' && (digits.size() - i) % 3 == 0)
            out += ',';
        out += digits[i];
    }
    return out;
}

std::string duration_text(double seconds) {
    if (seconds < 1)
        return "less than a second";
    if (seconds < 100)
        return fmt::format("{:.0f} s", seconds);
    if (seconds < 100 * 60)
        return fmt::format("{:.0f} min", seconds / 60);
    constexpr double most = 1e9; // hours
    const auto minutes = static_cast<std::int64_t>(std::min(seconds / 60, most * 60) + 0.5);
    const std::int64_t hours = minutes / 60;
    return hours < 48 ? fmt::format("{} h {} min", hours, minutes % 60)
                      : fmt::format("{} d {} h", hours / 24, hours % 24);
}

std::string clock_text(double seconds) {
    const auto total = static_cast<std::int64_t>(seconds + 0.5);
    return total >= 3600 ? fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60)
                         : fmt::format("{}:{:02}", total / 60, total % 60);
}

std::string counted(std::int64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count_text(count), noun, count == 1 ? "" : "s");
}

} // namespace isovmaf
