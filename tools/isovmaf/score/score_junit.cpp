// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_junit.hpp"

#include "base/text.hpp"
#include "tools/isovmaf/console.hpp"

namespace isovmaf::tool {

JunitSuite limits_suite(const ScoredVideo &video, const std::string &command) {
    const Report &report = video.report;
    JunitSuite suite(score_junit_program, report.distorted.path);
    suite.add_property("reference", report.reference.path);
    suite.add_property("command", command);
    if (report.incomplete)
        suite.error("limits", "incomplete", "the run ended before the videos did: no limit was judged");
    for (const LimitCheck &check : video.limits)
        switch (check.outcome) {
        case LimitCheck::Outcome::kept:
            suite.pass(check.name);
            break;
        case LimitCheck::Outcome::broken:
            suite.fail(check.name, "below_limit", check.sentence);
            break;
        case LimitCheck::Outcome::not_judged:
            suite.error(check.name, "not_judged", check.sentence);
            break;
        }
    return suite;
}

void print_limits(const ScoredVideo &video, const std::string &about) {
    const std::string name = about.empty() ? "" : escape_controls(about) + ": ";
    for (const LimitCheck &check : video.limits)
        if (check.outcome != LimitCheck::Outcome::kept)
            print_error("isovmaf: {}{}{}\n", check.outcome == LimitCheck::Outcome::broken ? "" : "error: ", name,
                        check.sentence);
}

JunitSuite failed_suite(const std::string &distorted, const std::string &why) {
    JunitSuite suite(score_junit_program, distorted);
    suite.error("limits", "failed", why);
    return suite;
}

} // namespace isovmaf::tool
