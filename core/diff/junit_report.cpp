// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/reports.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "diff/report_text.hpp"
#include "report/junit.hpp"

namespace isovmaf::diff {

namespace {

constexpr std::string_view program = "isovmaf diff";

bool could_compare(const DiffResult &result) {
    return result.verdict == Verdict::equal || result.verdict == Verdict::differ;
}

std::vector<std::string> fault_lines(const Fault &fault) {
    std::vector<std::string> lines;
    const auto add = [&](const std::vector<Fact> &facts) {
        for (const Fact &fact : facts)
            lines.push_back(fmt::format("{:<15}{}", fact.label, fact.text));
    };
    if (fault.tally != nullptr)
        add(facts(*fault.tally));
    for (const FeatureDifference *finding : fault.findings)
        add(facts(*finding));
    return lines;
}

JunitSuite side_suite(const DiffResult &result, const std::string &side) {
    JunitSuite suite(program, side);
    suite.add_property("compared with", result.reference);
    for (const Proof &proof : result.proofs)
        if (proof.side == side)
            for (const Fact &fact : facts(proof))
                suite.add_property(fact.label, fact.text);
    for (const Tally &tally : result.tallies)
        if (tally.side == side && !differs(tally))
            tally.values + tally.words > 0 ? suite.pass(tally.subject) : suite.skip(tally.subject, tally_text(tally));
    for (const Fault &fault : faults(result))
        if (fault.side == side)
            suite.fail(fault.subject, "differ", fault.tally != nullptr ? tally_text(*fault.tally) : "looked into",
                       fault_lines(fault));
    return suite;
}

JunitSuite absent_suite(const Absent &absent) {
    JunitSuite suite(program, absent.side);
    suite.skip("side", absent.reason);
    return suite;
}

/// The suite for errors that belong to no feature or model. An interrupted run is an error, too, whatever it compared.
JunitSuite run_suite(const DiffResult &result) {
    JunitSuite suite(program, program);
    suite.add_property("command", result.command);
    suite.error("run", could_compare(result) ? "interrupted" : verdict_name(result.verdict), verdict_text(result));
    return suite;
}

std::vector<JunitSuite> suites(const DiffResult &result) {
    std::vector<std::string> sides = tally_grid(result).sides;
    for (const Fault &fault : faults(result))
        if (std::ranges::find(sides, fault.side) == sides.end())
            sides.push_back(fault.side);
    std::vector<JunitSuite> suites;
    if (!could_compare(result) || !result.failure.empty())
        suites.push_back(run_suite(result));
    for (const std::string &side : sides)
        suites.push_back(side_suite(result, side));
    for (const Absent &absent : result.absent)
        suites.push_back(absent_suite(absent));
    return suites;
}

} // namespace

std::string junit(const DiffResult &result) { return junit_text(program, suites(result)); }

} // namespace isovmaf::diff
