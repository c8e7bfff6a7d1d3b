// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/reports.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "diff/report_text.hpp"
#include "html/charts.hpp"
#include "html/heat_map.hpp"
#include "html/page.hpp"

namespace isovmaf::diff {

namespace {

std::string verdict_html(const DiffResult &result) {
    const auto item = [](std::string_view name, std::int64_t count) {
        return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, count_text(count));
    };
    return fmt::format("<header class=\"verdict {}\"><h1>{}</h1><p>isovmaf {}, compared with {}{}</p>\n"
                       "<dl class=counts>{}{}{}{}{}</dl></header>\n",
                       verdict_name(result.verdict), html_escape(verdict_text(result)), html_escape(result.version),
                       html_escape(result.reference), result.seed ? fmt::format(", seed {}", *result.seed) : "",
                       item("differ", result.different), item("cases", result.cases), item("frames", result.frames),
                       item("values", result.values), item("words", result.words));
}

std::string row_html(const Grid::Row &row) {
    std::string out = fmt::format("<tr><th>{}</th><td class=count>{}</td><td class=count>{}</td>",
                                  html_escape(row.subject), count_text(row.values), count_text(row.words));
    for (std::size_t side = 0; side < row.sides.size(); side++) {
        const Tally *tally = row.sides[side];
        const std::string_view kind = tally == nullptr ? "none" : differs(*tally) ? "apart" : "same";
        out += fmt::format("<td class={}>{}</td>", kind, cell_text(row, side));
    }
    return out + "</tr>\n";
}

std::string table_html(const DiffResult &result) {
    const Grid grid = tally_grid(result);
    if (grid.rows.empty())
        return {};
    std::string out = "<h2>Features and sides</h2>\n<div class=\"card scroll\"><table><thead><tr><th>feature</th>"
                      "<th class=count>values</th><th class=count>words</th>";
    for (const std::string &side : grid.sides)
        out += fmt::format("<th>{}</th>", html_escape(side));
    out += "</tr></thead><tbody>\n";
    for (const Grid::Row &row : grid.rows)
        out += row_html(row);
    return out + "</tbody></table></div>\n";
}

std::string flagged_html(const DiffResult &result) {
    std::string out;
    for (const std::string &flagged : flagged_texts(result))
        out += fmt::format("<p>Flagged frames: {}.</p>\n", html_escape(flagged));
    return out;
}

std::string strips_html(const DiffResult &result) {
    std::string strips;
    std::size_t worst = 0;
    for (const Strip &strip : result.strips) {
        strips += strip_html(strip.side, strip.worst);
        for (const std::uint8_t bucket : strip.worst)
            worst = std::max(worst, heat_level(bucket));
    }
    if (strips.empty())
        return {};
    return "<h2>Frame by frame</h2>\n<div class=card>" + strips + legend_html(worst, "ULP or more") + "</div>\n";
}

std::string facts_html(const std::vector<Fact> &facts) {
    std::string out = "<dl class=facts>", command;
    for (const Fact &fact : facts)
        if (fact.label == command_label)
            command = fmt::format("<pre>{}</pre>\n", html_escape(fact.text));
        else if (fact.label != stages_label) // stages_html shows them
            out += fmt::format("<dt>{}</dt><dd{}>{}</dd>\n", html_escape(fact.label),
                               fact.label == "expected" || fact.label == "found" ? " class=number" : "",
                               html_escape(fact.text));
    return out + "</dl>\n" + command;
}

std::string stages_html(const FeatureDifference &finding) {
    std::string items;
    for (const std::string &stage : finding.equal_stages)
        items += fmt::format("<li>{} =</li>", html_escape(stage));
    if (finding.fault)
        items += fmt::format("<li class=apart>{} ≠</li>", html_escape(finding.fault->stage));
    return items.empty() ? items : "<ol class=stages>" + items + "</ol>\n";
}

std::string finding_html(const FeatureDifference &finding) {
    const std::optional<StageFault> &fault = finding.fault;
    return "<div class=finding>" + stages_html(finding) + facts_html(facts(finding)) +
           (fault ? heat_map_html(fault->heat, fault->stage, fault->x, fault->y) : "") + "</div>\n";
}

std::string fault_html(const Fault &fault) {
    std::string out =
        fmt::format("<article class=card><h3>{} on {}</h3>\n", html_escape(fault.subject), html_escape(fault.side));
    if (fault.tally != nullptr) {
        out += fmt::format("<p>{}</p>\n", tally_text(*fault.tally));
        out += histogram_svg(fault.tally->histogram);
        if (fault.tally->first || fault.tally->first_word)
            out += facts_html(facts(*fault.tally));
    }
    for (const FeatureDifference *finding : fault.findings)
        out += finding_html(*finding);
    return out + "</article>\n";
}

std::string faults_html(const DiffResult &result) {
    std::string out;
    for (const Fault &fault : faults(result))
        out += fault_html(fault);
    return out.empty() ? out : "<h2>What differs</h2>\n" + out;
}

std::string proofs_html(const DiffResult &result) {
    std::string out = "<h2>What ran where</h2>\n<div class=cards>\n";
    for (const Proof &proof : result.proofs)
        out += fmt::format("<article class=card><h3>{}</h3>{}</article>\n", html_escape(proof.side),
                           facts_html(facts(proof)));
    for (const Absent &absent : result.absent)
        out += fmt::format("<article class=card><h3>{}</h3><p>not compared: {}</p></article>\n",
                           html_escape(absent.side), html_escape(absent.reason));
    return result.proofs.empty() && result.absent.empty() ? "" : out + "</div>\n";
}

} // namespace

std::string html(const DiffResult &result) {
    std::string body = verdict_html(result);
    body += table_html(result);
    body += flagged_html(result);
    body += strips_html(result);
    body += faults_html(result);
    body += proofs_html(result);
    if (!result.command.empty())
        body += fmt::format("<footer>Made by<pre>{}</pre></footer>\n", html_escape(result.command));
    return html_page("isovmaf diff: " + verdict_text(result), body);
}

} // namespace isovmaf::diff
