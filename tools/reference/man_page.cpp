// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "tools/reference/program_text.hpp"

namespace isovmaf::reference {

namespace {

std::string upper_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

/// Text for roff: a backslash, a dash that may be copied to a command line, and a dot or quote that starts a line.
std::string escape(const std::string &text) {
    std::string out;
    for (const char c : text) {
        if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
            out += "\\&";
        out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    }
    return out;
}

/// One argument of a macro.
std::string macro_argument(const std::string &text) { return '"' + replace_all(escape(text), "\"", "\\(dq") + '"'; }

void append_options(std::string &page, const CommandText &command, const char *heading_macro) {
    for (const OptionGroup &group : command.groups) {
        if (!group.heading.empty())
            page += fmt::format("{} {}\n", heading_macro, escape(group.heading));
        for (const OptionText &option : group.options) {
            std::vector<std::string> names;
            for (const std::string &name : option.names)
                names.push_back(fmt::format("\\fB{}\\fR", escape(name)));
            const std::string value = option.value.empty() ? "" : fmt::format("\\fI{}\\fR", escape(option.value));
            const std::string space = names.empty() || value.empty() ? "" : " ";
            page += fmt::format(".TP\n{}{}{}\n{}.\n", fmt::join(names, ", "), space, value, escape(option.help));
        }
    }
}

void append_footer(std::string &page, const CommandText &command) {
    std::istringstream paragraphs(command.footer);
    for (std::string paragraph; std::getline(paragraphs, paragraph);) {
        const std::size_t name_end = paragraph.starts_with("  ") ? paragraph.find(' ', 2) : std::string::npos;
        if (name_end == std::string::npos) {
            page += fmt::format(".PP\n{}\n", escape(paragraph));
            continue;
        }
        const std::string text = paragraph.substr(paragraph.find_first_not_of(' ', name_end));
        page += fmt::format(".TP\n{}\n{}\n", escape(paragraph.substr(2, name_end - 2)), escape(text));
    }
}

/// A section for the command, and one for each command that it has itself.
void append_command(std::string &page, const std::string &parent, const CommandText &command) {
    const std::string name = fmt::format("{} {}", parent, upper_case(command.name));
    page += fmt::format(".SH \"{}\"\n{}.\n.PP\n.B {}\n", name, escape(command.summary), escape(command.usage));
    append_options(page, command, ".SS");
    append_footer(page, command);
    for (const CommandText &nested : command.commands)
        append_command(page, name, nested);
}

} // namespace

std::string man_page(const ProgramText &program) {
    const CommandText &itself = program.itself;
    std::string page = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User commands\"\n.ad l\n", upper_case(itself.name),
                                   itself.name, program.version);
    page += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {}\n", itself.name, escape(itself.summary),
                        escape(itself.usage));
    page += ".SH OPTIONS\n";
    append_options(page, itself, ".SS");
    for (const CommandText &command : program.itself.commands)
        append_command(page, upper_case(itself.name), command);
    for (const ManualSection &section : program.sections) {
        page += fmt::format(".SH \"{}\"\n", section.heading);
        for (const auto &[name, text] : section.entries)
            page += fmt::format(".TP\n.B {}\n{}\n", macro_argument(name), escape(text));
    }
    if (!itself.footer.empty())
        page += ".SH NOTES\n";
    append_footer(page, itself);
    return page;
}

} // namespace isovmaf::reference
