// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/reports.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "diff/report_text.hpp"
#include "report/escape.hpp"

namespace isovmaf::diff {

namespace {

/// Test cases of one side.
struct Suite {
    std::string name;
    std::string properties, cases; ///< XML
    int tests = 0, failures = 0, errors = 0, skipped = 0;
};

bool could_compare(const DiffResult &result) {
    return result.verdict == Verdict::equal || result.verdict == Verdict::differ;
}

std::string escaped_xml(std::string_view text) { return xml_escape(plain(text)); }

/// Lines that end with a line break, as xml_escape alone would encode it for an attribute.
std::string fault_text(const Fault &fault) {
    std::string out;
    const auto add = [&](const std::vector<Fact> &facts) {
        for (const Fact &fact : facts)
            out += xml_escape(fmt::format("{:<15}{}", fact.label, fact.text)) + '\n';
    };
    if (fault.tally != nullptr)
        add(facts(*fault.tally));
    for (const FeatureDifference *finding : fault.findings)
        add(facts(*finding));
    return out;
}

void add_case(Suite &suite, std::string_view name, std::string_view inside) {
    fmt::format_to(std::back_inserter(suite.cases),
                   "    <testcase classname=\"isovmaf diff.{}\" name=\"{}\" time=\"0\"", escaped_xml(suite.name),
                   escaped_xml(name));
    suite.cases += inside.empty() ? "/>\n" : fmt::format(">\n{}    </testcase>\n", inside);
    suite.tests++;
}

void add_fault(Suite &suite, const Fault &fault) {
    const std::string message = fault.tally != nullptr ? tally_text(*fault.tally) : "looked into";
    add_case(suite, fault.subject,
             fmt::format("      <failure type=\"differ\" message=\"{}\">{}</failure>\n", escaped_xml(message),
                         fault_text(fault)));
    suite.failures++;
}

void add_tally(Suite &suite, const Tally &tally) {
    if (tally.values + tally.words > 0)
        return add_case(suite, tally.subject, {});
    add_case(suite, tally.subject, fmt::format("      <skipped message=\"{}\"/>\n", tally_text(tally)));
    suite.skipped++;
}

void add_property(Suite &suite, std::string_view name, std::string_view value) {
    fmt::format_to(std::back_inserter(suite.properties), "      <property name=\"{}\" value=\"{}\"/>\n",
                   escaped_xml(name), escaped_xml(value));
}

Suite side_suite(const DiffResult &result, const std::string &side) {
    Suite suite{side, {}, {}};
    add_property(suite, "compared with", result.reference);
    for (const Proof &proof : result.proofs)
        if (proof.side == side)
            for (const Fact &fact : facts(proof))
                add_property(suite, fact.label, fact.text);
    for (const Tally &tally : result.tallies)
        if (tally.side == side && !differs(tally))
            add_tally(suite, tally);
    for (const Fault &fault : faults(result))
        if (fault.side == side)
            add_fault(suite, fault);
    return suite;
}

Suite absent_suite(const Absent &absent) {
    Suite suite{absent.side, {}, {}};
    add_case(suite, "side", fmt::format("      <skipped message=\"{}\"/>\n", escaped_xml(absent.reason)));
    suite.skipped++;
    return suite;
}

/// The suite for errors that belong to no feature or model. An interrupted run is an error, too, whatever it compared.
Suite run_suite(const DiffResult &result) {
    Suite suite{"isovmaf diff", {}, {}};
    add_property(suite, "command", result.command);
    add_case(suite, "run",
             fmt::format("      <error type=\"{}\" message=\"{}\"/>\n",
                         could_compare(result) ? "interrupted" : verdict_name(result.verdict),
                         escaped_xml(verdict_text(result))));
    suite.errors++;
    return suite;
}

std::vector<Suite> suites(const DiffResult &result) {
    std::vector<std::string> sides = tally_grid(result).sides;
    for (const Fault &fault : faults(result))
        if (std::ranges::find(sides, fault.side) == sides.end())
            sides.push_back(fault.side);
    std::vector<Suite> suites;
    if (!could_compare(result) || !result.failure.empty())
        suites.push_back(run_suite(result));
    for (const std::string &side : sides)
        suites.push_back(side_suite(result, side));
    for (const Absent &absent : result.absent)
        suites.push_back(absent_suite(absent));
    return suites;
}

std::string suite_text(const Suite &suite) {
    std::string out = fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
                                  "time=\"0\">\n",
                                  escaped_xml(suite.name), suite.tests, suite.failures, suite.errors, suite.skipped);
    if (!suite.properties.empty())
        out += fmt::format("    <properties>\n{}    </properties>\n", suite.properties);
    return out + suite.cases + "  </testsuite>\n";
}

} // namespace

std::string junit(const DiffResult &result) {
    std::string inside;
    int tests = 0, failures = 0, errors = 0;
    for (const Suite &suite : suites(result)) {
        inside += suite_text(suite);
        tests += suite.tests;
        failures += suite.failures;
        errors += suite.errors;
    }
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<testsuites name=\"isovmaf diff\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"0\">\n"
                       "{}</testsuites>\n",
                       tests, failures, errors, inside);
}

} // namespace isovmaf::diff
