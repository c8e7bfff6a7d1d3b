// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/reports.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "diff/report_text.hpp"
#include "report/escape.hpp"

namespace isovmaf::diff {

namespace {

/// GitHub takes 65,536 characters in a comment; the difference is room for the last lines.
constexpr std::size_t most_bytes = 60'000;

/// Text in which nothing is read as Markdown or HTML, unless it is at the start of a line.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : xml_escape(plain(text))) {
        if (std::string_view("\\`*_[]|~$").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

/// The same for text inside HTML tags, where Markdown has no meaning.
std::string escaped_html(std::string_view text) { return xml_escape(plain(text)); }

/// A code block. Its fence is longer than any fence in the text.
std::string code_block(std::string_view text) {
    const std::string line = plain(text);
    std::string fence = "```";
    while (line.find(fence) != std::string::npos)
        fence += '`';
    return fmt::format("{}\n{}\n{}\n\n", fence, line, fence);
}

std::string table_text(const Grid &grid) {
    std::string out = "| feature | values | words |";
    std::string rule = "|:--|--:|--:|";
    for (const std::string &side : grid.sides) {
        out += fmt::format(" {} |", escaped(side));
        rule += ":--|";
    }
    out += '\n' + rule + '\n';
    for (const Grid::Row &row : grid.rows) {
        out += fmt::format("| {} | {} | {} |", escaped(row.subject), count_text(row.values), count_text(row.words));
        for (std::size_t side = 0; side < grid.sides.size(); side++) {
            const bool different = row.sides[side] != nullptr && differs(*row.sides[side]);
            const std::string_view bold = different ? "**" : "";
            out += fmt::format(" {0}{1}{0} |", bold, cell_text(row, side));
        }
        out += '\n';
    }
    return out + '\n';
}

std::string facts_text(const std::vector<Fact> &facts) {
    std::string out, commands;
    for (const Fact &fact : facts)
        if (fact.label == command_label)
            commands += code_block(fact.text);
        else
            out += fmt::format("- {}: {}\n", fact.label, escaped(fact.text));
    return out + '\n' + commands;
}

/// `open`: the details are unfolded.
std::string fault_text(const Fault &fault, bool open) {
    std::string out =
        fmt::format("<details{}><summary>{} on {}{}</summary>\n\n", open ? " open" : "", escaped_html(fault.subject),
                    escaped_html(fault.side), fault.tally != nullptr ? ": " + tally_text(*fault.tally) : "");
    if (fault.tally != nullptr && (fault.tally->first || fault.tally->first_word))
        out += facts_text(facts(*fault.tally));
    for (const FeatureDifference *finding : fault.findings)
        out += facts_text(facts(*finding));
    return out + "</details>\n\n";
}

std::string proofs_text(const DiffResult &result) {
    std::string out;
    for (const Proof &proof : result.proofs) {
        out += fmt::format("- {}:", escaped(proof.side));
        std::string_view comma = " ";
        for (const Fact &fact : facts(proof)) {
            out += fmt::format("{}{} {}", comma, escaped(fact.label), escaped(fact.text));
            comma = ", ";
        }
        out += '\n';
    }
    return out.empty() ? out : "<details><summary>What ran where</summary>\n\n" + out + "\n</details>\n\n";
}

/// Appends parts while there is room, then a line that says how many did not fit.
void append_fitting(std::string &out, const std::vector<std::string> &parts) {
    std::size_t fitting = 0;
    while (fitting < parts.size() && out.size() + parts[fitting].size() <= most_bytes)
        out += parts[fitting++];
    if (fitting < parts.size())
        out += fmt::format("{} more: see the other reports.\n", parts.size() - fitting);
}

} // namespace

std::string markdown(const DiffResult &result) {
    std::string out = fmt::format("### isovmaf diff: {}\n\n", escaped(verdict_name(result.verdict)));
    out += fmt::format("{} Compared with {}: {}, {}, {} and {}", escaped(verdict_text(result)),
                       escaped(result.reference), counted(result.cases, "case"), counted(result.frames, "frame"),
                       counted(result.values, "value"), counted(result.words, "word"));
    out += result.seed ? fmt::format("; seed {}.\n\n", *result.seed) : ".\n\n";
    if (const Grid grid = tally_grid(result); !grid.rows.empty())
        out += table_text(grid);
    for (const Absent &absent : result.absent)
        out += fmt::format("Not compared: {}: {}\n\n", escaped(absent.side), escaped(absent.reason));
    for (const std::string &flagged : flagged_texts(result))
        out += fmt::format("Flagged frames: {}.\n\n", escaped(flagged));

    std::vector<std::string> parts;
    for (const Fault &fault : faults(result))
        parts.push_back(fault_text(fault, parts.empty()));
    parts.push_back(proofs_text(result));
    append_fitting(out, parts);
    return out;
}

} // namespace isovmaf::diff
