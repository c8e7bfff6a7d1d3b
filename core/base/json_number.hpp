// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace isovmaf {

/// The text of a number as JSON has it, from `text` as nlohmann::json hands it to a parser's events. In that text the
/// first byte of the locale's decimal point stands in place of '.'. The value that nlohmann::json hands over with it
/// was read in the locale, and is wrong where the decimal point has several bytes.
[[nodiscard]] inline std::string json_number(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return std::string_view("0123456789+-eE").find(c) == std::string_view::npos; }, '.');
    return text;
}

} // namespace isovmaf
