// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/junit.hpp"

#include <iterator>

#include <fmt/format.h>

#include "report/escape.hpp"

namespace isovmaf {

namespace {

std::string escaped_xml(std::string_view text) { return xml_escape(plain(text)); }

/// A child of a test case: "failure" and the like.
std::string outcome(std::string_view element, std::string_view type, std::string_view message) {
    return fmt::format("      <{} type=\"{}\" message=\"{}\"", element, escaped_xml(type), escaped_xml(message));
}

} // namespace

JunitSuite::JunitSuite(std::string_view program, std::string_view name)
    : program_(escaped_xml(program)), name_(escaped_xml(name)) {}

void JunitSuite::add_property(std::string_view name, std::string_view value) {
    fmt::format_to(std::back_inserter(properties_), "      <property name=\"{}\" value=\"{}\"/>\n", escaped_xml(name),
                   escaped_xml(value));
}

void JunitSuite::add_case(std::string_view test, std::string_view inside) {
    fmt::format_to(std::back_inserter(cases_), "    <testcase classname=\"{}.{}\" name=\"{}\" time=\"0\"", program_,
                   name_, escaped_xml(test));
    cases_ += inside.empty() ? "/>\n" : fmt::format(">\n{}    </testcase>\n", inside);
    tests_++;
}

void JunitSuite::pass(std::string_view test) { add_case(test, {}); }

void JunitSuite::fail(std::string_view test, std::string_view type, std::string_view message,
                      const std::vector<std::string> &lines) {
    std::string text; // xml_escape would encode line breaks as for an attribute
    for (const std::string &line : lines)
        text += xml_escape(line) + '\n';
    add_case(test, outcome("failure", type, message) + (lines.empty() ? "/>\n" : fmt::format(">{}</failure>\n", text)));
    failures_++;
}

void JunitSuite::error(std::string_view test, std::string_view type, std::string_view message) {
    add_case(test, outcome("error", type, message) + "/>\n");
    errors_++;
}

void JunitSuite::skip(std::string_view test, std::string_view message) {
    add_case(test, fmt::format("      <skipped message=\"{}\"/>\n", escaped_xml(message)));
    skipped_++;
}

std::string JunitSuite::text() const {
    std::string out = fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
                                  "time=\"0\">\n",
                                  name_, tests_, failures_, errors_, skipped_);
    if (!properties_.empty())
        out += fmt::format("    <properties>\n{}    </properties>\n", properties_);
    return out + cases_ + "  </testsuite>\n";
}

std::string junit_text(std::string_view program, std::span<const JunitSuite> suites) {
    std::string inside;
    int tests = 0, failures = 0, errors = 0;
    for (const JunitSuite &suite : suites) {
        inside += suite.text();
        tests += suite.tests();
        failures += suite.failures();
        errors += suite.errors();
    }
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<testsuites name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"0\">\n"
                       "{}</testsuites>\n",
                       escaped_xml(program), tests, failures, errors, inside);
}

} // namespace isovmaf
