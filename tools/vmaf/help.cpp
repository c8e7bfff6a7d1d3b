// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>

#include <fmt/format.h>

#include "tools/vmaf/options.hpp"

namespace isovmaf::vmaf {

namespace {

constexpr std::size_t help_column = 28, line_width = 80;

/// Appends `words` to `text`, whose last line is `column` wide. Lines break before line_width and start at help_column.
void append_wrapped(std::string &text, std::string_view words, std::size_t column) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (column > help_column && column + 1 + end > line_width) {
            text.append(1, '\n').append(help_column, ' ');
            column = help_column;
        }
        if (column > help_column) {
            text += ' ';
            column++;
        }
        text += words.substr(0, end);
        column += end;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    text += '\n';
}

std::string usage_of(const CommandOption &option) {
    const std::string letter = option.letter ? fmt::format("-{}, ", option.letter) : "    ";
    return fmt::format("  {}--{}{}{}", letter, option.name, option.value ? " " : "", option.value ? option.value : "");
}

} // namespace

std::string help_text() {
    std::string text =
        fmt::format("Usage: vmaf --reference PATH --distorted PATH [OPTION]...\nvmaf: {}.\n\n", program_summary);
    for (const CommandOption &option : command_options()) {
        std::string usage = usage_of(option);
        usage.resize(std::max(usage.size() + 1, help_column), ' ');
        if (usage.size() > help_column)
            usage += '\n' + std::string(help_column, ' ');
        text += usage;
        append_wrapped(text, option.help, help_column);
    }
    text += fmt::format("\n{}\n", exit_codes_text);
    return text;
}

} // namespace isovmaf::vmaf
