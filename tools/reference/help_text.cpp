// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/reference/program_text.hpp"

namespace isovmaf::reference {

namespace {

/// Appends words to lines of at most `columns` characters. Words that are longer stay whole.
class Lines {
  public:
    explicit Lines(std::size_t columns) : columns_(columns) {}

    void begin(std::string_view start) { line_ = start; }

    /// Ends the line if something stands at `column` or behind it, and goes on there.
    void tab(std::size_t column) {
        if (line_.size() + 2 > column)
            end();
        line_.resize(column, ' ');
    }

    /// Lines that follow are indented by `indent`.
    void add(const std::string &text, std::size_t indent) {
        std::istringstream words(text);
        for (std::string word; words >> word;) {
            const bool empty = line_.empty() || line_.back() == ' ';
            if (!empty && line_.size() + 1 + word.size() > columns_) {
                end();
                line_.assign(indent, ' ');
            } else if (!empty) {
                line_ += ' ';
            }
            line_ += word;
        }
    }

    void end() {
        text_ += line_ + '\n';
        line_.clear();
    }

    [[nodiscard]] const std::string &text() const { return text_; }

  private:
    std::size_t columns_;
    std::string text_, line_;
};

/// "-r, --reference FILE"
std::string form_of(const OptionText &option) {
    const std::string value = option.choices.empty() ? option.value : fmt::format("{}", fmt::join(option.choices, "|"));
    const std::string space = option.names.empty() || value.empty() ? "" : " ";
    return fmt::format("{}{}{}", fmt::join(option.names, ", "), space, value);
}

/// A name, and in a second column what it is.
void add_row(Lines &lines, const std::string &name, const std::string &text, std::size_t column) {
    lines.begin("  " + name);
    lines.tab(column);
    lines.add(text, column);
    lines.end();
}

/// Lines that begin with spaces are rows of two columns, the others sentences.
void add_footer(Lines &lines, const std::string &footer, std::size_t column) {
    std::istringstream paragraphs(footer);
    for (std::string paragraph; std::getline(paragraphs, paragraph);) {
        const bool is_row = paragraph.starts_with("  ");
        const std::size_t name_end = is_row ? paragraph.find(' ', 2) : std::string::npos;
        if (name_end != std::string::npos) {
            add_row(lines, paragraph.substr(2, name_end - 2), paragraph.substr(name_end), column);
            continue;
        }
        lines.add(paragraph, 0);
        lines.end();
    }
}

} // namespace

std::string help_text(const CommandText &command, std::size_t columns) {
    constexpr std::size_t widest_name = 26;
    const std::size_t column = std::min(widest_name + 2, columns / 3);
    Lines lines(columns);
    lines.add(command.summary, 0);
    lines.end();
    lines.add("Usage: " + command.usage, 4);
    lines.end();
    for (const OptionGroup &group : command.groups) {
        lines.end();
        lines.add(group.heading + ':', 0);
        lines.end();
        for (const OptionText &option : group.options)
            add_row(lines, form_of(option), option.help, column);
    }
    if (!command.commands.empty()) {
        lines.end();
        lines.begin("Commands:");
        lines.end();
    }
    for (const CommandText &nested : command.commands)
        add_row(lines, nested.name, nested.summary, column);
    if (!command.footer.empty())
        lines.end();
    add_footer(lines, command.footer, column);
    return lines.text();
}

} // namespace isovmaf::reference
