// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace isovmaf {

/// The text of a number as JSON has it, from the text that nlohmann::json gives its events: that has the first byte of
/// the decimal point of the program's locale in place of '.'. Its own value of the number is read in that locale, and
/// wrong where the decimal point has several bytes.
[[nodiscard]] inline std::string json_number(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return std::string_view("0123456789+-eE").find(c) == std::string_view::npos; }, '.');
    return text;
}

} // namespace isovmaf
